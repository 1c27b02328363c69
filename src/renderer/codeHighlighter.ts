/**
 * The port through which code gets its colours. The renderer hands over whole lines and gets numbers
 * back; what reads the lines, where and when, is highlight/'s.
 */

/** Takes tokens of lines handed over before, in order. */
export interface TokenReceiver {
  /**
   * Shows tokens from an offset on until told to stop; returns the offset of the next line.
   * The form of `tokens` is that of `tokens-found` in highlight/protocol.ts.
   */
  paint(tokens: Uint32Array, from: number, shouldStop: () => boolean): number;
  /** All lines are painted, or will stay as they are. */
  settle(): void;
}

/** A block whose lines are being read. */
export interface HighlightSession {
  /** Hands over whole lines, without their ends. */
  add(lines: readonly string[]): void;
  /** No more lines will come. */
  end(): void;
}

/** Something that can read code. */
export interface CodeHighlighter {
  /** Begins a block; undefined if the language is unknown or nothing can be read here. */
  open(language: string, receiver: TokenReceiver): HighlightSession | undefined;
}

/** Class of a token's style, see highlight/scopeStyles.ts. */
export function styleClass(style: number): string {
  return `t${style.toString(36)}`;
}
