/**
 * Gives the lines of a reply the indentation of the place they go to: the whole block moves as far
 * as its first line has to, and tabs or spaces follow the document. Line by line, so that it works
 * while the reply comes.
 */

import { OpenLiterals } from "./lineKind";

/** How the document indents. */
export interface IndentStyle {
  /** Leading blanks of the place's first line that is not blank. */
  readonly base: string;
  readonly usesTabs: boolean;
  /** Columns of one tab, or spaces of one level. */
  readonly size: number;
  /** Spaces of one level as the document's lines have it; undefined where they do not show it. */
  readonly unit?: number | undefined;
  /** The lines that are replaced; empty where new ones are written. */
  readonly target?: readonly string[];
  readonly languageId?: string;
}

/** Matches the lines of one reply, in order. */
export class IndentMatcher {
  private firstIndent: string | undefined;
  /** Spaces of one level in the reply, learnt from all its lines or from its first deeper one. */
  private replyUnit: number | undefined;
  /** True when the first line lost its indentation and the others have theirs. */
  private isFirstLost: boolean | undefined;
  private readonly literals: OpenLiterals;
  private readonly ownLines: ReadonlySet<string>;

  /** @param whole all lines of the reply, when they are there: nothing has to be guessed then */
  constructor(
    private readonly style: IndentStyle,
    whole?: readonly string[],
  ) {
    this.literals = new OpenLiterals(style.languageId ?? "");
    this.ownLines = new Set((style.target ?? []).filter((line) => /^\s+\S/.test(line)));
    if (whole !== undefined) {
      this.replyUnit = unitOf(whole);
      const [first, ...rest] = whole.filter((line) => line.trim() !== "");
      this.isFirstLost = first !== undefined && this.hasLostFirst(first, rest);
      const isAsInDocument = rest.some((line) => this.ownLines.has(line));
      if (isAsInDocument && this.style.unit !== undefined) this.replyUnit = this.style.unit;
    }
  }

  /** The same line, moved; a blank one comes back empty, but for strings of several lines. */
  match(line: string): string {
    const text = line.trimStart();
    const isInString = this.literals.isInString;
    this.literals.follow(line);
    if (text === "") return isInString ? line : "";
    const indent = line.slice(0, line.length - text.length);
    const { base } = this.style;
    if (this.firstIndent === undefined) {
      this.firstIndent = indent;
      return base + text;
    }
    this.isFirstLost ??=
      this.firstIndent === "" && this.ownLines.has(line) && !this.ownLines.has(base + line);
    if (this.isFirstLost) return line;
    if (indent.startsWith(this.firstIndent)) {
      return base + this.inStyle(indent.slice(this.firstIndent.length)) + text;
    }
    // Less deep than the first line: take the difference off the place's own indentation.
    const missing = columns(this.firstIndent, this.style.size) - columns(indent, this.style.size);
    return shortened(base, Math.max(0, missing), this.style.size) + text;
  }

  /** The first line stands at the margin, and the others where the document has them. */
  private hasLostFirst(first: string, rest: readonly string[]): boolean {
    const { base, unit } = this.style;
    if (base === "" || /^\s/.test(first) || rest.length === 0) return false;
    const asTheyAre = rest.filter((line) => this.ownLines.has(line)).length;
    const moved = rest.filter((line) => this.ownLines.has(base + line)).length;
    if (asTheyAre !== moved) return asTheyAre > moved;
    if (!rest.every((line) => line.startsWith(base))) return false;
    const depths = rest.map((line) => indentOf([line]).length - base.length);
    const least = Math.min(...depths);
    if (least === 0) return /[{([:>]\s*$/.test(first) && depths.some((depth) => depth > 0);
    // Nothing is back at the first line's depth: twice a level is no level.
    return /:\s*$/.test(first) && unit === least && base.length + least > 4;
  }

  /** Indentation beyond the first line's, written as the document writes it. */
  private inStyle(extra: string): string {
    const { usesTabs, size, unit } = this.style;
    if (!usesTabs && /\t/.test(extra)) return extra.replaceAll("\t", " ".repeat(size));
    if (extra === "" || !/^ +$/.test(extra)) return extra;
    const level = usesTabs ? "\t" : unit === undefined ? undefined : " ".repeat(unit);
    if (level === undefined) return extra;
    this.replyUnit ??= extra.length > 8 ? size : extra.length;
    if (!usesTabs && (this.replyUnit === unit || this.replyUnit < 2)) return extra;
    const levels = Math.floor(extra.length / this.replyUnit);
    return level.repeat(levels) + " ".repeat(extra.length % this.replyUnit);
  }
}

/** Returns the spaces of one level: the step that lines are indented by most; undefined for none. */
export function unitOf(lines: readonly string[]): number | undefined {
  const counts = new Map<number, number>();
  let before: number | undefined;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indent = indentOf([line]);
    if (indent.includes("\t")) return undefined;
    const step = indent.length - (before ?? indent.length);
    if (step >= 2 && step <= 8) counts.set(step, (counts.get(step) ?? 0) + 1);
    before = indent.length;
  }
  const most = Math.max(0, ...counts.values());
  const steps = [...counts].filter(([, count]) => count === most).map(([step]) => step);
  return most === 0 ? undefined : Math.min(...steps);
}

/** Leading blanks of the first line that is not blank; empty when all are. */
export function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? lines[0] ?? "";
  return /^[ \t]*/.exec(first)?.[0] ?? "";
}

/** Returns the line with other leading blanks: `to` where the lines around it have `from`. */
export function movedLine(line: string, from: string, to: string): string {
  if (from === to || line.trim() === "") return line;
  if (line.startsWith(from)) return to + line.slice(from.length);
  const missing = columns(from, 4) - columns(indentOf([line]), 4);
  return shortened(to, Math.max(0, missing), 4) + line.trimStart();
}

function columns(indent: string, tabSize: number): number {
  let count = 0;
  for (const sign of indent) count += sign === "\t" ? tabSize : 1;
  return count;
}

function shortened(indent: string, byColumns: number, tabSize: number): string {
  let rest = indent;
  let left = byColumns;
  while (left > 0 && rest !== "") {
    left -= rest.endsWith("\t") ? tabSize : 1;
    rest = rest.slice(0, -1);
  }
  return rest;
}
