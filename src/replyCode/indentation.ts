/**
 * Adapts the lines of a reply to the indentation at their target. Tabs, spaces and the width of a
 * level follow the document.
 */
import { CONTINUES, OPENER } from "./flaws";
import { depthOf, lettersIn } from "./likeness";
import { indentOf, isBlank, lineAt, withoutIndent } from "./lines";

export interface IndentStyle {
  /** Leading blanks of the target's first non-blank line; for new lines, those that they need. */
  readonly base: string | ((lines: readonly string[]) => string);
  readonly usesTabs: boolean;
  /** Columns of a tab, or spaces of an indentation level. */
  readonly size: number;
  /** Spaces of a level according to the document's lines; undefined if they do not show a level. */
  readonly unit?: number | undefined;
  /** Lines to replace; empty where new lines are generated. */
  readonly target?: readonly string[];
}

/** Start of a here-document, of PowerShell's or of Lua's long string, whose end is at the margin. */
const HERE_DOCUMENT = /<<(['"]?)([A-Za-z_]\w{0,40})\1(?!\w)|@(["'])$|\[(\[)$/;

/** Line of C's preprocessor. */
const DIRECTIVE = /^#[a-z]/;

/**
 * Returns all lines of a reply at the target's indentation: moved like the first line, or only the
 * first line moved. The latter needs lines below that are at least as deep as the target, and more
 * lines of the document, or a line below an opening first line that is one level deeper.
 */
export function placed(lines: readonly string[], style: IndentStyle): readonly string[] {
  const base = typeof style.base === "string" ? style.base : style.base(lines);
  const matcher = new IndentMatcher({ ...style, base }, lines);
  const matched = lines.map((line) => matcher.match(line));
  const moved = withMargin(matched, lines, { ...style, base });
  const first = lines.findIndex((line) => !isBlank(line));
  if (base === "" || /^[ \t]/.test(lineAt(lines, first))) return moved;
  const unmoved = lines.map((line, at) => (at === first ? base + line : line));
  const targetLines = new Set(style.target?.filter((line) => /^[ \t]+[^ \t]/.test(line)));
  const countIn = (some: readonly string[]) => some.filter((line) => targetLines.has(line)).length;
  const isMoved = (line: string, at: number) => /^[ \t]/.test(line) || line !== moved[at];
  const below = lines.filter((line, at) => at > first && isMoved(line, at));
  const step = indentOf(below).length - base.length;
  const isOpen = OPENER.test(lineAt(lines, first));
  if (depthOf(below) < base.length || (isOpen && step === 0)) return moved;
  const level = style.usesTabs ? 1 : (unitOf(below) ?? style.unit);
  const more = countIn(unmoved) - countIn(moved);
  return more > 0 || (more === 0 && isOpen && step === level) ? unmoved : moved;
}

/**
 * Returns moved lines of a reply with those unmoved that belong to text at the margin of an indented
 * target: the lines of a here-document or of a string, `#ifdef`.
 */
function withMargin(
  moved: readonly string[],
  lines: readonly string[],
  { target = [], base }: IndentStyle & { readonly base: string },
): readonly string[] {
  const filled = target.filter((line) => !isBlank(line));
  const depths = new Map(filled.map((line) => [line.trim(), indentOf([line]).length]));
  let isInText = false;
  /** End mark of the here-document that is open. */
  let mark: string | undefined;
  const isEnd = (line: string) =>
    mark !== undefined && line.startsWith(mark) && !/^\w/.test(line.slice(mark.length));
  return moved.map((line, at) => {
    const text = lineAt(lines, at);
    if (base === "" || isBlank(line)) return line;
    if (mark !== undefined) {
      if (isEnd(text)) mark = undefined;
      return text;
    }
    const [, , word, quote, bracket] = HERE_DOCUMENT.exec(text.trimEnd()) ?? [];
    mark = word ?? (quote && `${quote}@`) ?? (bracket && "]]");
    if (!lines.slice(at).some(isEnd)) mark = undefined;
    const depth = depths.get(text.trim());
    const below = isInText ? lines.slice(at).find((one) => depths.has(one.trim())) : undefined;
    const isBetween =
      below !== undefined &&
      (depths.get(below.trim()) ?? 0) < base.length &&
      DIRECTIVE.test(text) === DIRECTIVE.test(below);
    const isText = depth === 0 || isBetween;
    const hasOpenString = (text.match(/`|"""|'''/g) ?? []).length % 2 === 1;
    isInText = hasOpenString ? !isInText : isText;
    return isText ? text : line;
  });
}

/** Moves the lines of a single reply, in order, by the same distance as the first line. */
export class IndentMatcher {
  private firstIndent: string | undefined;
  private base = "";
  /** Spaces of a level in the reply, learned from all its lines or from the first deeper line. */
  private replyUnit: number | undefined;
  private above = "";
  private isLikeDocument: boolean | undefined;

  /** @param whole all lines of the reply, if they are there already */
  constructor(
    private readonly style: IndentStyle,
    private readonly whole: readonly string[] = [],
  ) {
    this.replyUnit = unitOf(whole);
  }

  /** Returns the line with the document's indentation. A blank line may be part of a string. */
  match(line: string): string {
    if (isBlank(line)) return line;
    const indent = indentOf([line]);
    const text = withoutIndent(line);
    const { size } = this.style;
    const { above } = this;
    this.above = line;
    if (this.firstIndent === undefined) {
      const { base: own, target = [] } = this.style;
      this.base = typeof own === "string" ? own : own([line]);
      // Lines at the depth of lines inside the target stay there.
      const isInside = target.some((one) => !isBlank(one) && indentOf([one]) === indent);
      if (isInside && indent.length > depthOf(target)) this.base = indent;
      this.firstIndent = indent;
      return this.base + text;
    }
    const { base } = this;
    if (!indent.startsWith(this.firstIndent)) {
      // A line above the first line's level: subtract the difference from the base.
      const missing = columns(this.firstIndent, size) - columns(indent, size);
      return shortened(base, Math.max(0, missing), size) + text;
    }
    if (this.whole.length === 0 && OPENER.test(above)) this.replyUnit ??= stepBetween(above, line);
    return base + this.inStyle(indent.slice(this.firstIndent.length)) + text;
  }

  /** Returns true for a reply that begins at the target's depth, or whose lines the target has as they are. */
  private hasDocumentLevels(): boolean {
    const { base, firstIndent = "", whole } = this;
    const { target } = this.style;
    if (target === undefined || (base !== "" && firstIndent === base)) return target !== undefined;
    // The last row of a list may get a comma.
    const textOf = (line: string) => line.trim().replace(/[,;]$/, "");
    const indents = new Map(target.map((line) => [textOf(line), indentOf([line])]));
    const common = whole.filter(
      (line) =>
        indentOf([line]) !== firstIndent && lettersIn(line) > 0 && indents.has(textOf(line)),
    );
    const isAsBefore = (line: string) =>
      indents.get(textOf(line)) === base + indentOf([line]).slice(firstIndent.length);
    return common.length > 0 && common.every(isAsBefore);
  }

  /** Returns the indentation beyond the first line's, in the document's style. */
  private inStyle(extra: string): string {
    const { usesTabs, size, unit } = this.style;
    if (!usesTabs && extra.includes("\t")) return extra.replaceAll("\t", " ".repeat(size));
    if (!/^ +$/.test(extra) || (!usesTabs && (this.isLikeDocument ??= this.hasDocumentLevels())))
      return extra;
    const replyUnit = this.replyUnit ?? (usesTabs ? extra.length : 0);
    if (replyUnit < 2 || (!usesTabs && (unit === undefined || unit === replyUnit))) return extra;
    const level = usesTabs ? "\t" : " ".repeat(unit ?? 0);
    const levels = Math.floor(extra.length / replyUnit);
    return level.repeat(levels) + " ".repeat(extra.length % replyUnit);
  }
}

/**
 * Returns the spaces of a level: the most frequent depth of a line below its opener, or the only depth
 * by which several lines are deeper than the line above. Undefined if the lines do not show a level.
 */
export function unitOf(lines: readonly string[]): number | undefined {
  const filled = lines.filter((one) => !isBlank(one));
  if (filled.some((line) => indentOf([line]).includes("\t"))) return undefined;
  const counts = new Map<number, number>();
  const otherSteps = new Set<number>();
  for (const [at, line] of filled.entries()) {
    const [above, below] = [filled[at - 1], filled[at + 1]];
    const step = above === undefined ? undefined : stepBetween(above, line);
    if (above === undefined || step === undefined) continue;
    // Parameters that end within a line continue the line above, as Java's with eight spaces do.
    const isAtEnd = (one: string) => indentOf([one]).length <= indentOf([above]).length;
    const end = above.endsWith("(") ? (filled.slice(at).find(isAtEnd) ?? "") : ")";
    if (!/^\s*\)/.test(end)) continue;
    if (OPENER.test(above)) counts.set(step, (counts.get(step) ?? 0) + 1);
    // A line that continues the one above, as a single one may do, has no level of its own.
    else if (!CONTINUES.test(line) && below && indentOf([below]).length >= indentOf([line]).length)
      otherSteps.add(step);
  }
  if (counts.size === 0) return otherSteps.size === 1 ? [...otherSteps][0] : undefined;
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].filter(([, count]) => count === most).map(([step]) => step));
}

function stepBetween(above: string, line: string): number | undefined {
  const step = indentOf([line]).length - indentOf([above]).length;
  return step >= 2 && step <= 8 ? step : undefined;
}

/**
 * Returns the line with its leading blanks changed: `from` in the surrounding lines becomes `to`.
 */
export function movedLine(line: string, from: string, to: string): string {
  if (from === to || isBlank(line)) return line;
  if (line.startsWith(from)) return to + inKindOf(line.slice(from.length), from, to);
  const missing = columns(from, 4) - columns(indentOf([line]), 4);
  return shortened(to, Math.max(0, missing), 4) + withoutIndent(line);
}

/** Returns a line with its leading blanks as tabs or as spaces, as `from` became `to`. */
function inKindOf(line: string, from: string, to: string): string {
  const kindOf = (indent: string) => /^(?:\t+$| +$)/.exec(indent)?.[0].charAt(0);
  const oldKind = kindOf(from);
  const kind = kindOf(to);
  if (oldKind === undefined || kind === undefined || oldKind === kind) return line;
  let count = 0;
  while (line[count] === oldKind) count += 1;
  return kind.repeat((count * to.length) / from.length) + line.slice(count);
}

function columns(indent: string, tabSize: number): number {
  let count = 0;
  for (const sign of indent) count += sign === "\t" ? tabSize : 1;
  return count;
}

function shortened(indent: string, byColumns: number, tabSize: number): string {
  let shorter = indent;
  let left = byColumns;
  while (left > 0 && shorter !== "") {
    left -= shorter.endsWith("\t") ? tabSize : 1;
    shorter = shorter.slice(0, -1);
  }
  return shorter;
}
