/**
 * Length limits of Markdown. Host and page cut a long message at the same line, so that they number
 * code blocks alike.
 */

import { ANSI_SEQUENCES } from "../base/ansi";

/**
 * Length of a message that is parsed as Markdown, in UTF-16 units; the rest is shown as plain text.
 */
export const MAX_MARKDOWN_LENGTH = 256 * 1024;

/**
 * Maximum length of a paragraph, heading or cell with inline Markdown, in UTF-16 units; longer text
 * is shown as plain text. Some runs of marks take quadratic time: 16 KiB of "![" took 95 ms. Such
 * paragraphs do not occur in normal text.
 */
export const MAX_TEXT_LENGTH = 8 * 1024;

/**
 * Cost of what is drawn of one outermost block, see src/renderer/blockLimit.ts: 682 short items of a
 * list, 2,048 cells of a table. The browser lays out a visible block as a whole.
 */
export const MAX_BLOCK_COST = 2_048;

/** Maximum length of a highlighted line of code, in UTF-16 units. */
export const MAX_CODE_LINE_LENGTH = 2_000;

/** Maximum depth of nested containers; deeper content is shown as text. */
export const MAX_NESTING = 40;

/**
 * Returns the end of the Markdown: the whole length, or the start of the line that crosses the
 * limit. Text after the limit has no influence, so a streamed message is cut at the same line.
 */
export function markdownLength(text: string): number {
  if (text.length <= MAX_MARKDOWN_LENGTH) return text.length;
  return text.lastIndexOf("\n", MAX_MARKDOWN_LENGTH - 1) + 1;
}

/**
 * Normalizes line ends to "\n" and U+0000 to U+FFFD (CommonMark 0.31, section 2); removes the colors of
 * terminals.
 */
export function normalizeText(text: string): string {
  const plain = text.includes("\u001b") ? text.replace(ANSI_SEQUENCES, "") : text;
  return plain.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}
