/**
 * What the page and its highlighting worker say to each other. Both ends are this program, so the types
 * are believed; nothing of a reply but lines of code goes over, and only numbers and rules come back.
 */

/** A TextMate grammar as @shikijs/langs ships it: plain JSON. */
export interface Grammar {
  readonly scopeName: string;
  readonly injectTo?: readonly string[];
}

/** One rule of a TextMate theme. */
export interface HighlightRule {
  readonly scope?: string | readonly string[];
  readonly settings: {
    readonly foreground?: string | undefined;
    readonly fontStyle?: string | undefined;
  };
}

/** The token colours of a theme, as in a theme's JSON (`tokenColors`), includes already followed. */
export interface HighlightTheme {
  readonly tokenColors: readonly HighlightRule[];
}

export type ToWorker =
  | { readonly type: "grammars-added"; readonly grammars: readonly Grammar[] }
  | { readonly type: "theme-set"; readonly theme: HighlightTheme }
  | { readonly type: "block-opened"; readonly block: number; readonly scopeName: string }
  /** Whole lines without their ends; the block's earlier ones came before. */
  | { readonly type: "lines-added"; readonly block: number; readonly lines: readonly string[] }
  | { readonly type: "block-closed"; readonly block: number };

/** A style that tokens have: its number, and its declarations in the present theme ("" for none). */
export type StyleRule = readonly [style: number, declarations: string];

export type FromWorker =
  | { readonly type: "ready" }
  /** New styles, or all of them after the theme changed. */
  | { readonly type: "styles-set"; readonly isAll: boolean; readonly rules: readonly StyleRule[] }
  /**
   * Tokens of the next lines of a block, in order: for each line the number of its tokens, then for each
   * token the column where it ends and its style.
   */
  | { readonly type: "tokens-found"; readonly block: number; readonly tokens: Uint32Array }
  /** The block takes too long or its grammar fails: its other lines stay plain. */
  | { readonly type: "block-refused"; readonly block: number };
