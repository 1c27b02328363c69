/**
 * Selects the lines that are shown while a reply arrives. A last line that may still become several
 * things (a list marker, an underline, a table head) is hidden until it is unambiguous, so that
 * nothing changes its form on screen.
 */
import type { Block } from "../markdown/blockTree";

/** Indentation and quote markers of a line. */
const INDENT = /^[\s>]+/;

/** Markers alone, after the indentation: may become a list, heading, rule, fence, emphasis … */
const ONLY_MARKS = /^(?:[-+*_=#>][-+*_=#> \t]*|(?:\d{1,9}[.)]?|`\S*|~\S*|\[|\$\$?|\\\[?)?[ \t]*)$/;

/** Incomplete task checkbox with its list marker. */
const TASK_BOX = /^(?:[-+*]|\d{1,9}[.)])[ \t]+\[(?:[ xX]?\]?)?[ \t]*$/;

/** Incomplete closing marks of a fence. */
const FENCE_MARKS = /^[\s>]*(?:`+|~+)[ \t]*$/;

/** Link definition, which is never shown. A label that begins with "^" is text. */
const DEFINITION = /^[\s>]*\[[^\]^][^\]]*\]:/;

/** Incomplete label of a link definition, which begins a block. */
const DEFINED_LABEL = /^[\s>]*\[(?!\^)[^\]]*\]?$/;

const TABLE_ROW = /^[\s>]*[|｜]/;
const TABLE_DELIMITER = /^[\s>]*[|｜:-][\s|｜:—–─-]*$/;

/**
 * Returns the lines to show: all complete ones, and `partial` (the last line, without its end) if
 * it is unambiguous.
 */
export function shownLines(
  complete: readonly string[],
  partial: string,
  openLeaf: Block["kind"] | undefined,
): string[] {
  if (openLeaf === "code") {
    return FENCE_MARKS.test(partial) ? [...complete, ""] : [...complete, partial];
  }
  if (openLeaf === "paragraph" || openLeaf === "table") {
    const last = complete.at(-1) ?? "";
    const isFirst = openLeaf === "paragraph" || /^[\s>]*$/.test(complete.at(-2) ?? "");
    const mayBeHead = isFirst && TABLE_ROW.test(last) && !TABLE_DELIMITER.test(last);
    if (mayBeHead && (partial.trim() === "" || TABLE_DELIMITER.test(partial))) {
      return [...complete.slice(0, -1), quoteOf(last)];
    }
  }
  const isHeldBack =
    ONLY_MARKS.test(partial.replace(INDENT, "")) ||
    TASK_BOX.test(partial.replace(INDENT, "")) ||
    DEFINITION.test(partial) ||
    (openLeaf !== "table" && openLeaf !== "paragraph" && DEFINED_LABEL.test(partial)) ||
    (openLeaf !== "table" && TABLE_ROW.test(partial));
  return isHeldBack ? [...complete, quoteOf(partial)] : [...complete, partial];
}

/** Returns the marks of the quotes that a line is in, which are shown without its text. */
function quoteOf(line: string): string {
  return line.slice(0, (INDENT.exec(line)?.[0] ?? "").lastIndexOf(">") + 1);
}
