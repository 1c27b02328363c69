/**
 * Estimates tokens: one for a Chinese, Japanese or Korean character, one for every four other
 * characters. The estimate is deterministic, not exact.
 */

/** Returns the estimated tokens of a text, rounded up. */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += quartersOf(character);
  return Math.ceil(quarters / 4);
}

/** Returns the longest prefix of `text` with at most `maxTokens`, without splitting a character. */
export function cutToTokens(text: string, maxTokens: number): string {
  let quarters = 0;
  let length = 0;
  for (const character of text) {
    quarters += quartersOf(character);
    if (quarters > maxTokens * 4) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

function quartersOf(character: string): number {
  return /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u.test(
    character,
  )
    ? 4
    : 1;
}
