/**
 * Line breaks in table cells, and limits on table cells and columns. markdown-it ends a table after 65,536
 * cells that it filled in, counted in the parsed text. A renderer that omits finished rows needs a
 * limit that includes them: here a table ends after a fixed number of cells.
 */
import type { MarkdownIt, StateInline } from "markdown-it";

/** Maximum number of cells below the head; not above markdown-it's own limit. */
const MAX_CELLS = 65_536;

/**
 * Maximum number of columns. The rows of a wider table are shown as text: one row of 1,000 cells takes 20 ms of
 * layout, and no panel can show it.
 */
const MAX_COLUMNS = 200;

/** Number of rows omitted from the table that starts at `line` (0-based). */
export interface TableEnvironment {
  readonly omitted?: { readonly line: number; readonly rows: number };
}

/** Ends tables after `MAX_CELLS` cells, omitted rows included; allows `MAX_COLUMNS` columns. */
export function limitTableRows(md: MarkdownIt): void {
  // The table rule is the first of the default preset; markdown-it has no lookup by name.
  const table = md.block.ruler.getRules("")[0];
  if (table === undefined) return;
  md.block.ruler.at(
    "table",
    (state, start, end, silent) => {
      if (start + 2 > end) return false;
      const from = (state.bMarks[start + 1] ?? 0) + (state.tShift[start + 1] ?? 0);
      const columns = state.src.slice(from, state.eMarks[start + 1]).split("|").length;
      // A pipe at each end is no column.
      if (columns > MAX_COLUMNS + 2) return false;
      if (silent) return table(state, start, end, true);
      const { omitted: leftOut } = state.env as TableEnvironment;
      const rows = Math.floor(MAX_CELLS / columns) - (leftOut?.line === start ? leftOut.rows : 0);
      return table(state, start, Math.min(end, start + 2 + Math.max(0, rows)), silent);
    },
    { alt: ["paragraph", "reference"] },
  );
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

/** Parses "<br>" in a table cell as a line break. Markdown has no other syntax for one there. */
export function cellBreaks(md: MarkdownIt): void {
  md.inline.ruler.before("autolink", "cell_break", cellBreak);
}
