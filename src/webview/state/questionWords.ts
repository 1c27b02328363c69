import type { UserView } from "../../protocol/views";

/** Length of the text that can fill two lines of a wide panel, in UTF-16 units. */
const MAX_LENGTH = 300;

/** Code of a line between as many backticks, which the question shows as code. */
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)(.{1,300}?)(?<!`)\1(?!`)/g;

/**
 * Returns the start of a question on one line, without the backticks of code; the name of its first part
 * if it has no text.
 */
export function firstWords(
  { text, chips }: Pick<UserView, "text" | "chips">,
  maxLength = MAX_LENGTH,
): string {
  // Twice the length, because blanks are joined.
  const start = text.trimStart().slice(0, 2 * maxLength);
  const words = start.trim().replaceAll(CODE_SPAN, "$2").replaceAll(/\s+/g, " ");
  return cutText(words === "" ? (chips[0]?.label ?? "") : words, maxLength);
}

/** Cuts a text at the end of a character, not within a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
