/**
 * Finds the indentation of new lines at a position between other lines, without knowing the language.
 * What the lines around leave open, the reply's own indentation decides, then the nearest line of the
 * same kind, such as another function.
 */
import { CLOSER, OPENER, unpaired } from "./flaws";
import { STATEMENT } from "./items";
import { indentOf, isBlank, lineAt } from "./lines";
import { commentText } from "./placeholders";

/** Lines around a position, and the position's level. */
export interface NewLinePosition {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly level: string;
  /** True in prose, where a colon opens nothing. */
  readonly isProse: boolean;
}

/** Start of a line that goes on with what the lines above are inside of. */
export const GOES_ON = /^\s*(?:\}\s{0,4})?(?:else|elif|elsif|except|finally|rescue|ensure|catch)\b/;

/** Label of a branch or of a section of members, which may be as deep as the line that opens them. */
const LABEL = /^(?:case\b|default\s*:|(?:public|private|protected)\s*:)/;

/** Line that belongs to the declaration below it: a decorator, an attribute, the end of a comment. */
const BELONGS_BELOW = /^(?:@|#\[|\[.{0,200}\]$|\*\/)/;

/** Upper limit of lines above that are searched for the start of a statement of several lines. */
const MAX_STATEMENT_LINES = 50;

export function indentOfNewLines(lines: readonly string[], position: NewLinePosition): string {
  const { before, after, isProse } = position;
  const first = lines.find((line) => !isBlank(line)) ?? "";
  const possible = possibleIndents(position, LABEL.test(first.trim()));
  const [deepest = "", ...outer] = possible;
  const stated = indentOf([first]);
  if (stated !== "" && possible.includes(stated)) return stated;
  const isComment = (line: string) => !isProse && commentText(line.trim()) !== undefined;
  const head = lines.find(
    (line) => !isBlank(line) && !isComment(line) && !BELONGS_BELOW.test(line.trim()),
  );
  const start = (head ?? first).trim();
  const isStatement = STATEMENT.test(start) && !LABEL.test(start);
  const sibling = [first, head ?? first]
    .filter((line) => !isComment(line) && !isStatement)
    .flatMap((line) => (/^\s*- /.test(line) ? [line, "-"] : line))
    // A static method stands where the other methods do.
    .map((line) => (first.trim() === "@staticmethod" ? "def a(self)" : line))
    .map((line) => siblingOf(line, before, after, possible))
    .find((line) => line !== undefined);
  if (sibling !== undefined) return indentOf([sibling]);
  const isBelowText = !isBlank(before.at(-1) ?? "");
  const isAboveText = !isBlank(after[0] ?? "");
  const isHead = OPENER.test(head ?? first) && !isStatement;
  return isBelowText && !isAboveText && !isHead && !isProse ? deepest : (outer.at(-1) ?? deepest);
}

/** Returns the indentations that a line can have, deepest first: those of the lines that are open. */
function possibleIndents(
  { before, after, level, isProse }: NewLinePosition,
  isLabel: boolean,
): readonly string[] {
  const below = after.find((line) => !isBlank(line));
  const above = before.findLast((line) => !isBlank(line));
  const indentBelow = below === undefined ? "" : indentOf([below]);
  if (above === undefined) return [indentBelow];
  const indentAbove = indentOf([above]);
  if (indentBelow.length > indentAbove.length) return [indentBelow];
  const isInside = below !== undefined && !isLabel && (CLOSER.test(below) || GOES_ON.test(below));
  const isEmptied = isInside && indentBelow === indentAbove && !CLOSER.test(above);
  if ((OPENER.test(above) && !isProse) || isEmptied) {
    const isList = below !== undefined && /^\s*- /.test(below) && indentBelow === indentAbove;
    return [isList && !isBlank(lineAt(after, 0)) ? indentAbove : indentAbove + level];
  }
  const indents: string[] = [];
  const last = statementStart(before);
  for (const line of before.slice(0, last + 1).toReversed()) {
    const indent = indentOf([line]);
    if (isBlank(line) || indent.length >= (indents.at(-1)?.length ?? Infinity)) continue;
    if (isInside ? indent.length <= indentBelow.length : indent.length < indentBelow.length) break;
    indents.push(indent);
  }
  if (!isInside && !indents.includes(indentBelow)) indents.push(indentBelow);
  return indents.length === 0 ? [indentAbove] : indents;
}

/** Returns the index of the first line of the statement that ends in the last line with text. */
function statementStart(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => !isBlank(line));
  for (let at = last; at > Math.max(-1, last - MAX_STATEMENT_LINES); at--) {
    if (unpaired(lines.slice(at, last + 1), false).closers === 0) return at;
  }
  return last;
}

/** Returns the nearest line that begins as another one, at one of the possible indentations. */
function siblingOf(
  head: string,
  before: readonly string[],
  after: readonly string[],
  possible: readonly string[],
): string | undefined {
  const start = startOf(head);
  const isSibling = (line: string) =>
    (startOf(line) === start || (start === "-" && /^\s*- /.test(line))) &&
    !isBlank(line) &&
    possible.includes(indentOf([line]));
  const above = before.findLastIndex(isSibling);
  const below = after.findIndex(isSibling);
  const isNearer = below !== -1 && (above === -1 || below < before.length - above);
  return isNearer ? after[below] : before[above];
}

/**
 * Returns the first word or the first signs of a line, of an item of a list its first word too. Python's
 * methods differ from its functions.
 */
function startOf(line: string): string {
  const text = line.trim().replace(/^(?:async|export|public|private|protected|static)\s+/, "");
  const [start = ""] = /^(?:(?:- )?[\p{L}\p{N}_$]+|[^\p{L}\p{N}\s_$]+)/u.exec(text) ?? [];
  if (LABEL.test(text)) return "case";
  return /^def [^(]{0,200}\((?:self|cls)\b/.test(text) ? "def self" : start;
}
