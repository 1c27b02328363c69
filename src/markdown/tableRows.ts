/**
 * Tables: GitHub's, and those that models write with small faults, see README.md in this folder. Also line
 * breaks in cells. A line decides about the lines before it only as far as src/renderer/draftLines.ts hides them.
 */
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import type { TableContent } from "./blockTree";

/**
 * Maximum number of cells below the head. A renderer that omits finished rows needs a limit that includes
 * them: a table ends after a fixed number of lines.
 */
const MAX_CELLS = 65_536;

/**
 * Maximum number of columns. The rows of a wider table are shown as text: one row of 1,000 cells takes 20 ms of
 * layout, and no panel can show it.
 */
const MAX_COLUMNS = 200;

/** Environment of the block rules. */
export interface BlockEnvironment {
  /** Number of lines omitted from the table that starts at `line` (0-based). */
  readonly omitted?: { readonly line: number; readonly lines: number };
  /** True if more text may follow. A last line without a line end is then incomplete. */
  readonly isOpen?: boolean;
}

/** Line of dashes below the head. Models also write full-width bars and long dashes. */
const DELIMITERS = /^(?:[|｜:]|-(?!\s))[|｜:\s—–─-]+$/;

/** Dashes or bars that GitHub does not read. */
const UNUSUAL = /[｜—–─]/;

type Alignment = TableContent["alignments"][number];

function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]).trim();
}

/** Returns the text between the outer bars. */
function withoutOuterBars(row: string): string {
  return row.replace(/^[|｜]/, "").replace(/(?<!\\)[|｜]$/, "");
}

function alignmentsOf(line: string): Alignment[] | undefined {
  if (!DELIMITERS.test(line)) return undefined;
  const alignments: Alignment[] = [];
  for (const cell of withoutOuterBars(line).split(/[|｜]/)) {
    const marks = /^\s*(:?)[—–─-]+(:?)\s*$/.exec(cell);
    if (marks === null) return undefined;
    alignments.push(
      marks[1] === "" ? (marks[2] === "" ? "" : "right") : marks[2] === "" ? "left" : "center",
    );
  }
  return alignments;
}

/** Divides a row at all bars but escaped ones. */
function cellsOf(row: string, bar: string): string[] {
  const cells = withoutOuterBars(row).split(bar === "|" ? /(?<!\\)\|/ : /(?<!\\)[|｜]/);
  return cells.map(cellText);
}

function cellText(source: string): string {
  return source.replaceAll("\\|", "|").trim();
}

/**
 * Divides a row at the bars outside of code and formulas.
 *
 * @param isOpen true if the end of the row is missing: code that is not closed then reaches to the end
 */
function cellsOutsideCode(md: MarkdownIt, source: string, bar: string, isOpen: boolean): string[] {
  const row = withoutOuterBars(source);
  const inline = new md.inline.State(row, md, {}, []);
  const cells: string[] = [];
  let from = 0;
  while (inline.pos < inline.posMax) {
    const start = inline.pos;
    const sign = row.charAt(start);
    if (/[`$\\]/.test(sign)) {
      md.inline.skipToken(inline);
      const isUnclosed = isOpen && sign === "`" && /^`+$/.test(row.slice(start, inline.pos));
      if (isUnclosed) break;
      continue;
    }
    inline.pos++;
    if (sign !== "|" && sign !== bar) continue;
    cells.push(row.slice(from, start));
    from = inline.pos;
  }
  cells.push(row.slice(from));
  return cells.map(cellText);
}

/** Shows cells that the head does not have in the last one. */
function withoutSurplus(cells: readonly string[], columns: number): string[] {
  const surplus = cells.slice(columns).filter((cell) => cell !== "");
  const inColumns = cells.slice(0, columns);
  const last = inColumns.pop() ?? "";
  return [...inColumns, [last, ...surplus].join(" | ")];
}

function table(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const { md, blkIndent } = state;
  if (start + 2 > end) return false;
  const delimiters = textOf(state, start + 1);
  const alignments = delimiters.length < 2 ? undefined : alignmentsOf(delimiters);
  if (alignments === undefined) return false;
  const indents = [state.sCount[start] ?? 0, state.sCount[start + 1] ?? 0];
  // Below the text of a list item, a table without indentation ends the item.
  const minIndent = silent && (indents[0] ?? 0) < blkIndent ? 0 : blkIndent;
  if (indents.some((indent) => indent < minIndent || indent - minIndent >= 4)) return false;
  const headLine = textOf(state, start);
  const bar = delimiters.includes("｜") ? "｜" : "|";
  if (!headLine.includes("|") && !headLine.includes(bar)) return false;
  let head = cellsOf(headLine, bar);
  if (head.length !== alignments.length) head = cellsOutsideCode(md, headLine, bar, false);
  // With bars in front, the head decides.
  const isClear = /^[|｜]/.test(headLine) && /^[|｜]/.test(delimiters);
  const isUnusual = UNUSUAL.test(delimiters) || head.length !== alignments.length;
  if (isUnusual && !(isClear && Math.min(head.length, alignments.length) > 1)) return false;
  const columns = head.length;
  if (columns > MAX_COLUMNS) return false;
  if (silent) return true;

  const { omitted, isOpen = false } = state.env as BlockEnvironment;
  const lineLimit = Math.floor(MAX_CELLS / columns) - (omitted?.line === start ? omitted.lines : 0);
  const last = Math.min(end, start + 2 + Math.max(0, lineLimit));
  const parentType = state.parentType;
  state.parentType = "table";
  const terminators = md.block.ruler.getRules("blockquote").filter((rule) => rule !== table);
  const isRow = (line: number) => {
    const indent = (state.sCount[line] ?? 0) - blkIndent;
    if (line >= last || state.isEmpty(line) || indent < 0 || indent >= 4) return false;
    return !terminators.some((rule) => rule(state, line, last, true));
  };
  const readRow = (line: number): string[] => {
    const isDraft = isOpen && state.eMarks[line] === state.src.length;
    const source = textOf(state, line);
    const cells = cellsOf(source, bar);
    return cells.length > columns || isDraft ? cellsOutsideCode(md, source, bar, isDraft) : cells;
  };
  const rows = [head];
  const lines = [start];
  let line = start + 2;
  for (; line < last; line++) {
    if (state.isEmpty(line)) {
      // One blank line is part of the table if a row as wide as the head follows, which is no other head.
      const isNext = /^[|｜]/.test(textOf(state, line + 1)) && isRow(line + 1);
      const isHead = line + 2 < end && alignmentsOf(textOf(state, line + 2)) !== undefined;
      if (!isNext || isHead || readRow(line + 1).length !== columns) break;
      line++;
    } else if (!isRow(line)) break;
    rows.push(withoutSurplus(readRow(line), columns));
    lines.push(line);
  }
  state.parentType = parentType;
  const token = state.push("table", "table", 0);
  token.map = [start, line];
  token.meta = {
    alignments: head.map((_, column) => alignments[column] ?? ""),
    rows,
    lines,
  } satisfies TableContent;
  state.line = line;
  return true;
}

export interface CellEnvironment {
  readonly isTableCell?: boolean;
}

function cellBreak(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  if ((state.env as CellEnvironment).isTableCell !== true) return false;
  const tag = /^<br *\/?>/i.exec(state.src.slice(state.pos, state.pos + 12))?.[0];
  if (tag === undefined) return false;
  if (!silent) state.push("hardbreak", "br", 0);
  state.pos += tag.length;
  return true;
}

/** Adds the token `table`, whose `meta` is the content, and "<br>" in a cell as a line break. */
export function tableRows(md: MarkdownIt): void {
  md.block.ruler.at("table", table, { alt: ["paragraph", "reference", "blockquote"] });
  md.inline.ruler.before("autolink", "cell_break", cellBreak);
}
