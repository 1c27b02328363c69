/**
 * Which lines of the open part are shown while a reply arrives: a last line that could still turn out
 * to be several things (a list marker, an underline, the head of a table) is held back until it is
 * clear, so that nothing flips from one form to another.
 */
import type { Block } from "../markdown/blockTree";

/** Where a line stands: blanks and the marks of quotes. */
const INDENT = /^[\s>]+/;

/** After that, marks alone: they may become a list, a heading, a rule, a fence, emphasis … */
const ONLY_MARKS = /^(?:[-+*_=#>]+|\d{1,9}[.)]?|`\S*|~\S*|\[|\$\$?|\\\[?)?[ \t]*$/;

/** A task's box that is not whole, and what comes before it. */
const TASK_BOX = /^(?:[-+*]|\d{1,9}[.)])[ \t]+\[(?:[ xX]?\]?)?[ \t]*$/;

/** A fence's closing marks that are not all there. */
const FENCE_MARKS = /^[\s>]*(?:`+|~+)[ \t]*$/;

/** A link definition is not shown once whole; a footnote's may still be a reference at the start of a line. */
const DEFINITION = /^[\s>]*\[(?:[^\]^][^\]]*\]:|\^[^\]]*\]?$)/;

const TABLE_ROW = /^[\s>]*\|/;
const TABLE_DELIMITER = /^[\s>]*[|:-][\s|:-]*$/;

/** The lines to show: `complete` ones, and `partial` (the last, unended one) if it is clear enough. */
export function shownLines(
  complete: readonly string[],
  partial: string,
  openLeaf: Block["kind"] | undefined,
): string[] {
  if (openLeaf === "code") {
    return FENCE_MARKS.test(partial) ? [...complete, ""] : [...complete, partial];
  }
  if (openLeaf === "paragraph") {
    const last = complete.at(-1) ?? "";
    const mayBeHead = TABLE_ROW.test(last) && !TABLE_DELIMITER.test(last);
    if (mayBeHead && (partial.trim() === "" || TABLE_DELIMITER.test(partial))) {
      return [...complete.slice(0, -1), ""];
    }
  }
  const isHeldBack =
    ONLY_MARKS.test(partial.replace(INDENT, "")) ||
    TASK_BOX.test(partial.replace(INDENT, "")) ||
    DEFINITION.test(partial) ||
    (openLeaf !== "table" && TABLE_ROW.test(partial));
  return isHeldBack ? [...complete, ""] : [...complete, partial];
}
