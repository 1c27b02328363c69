/**
 * Indents a code block for the position or the selection where the block is inserted.
 */
import { IndentMatcher, type IndentStyle } from "./indentation";
import { withoutBlankEnds, withoutIndent } from "./lines";

export interface InsertionContext {
  /** Text of the first line before the position. */
  readonly before: string;
  /**
   * Text of the last line after the position; undefined where whole lines with line ends are
   * replaced.
   */
  readonly after: string | undefined;
  /** True if a selection is replaced: the surrounding text continues on the same lines. */
  readonly isReplacing: boolean;
  readonly lineIndent: string;
  readonly style: Omit<IndentStyle, "base">;
}

/** Text to write, and a flag for also replacing the blanks before the position. */
export interface Insertion {
  readonly text: string;
  readonly isFromLineStart: boolean;
}

/** End of a line that the inserted code continues: an operator, an open bracket or a blank. */
const GOES_ON = /(?:[=([,+\-*/%&|?<>.!~^]|\s|\b(?:return|await|throw|yield|in|of|new))$/;

/** End of a line that completes a statement or opens a block. */
const IS_OVER = /[;{}]$/;

export function insertionOf(code: string, context: InsertionContext): Insertion {
  const { before, after, isReplacing, lineIndent, style } = context;
  const lines = withoutBlankEnds(code.split(/\r\n|\r|\n/));
  const ending = after === undefined ? "\n" : "";
  const unit = style.usesTabs ? "\t" : " ".repeat(style.size);
  const block = matched(lines, { ...style, base: lineIndent });
  if (before.trim() === "") {
    const isBeforeText = !isReplacing && after !== undefined && after.trim() !== "";
    if (!isBeforeText) return { text: block + ending, isFromLineStart: true };
    const [only = ""] = lines;
    const isExpression = lines.length === 1 && !IS_OVER.test(only);
    if (isExpression) return { text: withoutIndent(only), isFromLineStart: false };
    // A block before other text on the line: that text continues below the block.
    const outer = lineIndent.slice(
      0,
      lineIndent.length - (after.length - withoutIndent(after).length),
    );
    return { text: `${block}\n${outer}`, isFromLineStart: true };
  }
  const isAtEnd = !isReplacing && (after ?? "").trim() === "";
  const isBlock = lines.length > 1 ? !GOES_ON.test(before) : IS_OVER.test(before);
  if (isAtEnd && isBlock) {
    const opens = /[{([:]$/.test(before);
    const base = opens ? lineIndent + unit : lineIndent;
    return { text: `\n${matched(lines, { ...style, base })}${ending}`, isFromLineStart: false };
  }
  return { text: block.replace(/^[ \t\n]+/, "") + ending, isFromLineStart: false };
}

function matched(lines: readonly string[], style: IndentStyle): string {
  const matcher = new IndentMatcher(style);
  return lines.map((line) => matcher.match(line)).join("\n");
}
