/**
 * Line breaks in table cells, and a bound on tables: markdown-it stops one after 65,536 cells it had to fill in itself, counted in the
 * text it was given. A renderer that gives it only the newest rows needs a bound that does not depend
 * on what was left out: here every table ends after so many cells, filled in or not.
 */
import type { MarkdownIt, StateInline } from "markdown-it";

/** Cells of one table below its head; below markdown-it's own bound of cells filled in. */
const MAX_CELLS = 65_536;

/** Tells the parser that rows of the table that starts at `line` (0-based) were left out. */
export interface TableEnvironment {
  readonly leftOut?: { readonly line: number; readonly rows: number };
}

/** Ends tables after `MAX_CELLS` cells, rows left out included. */
export function limitTableRows(md: MarkdownIt): void {
  // The table rule is the first of the default preset, and markdown-it gives no other way to it.
  const table = md.block.ruler.getRules("")[0];
  if (table === undefined) return;
  md.block.ruler.at(
    "table",
    (state, start, end, silent) => {
      if (silent || start + 2 > end) return table(state, start, end, silent);
      const from = (state.bMarks[start + 1] ?? 0) + (state.tShift[start + 1] ?? 0);
      const columns = state.src.slice(from, state.eMarks[start + 1]).split("|").length;
      const { leftOut } = state.env as TableEnvironment;
      const rows = Math.floor(MAX_CELLS / columns) - (leftOut?.line === start ? leftOut.rows : 0);
      return table(state, start, Math.min(end, start + 2 + Math.max(0, rows)), silent);
    },
    { alt: ["paragraph", "reference"] },
  );
}

/** Tells the inline parser that a text is that of a table cell. */
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

/** Reads "<br>" in a table cell as a line break: Markdown has no other way to write one there. */
export function cellBreaks(md: MarkdownIt): void {
  md.inline.ruler.before("autolink", "cell_break", cellBreak);
}
