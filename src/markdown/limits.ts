/**
 * The sizes up to which a message is read as Markdown, and where a longer one is cut.
 * Both sides of the bridge use the same cut, so that they number code blocks alike.
 */

/** UTF-16 units of one message that are read as Markdown; what follows is shown as it is. Source: faults.md B3. */
export const MAX_MARKDOWN_LENGTH = 256 * 1024;

/**
 * Longest text of one paragraph, heading or cell in which marks are looked for, in UTF-16 units; a longer
 * one is shown as it is. Some runs of marks take quadratic time, and no person writes such paragraphs.
 */
export const MAX_TEXT_LENGTH = 16 * 1024;

/** Longest line of a code block that is still highlighted, in UTF-16 units. Source: faults.md B3. */
export const MAX_CODE_LINE_LENGTH = 2_000;

/** Containers inside containers that are shown as such; what lies deeper is shown as text. */
export const MAX_NESTING = 40;

/**
 * Where the Markdown of a message ends: its whole length, or, when it is longer than the limit, the
 * start of the line that crosses the limit. Depends on nothing after the limit, so that a message
 * that is still arriving is cut at the same place as the whole.
 */
export function markdownLength(text: string): number {
  if (text.length <= MAX_MARKDOWN_LENGTH) return text.length;
  return text.lastIndexOf("\n", MAX_MARKDOWN_LENGTH - 1) + 1;
}

/** Line ends as "\n" and U+0000 as U+FFFD, as CommonMark 0.31 section 2 asks. */
export function normaliseText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}
