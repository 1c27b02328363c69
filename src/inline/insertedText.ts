/**
 * Indents a block of code for the position it is inserted at, or for the selection it replaces.
 */
import { IndentMatcher, type IndentStyle } from "./indentation";

/** The text around the insertion. */
export interface InsertionPlace {
  /** Text of the first line before the position. */
  readonly before: string;
  /** Text of the last line behind it; undefined where whole lines with their ends are replaced. */
  readonly after: string | undefined;
  /** True if selected text goes: what stands around it goes on in the same lines. */
  readonly isReplacing: boolean;
  /** Leading blanks of the first line. */
  readonly lineIndent: string;
  readonly style: Omit<IndentStyle, "base">;
}

/** The text to write, and whether it also replaces the blanks before the position. */
export interface Insertion {
  readonly text: string;
  readonly isFromLineStart: boolean;
}

/** A line that goes on with what is inserted: an operator, an open bracket, a blank at its end. */
const GOES_ON = /(?:[=([,+\-*/%&|?<>.!~^]|\s|\b(?:return|await|throw|yield|in|of|new))$/;

/** A line behind which a statement is over or a block begins. */
const IS_OVER = /[;{}]$/;

/** Returns what to write so that the code has the indentation of its new place. */
export function insertionOf(code: string, place: InsertionPlace): Insertion {
  const { before, after, isReplacing, lineIndent, style } = place;
  const lines = withoutBlankEnds(code.split(/\r\n|\r|\n/));
  const ending = after === undefined ? "\n" : "";
  const unit = style.usesTabs ? "\t" : " ".repeat(style.size);
  if (before.trim() === "") {
    const isBeforeText = !isReplacing && after !== undefined && after.trim() !== "";
    const base = isBeforeText ? lineIndent : longer(before, lineIndent);
    if (!isBeforeText) {
      return { text: matched(lines, { ...style, base }) + ending, isFromLineStart: true };
    }
    const [only = ""] = lines;
    if (lines.length === 1 && !IS_OVER.test(only)) return { text: only.trimStart(), isFromLineStart: false };
    // A block before the text of a line: the text goes on below it.
    const rest = lineIndent.slice(0, lineIndent.length - (after.length - after.trimStart().length));
    return { text: `${matched(lines, { ...style, base })}\n${rest}`, isFromLineStart: true };
  }
  const isAtEnd = !isReplacing && (after ?? "").trim() === "";
  const isBlock = lines.length > 1 ? !GOES_ON.test(before) : IS_OVER.test(before);
  if (isAtEnd && isBlock) {
    const opens = /[{([:]$/.test(before);
    const base = opens ? lineIndent + unit : lineIndent;
    return { text: `\n${matched(lines, { ...style, base })}${ending}`, isFromLineStart: false };
  }
  const text = matched(lines, { ...style, base: lineIndent }).trimStart() + ending;
  return { text, isFromLineStart: false };
}

function matched(lines: readonly string[], style: IndentStyle): string {
  const matcher = new IndentMatcher(style);
  return lines.map((line) => matcher.match(line)).join("\n");
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(0, first), last + 1);
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}
