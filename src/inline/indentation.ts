/**
 * Gives the lines of a reply the indentation of the place they go to: the whole block moves as far
 * as its first line has to, and tabs or spaces follow the document. Line by line, so that it works
 * while the reply comes.
 */

/** How the document indents. */
export interface IndentStyle {
  /** Leading blanks of the place's first line that is not blank. */
  readonly base: string;
  readonly usesTabs: boolean;
  /** Columns of one tab, or spaces of one level. */
  readonly size: number;
}

/** Matches the lines of one reply, in order. */
export class IndentMatcher {
  private firstIndent: string | undefined;
  /** Spaces of one level in the reply, learnt from its first deeper line. */
  private replyUnit: number | undefined;

  constructor(private readonly style: IndentStyle) {}

  /** The same line, moved; a blank one comes back empty. */
  match(line: string): string {
    const text = line.trimStart();
    if (text === "") return "";
    const indent = line.slice(0, line.length - text.length);
    this.firstIndent ??= indent;
    const { base } = this.style;
    if (indent.startsWith(this.firstIndent)) {
      return base + this.inStyle(indent.slice(this.firstIndent.length)) + text;
    }
    // Less deep than the first line: take the difference off the place's own indentation.
    const missing = columns(this.firstIndent, this.style.size) - columns(indent, this.style.size);
    return shortened(base, Math.max(0, missing), this.style.size) + text;
  }

  /** Indentation beyond the first line's, written as the document writes it. */
  private inStyle(extra: string): string {
    const { usesTabs, size } = this.style;
    if (!usesTabs) return extra.replaceAll("\t", " ".repeat(size));
    if (extra === "" || !/^ +$/.test(extra)) return extra;
    this.replyUnit ??= extra.length > 8 ? size : extra.length;
    const levels = Math.floor(extra.length / this.replyUnit);
    return "\t".repeat(levels) + " ".repeat(extra.length % this.replyUnit);
  }
}

/** Leading blanks of the first line that is not blank; empty when all are. */
export function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? lines[0] ?? "";
  return /^[ \t]*/.exec(first)?.[0] ?? "";
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
