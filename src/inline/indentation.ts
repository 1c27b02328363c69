/**
 * Adapts the lines of a reply to the indentation at their target. The whole block moves by the same
 * distance as its first line, and tabs or spaces follow the document. Works line by line, so that a
 * streamed reply can be adapted too.
 */

import { OpenLiterals } from "./openLiterals";

/** Indentation of the document at the target. */
export interface IndentStyle {
  /** Leading blanks of the target's first non-blank line. */
  readonly base: string;
  readonly usesTabs: boolean;
  /** Columns of a tab, or spaces of an indentation level. */
  readonly size: number;
  /**
   * Spaces of a level according to the document's lines; undefined where they do not show a level.
   */
  readonly unit?: number | undefined;
  /** Lines to replace; empty where new lines are generated. */
  readonly target?: readonly string[];
  readonly languageId?: string;
}

/** Adapts the lines of a single reply, in order. */
export class IndentMatcher {
  private firstIndent: string | undefined;
  /** Spaces of a level in the reply, learned from all its lines or from the first deeper line. */
  private replyUnit: number | undefined;
  /** True when only the first line lost its indentation. */
  private isFirstLost: boolean | undefined;
  private readonly literals: OpenLiterals;
  private readonly ownLines: ReadonlySet<string>;

  /** @param whole all lines of the reply, if available: no guess is needed then */
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

  /**
   * Returns the line with adapted indentation. Blank lines become empty, except inside multi-line
   * strings.
   */
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
    // A line above the first line's level: subtract the difference from the target's indentation.
    const missing = columns(this.firstIndent, this.style.size) - columns(indent, this.style.size);
    return shortened(base, Math.max(0, missing), this.style.size) + text;
  }

  /**
   * Returns true when only the first line lost its indentation. Of the two readings, the one with
   * fewer flaws counts, else with more lines of the document, else with a step of one level.
   */
  private hasLostFirst(first: string, rest: readonly string[]): boolean {
    const { base, unit } = this.style;
    if (base === "" || /^\s/.test(first)) return false;
    const moved = rest.map((line) => base + line);
    const flaws = (lines: readonly string[]) => indentationFlaws([base + first, ...lines]);
    const known = (lines: readonly string[]) =>
      lines.filter((line) => this.ownLines.has(line)).length;
    const level = unit ?? unitOf(rest);
    const steps = ([next = ""]: readonly string[]) =>
      indentOf([next]).length - base.length === level;
    const better =
      flaws(moved) - flaws(rest) ||
      known(rest) - known(moved) ||
      Number(steps(rest)) - Number(steps(moved));
    return better > 0;
  }

  /** Returns the indentation beyond the first line's, in the document's style. */
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

/** End of a line below which lines are deeper. */
export const OPENER = /[{([:]\s*$/;

/**
 * Returns the number of lines whose depth cannot be right: not deeper than the opener on the line
 * above, or a closer at another depth than the line of its opener.
 */
export function indentationFlaws(lines: readonly string[]): number {
  let flaws = 0;
  let above: string | undefined;
  const open: number[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const depth = indentOf([line]).length;
    const isCloser = /^\s*[})\]]/.test(line);
    // A list of YAML may be as deep as its key.
    const isItem = /^\s*- /.test(line) && above?.trimEnd().endsWith(":");
    if (above !== undefined && OPENER.test(above) && !isCloser) {
      const other = indentOf([above]).length;
      if (isItem ? depth < other : depth <= other) flaws++;
    }
    // A search for the end of a string from each escaped quotation mark takes quadratic time.
    const signs = line
      .replaceAll(/(?<!\\)"(?:[^"\\]|\\.)*"|(?<!\\)'(?:[^'\\]|\\.)*'|`[^`]*`/g, "")
      .match(/[{}()[\]]/g);
    for (const [index, sign] of (signs ?? []).entries()) {
      if ("{([".includes(sign)) open.push(depth);
      else if (open.pop() !== depth && index === 0 && isCloser) flaws++;
    }
    above = line;
  }
  return flaws;
}

/** Returns the most frequent indentation step, in spaces; undefined without any step. */
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

/** Returns the leading blanks of the first non-blank line; empty when all lines are blank. */
export function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? lines[0] ?? "";
  return /^[ \t]*/.exec(first)?.[0] ?? "";
}

/**
 * Returns the line with its leading blanks changed: `from` in the surrounding lines becomes `to`.
 */
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
