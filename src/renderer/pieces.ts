/** Maximum length of a piece in UTF-16 units. */
export const PIECE_LENGTH = 8 * 1024;

/**
 * Returns the end of the piece of at most `length` units that starts at `start`: after a line or a
 * word if possible, and not inside a surrogate pair.
 */
export function pieceEnd(text: string, start: number, length = PIECE_LENGTH): number {
  const limit = start + length;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf("\n", limit - 1) + 1;
  if (line > start) return line;
  const word = text.lastIndexOf(" ", limit - 1) + 1;
  if (word > start) return word;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isPair ? limit - 1 : limit;
}
