/** Finds names of code in what the user wrote. */

/**
 * Returns the words of a sentence that look like names of code: with a capital, an underscore or a
 * digit, in order.
 */
export function namesInSentence(text: string, maxNames: number): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const names = words.filter((word) => word.length > 2 && /[\p{Lu}\p{N}_$]/u.test(word));
  return [...new Set(names)].slice(0, maxNames);
}
