/**
 * Port of a syntax highlighter: receives whole lines and returns token numbers. The implementation
 * is in highlight/.
 */

/** Receives the tokens of the added lines, in order. */
export interface TokenReceiver {
  /**
   * Paints tokens from an offset until `shouldStop` returns true; returns the offset of the next
   * line. For the format see `tokens-found` in highlight/protocol.ts.
   */
  paint(tokens: Uint32Array, from: number, shouldStop: () => boolean): number;
  /** Called when the remaining lines will be painted much later. */
  postponePainting(): void;
  /** Called when all lines are painted or will stay plain. */
  finishPainting(): void;
}

/** Code block that is being highlighted. */
export interface HighlightSession {
  /** Adds whole lines without their line ends. */
  add(lines: readonly string[]): void;
  /** Called after the last line. */
  end(): void;
}

export interface CodeHighlighter {
  /** Opens a block; returns undefined if the language is unknown or highlighting is unavailable. */
  open(language: string, receiver: TokenReceiver): HighlightSession | undefined;
  /** Paints tokens that have arrived, in a frame that is drawn anyway. */
  paint(shouldStop: () => boolean): void;
}

/** Returns the class of a token style, see highlight/scopeStyles.ts. */
export function styleClass(style: number): string {
  return `t${style.toString(36)}`;
}
