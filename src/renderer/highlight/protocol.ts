/**
 * Messages between the page and its highlighting worker. Both ends are this program, so messages
 * are not validated. The worker receives lines of code, grammars and themes, and returns only
 * numbers and style rules.
 */

/** A TextMate grammar as @shikijs/langs ships it: plain JSON. */
export interface Grammar {
  readonly scopeName: string;
  readonly injectTo?: readonly string[];
}

/** Rule of a TextMate theme. */
export interface HighlightRule {
  readonly scope?: string | readonly string[];
  readonly settings: {
    readonly foreground?: string | undefined;
    readonly fontStyle?: string | undefined;
  };
}

/** Token colors as in a theme's JSON (`tokenColors`), with includes resolved. */
export interface HighlightTheme {
  readonly tokenColors: readonly HighlightRule[];
}

export type ToWorker =
  | { readonly type: "grammars-added"; readonly grammars: readonly Grammar[] }
  | { readonly type: "theme-set"; readonly theme: HighlightTheme }
  | { readonly type: "block-opened"; readonly block: number; readonly scopeName: string }
  /** Whole lines without line ends, after the block's earlier lines. */
  | { readonly type: "lines-added"; readonly block: number; readonly lines: readonly string[] }
  | { readonly type: "block-closed"; readonly block: number };

/** Number of a token style, and its declarations in the current theme ("" for none). */
export type StyleRule = readonly [style: number, declarations: string];

export type FromWorker =
  | { readonly type: "ready" }
  /** New styles, or all styles after a theme change. */
  | { readonly type: "styles-set"; readonly isAll: boolean; readonly rules: readonly StyleRule[] }
  /**
   * Tokens of a block's next lines. Each line is its token count, then for each token its end
   * column and its style.
   */
  | { readonly type: "tokens-found"; readonly block: number; readonly tokens: Uint32Array }
  /** The block takes too long or its grammar fails; its remaining lines stay plain. */
  | { readonly type: "block-refused"; readonly block: number };
