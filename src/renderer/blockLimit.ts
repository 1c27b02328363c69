/**
 * Limits what is drawn of one outermost block, such as a table of 100,000 rows: the browser lays out a
 * visible block as a whole. The decision about a part depends only on the text before it, so that it is the
 * same however the text arrives, also when finished parts are no longer in the tree.
 */
import type { Block, ContainerBlock, RootBlock, TableBlock } from "../markdown/blockTree";
import { lastLeaf, type Cut } from "./cut";

/** Part of a block that is not drawn. */
export interface Undrawn {
  readonly lines: number;
  readonly codeBlocks: number;
  readonly tables: number;
}

/** Finished parts of the outermost block that the open part continues. */
export interface DrawnBefore {
  /** Cost of the finished parts; Infinity if the limit was reached. */
  readonly cost: number;
  /** Number of open containers, from the outermost block down, that are drawn. */
  readonly depth: number;
  /** Line of the reply, 0-based, from which nothing is drawn; undefined below the limit. */
  readonly undrawnFrom: number | undefined;
}

export const NOTHING_BEFORE: DrawnBefore = { cost: 0, depth: 0, undrawnFrom: undefined };

/** Finished rows that are not in the tree, of the table that starts at `line`. */
export interface OmittedRows {
  /** 0-based line of the parsed text. */
  readonly line: number;
  /** Number of their lines. */
  readonly lines: number;
  /** Infinity if not all of the rows are drawn. */
  readonly cost: number;
  /** Line of the reply, 0-based, of the first row that is not drawn. */
  readonly undrawnFrom: number | undefined;
}

/** Position of the parsed text in the reply, and what precedes it. */
export interface OpenPart {
  readonly before: DrawnBefore;
  readonly omitted: OmittedRows | undefined;
  /** Line of the reply minus line of the parsed text. */
  readonly removedLines: number;
}

/** Length of text that costs as much layout as a further element, in UTF-16 units. */
const TEXT_LENGTH = 64;

/** Length from which more text costs nothing: such text is plain and laid out in pieces. */
const MAX_COUNTED_LENGTH = 8_192;

/** Cost of a block of code, with its header and buttons; lines that are off screen have no layout. */
const CODE_COST = 16;

const ITEM_COST = 2;

function textCost(text: string): number {
  return 1 + Math.floor(Math.min(text.length, MAX_COUNTED_LENGTH) / TEXT_LENGTH);
}

export function rowCost(row: readonly string[], columns: number): number {
  return row.reduce((sum, cell) => sum + textCost(cell), Math.max(0, columns - row.length));
}

/** Returns the cost of a leaf without the rows of a table, or of a container without its children. */
function ownCost(block: Block): number {
  switch (block.kind) {
    case "code":
      return CODE_COST;
    case "definition":
      return 0;
    case "table":
      return rowCost(block.rows[0] ?? [], block.alignments.length);
    case "paragraph":
    case "text":
    case "heading":
    case "math":
      return textCost(block.content);
    case "item":
      return ITEM_COST;
    default:
      return 1;
  }
}

export class BlockLimit {
  private cost = 0;
  /** Line of the reply from which nothing is drawn. */
  private undrawnFrom: number | undefined;
  private open: OpenPart = { before: NOTHING_BEFORE, omitted: undefined, removedLines: 0 };

  /** @param maxCost limit of one outermost block */
  constructor(private readonly maxCost: number) {}

  /** Returns the tree with what is drawn, and what is left out of its outermost blocks, by their index. */
  limit(
    root: RootBlock,
    open: OpenPart,
  ): { root: RootBlock; undrawn: ReadonlyMap<number, Undrawn> } {
    const undrawn = new Map<number, Undrawn>();
    const children = root.children.map((child, index) => {
      this.start(open, index === 0);
      const drawn = this.draw(child, index === 0 ? open.before.depth : 0) ?? emptyBlock(child);
      if (this.undrawnFrom === undefined) return child;
      undrawn.set(index, {
        lines: lastLine(child) + open.removedLines - this.undrawnFrom,
        codeBlocks: countOf(child, "code") - countOf(drawn, "code"),
        tables: countOf(child, "table") - countOf(drawn, "table"),
      });
      return drawn;
    });
    return undrawn.size === 0 ? { root, undrawn } : { root: { ...root, children }, undrawn };
  }

  /**
   * Returns what is finished of the outermost block that continues after a cut, see cut.ts, and how much of
   * it is not drawn.
   */
  afterCut(
    root: RootBlock,
    { path, line }: Cut,
    open: OpenPart,
  ): { before: DrawnBefore; undrawn: Omit<Undrawn, "lines"> } {
    const undrawn = { codeBlocks: 0, tables: 0 };
    if (path.length < 2) return { before: NOTHING_BEFORE, undrawn };
    this.start(open, path[0] === 0);
    /** True while the path leads to containers that the parsed text continues. */
    let isContinued = true;
    let container: ContainerBlock = root;
    let entries = 0;
    let depth = 0;
    for (const [level, from] of path.entries()) {
      for (const child of level === 0 ? [] : container.children.slice(0, from)) {
        const drawn = this.draw(child, 0);
        undrawn.codeBlocks += countOf(child, "code") - countOf(drawn, "code");
        undrawn.tables += countOf(child, "table") - countOf(drawn, "table");
      }
      const next: Block | undefined = container.children[from];
      if (level === path.length - 1 || next === undefined || !("children" in next)) break;
      // The next line may make something else of a block that begins at the cut.
      if (next.start >= line) break;
      isContinued &&= from === 0;
      const isKept = isContinued && level < open.before.depth;
      if (this.spend(ownCost(next), next.start) || isKept) depth = level + 1;
      entries += ownCost(next);
      container = next;
    }
    const before = { cost: this.cost - entries, depth, undrawnFrom: this.undrawnFrom };
    return { before, undrawn };
  }

  /** Returns the rows of a table that are omitted after `count` more rows below the head are finished. */
  omitRows(root: RootBlock, table: TableBlock, count: number, open: OpenPart): OmittedRows {
    const { start, alignments, rows, lines } = table;
    const omittedBefore = open.omitted?.line === start ? open.omitted : undefined;
    const shown = lastLeaf(this.limit(root, open).root);
    const drawn = shown?.kind === "table" && shown.start === start ? shown.rows.length - 1 : 0;
    const lineCount = (lines[count] ?? 0) - start - 1;
    const omitted = { line: start, lines: (omittedBefore?.lines ?? 0) + lineCount };
    if (drawn >= count) {
      const costs = rows.slice(1, count + 1).map((row) => rowCost(row, alignments.length));
      const cost = costs.reduce((sum, one) => sum + one, omittedBefore?.cost ?? 0);
      return { ...omitted, cost, undrawnFrom: undefined };
    }
    const undrawnFrom = omittedBefore?.undrawnFrom ?? (lines[drawn + 1] ?? 0) + open.removedLines;
    return { ...omitted, cost: Infinity, undrawnFrom };
  }

  private start(open: OpenPart, isContinued: boolean): void {
    this.open = open;
    this.cost = isContinued ? open.before.cost : 0;
    this.undrawnFrom = isContinued ? open.before.undrawnFrom : undefined;
  }

  /**
   * Adds a cost; returns false if it exceeds the limit, after which nothing is drawn.
   *
   * @param line first line, in the parsed text, of what is not drawn then
   */
  private spend(cost: number, line: number): boolean {
    this.cost += cost;
    if (this.cost <= this.maxCost) return true;
    this.cost = Infinity;
    this.undrawnFrom ??= line + this.open.removedLines;
    return false;
  }

  /**
   * Returns the drawn part of a block; undefined for nothing.
   *
   * @param keptDepth number of containers from this block down that are drawn already
   */
  private draw(block: Block, keptDepth: number): Block | undefined {
    const { omitted } = this.open;
    const linesBefore = omitted?.line === block.start && block.kind === "table" ? omitted.lines : 0;
    const isDrawn = this.spend(ownCost(block), block.start - linesBefore);
    if (!isDrawn && (keptDepth === 0 || !("children" in block))) return undefined;
    if (block.kind === "table") return this.drawRows(block);
    if (!("children" in block)) return block;
    const children: Block[] = [];
    for (const [index, child] of block.children.entries()) {
      const drawn = this.draw(child, index === 0 ? Math.max(0, keptDepth - 1) : 0);
      if (drawn === undefined) break;
      children.push(drawn);
    }
    return { ...block, children } as Block;
  }

  private drawRows(table: TableBlock): TableBlock {
    const { rows, alignments, start, lines } = table;
    const { omitted } = this.open;
    if (omitted?.line === start) {
      this.undrawnFrom ??= omitted.undrawnFrom;
      this.spend(omitted.cost, start);
    }
    let count = 1;
    for (; count < rows.length; count++) {
      const cost = rowCost(rows[count] ?? [], alignments.length);
      if (!this.spend(cost, lines[count] ?? 0)) break;
    }
    return count === rows.length ? table : { ...table, rows: rows.slice(0, count) };
  }
}

/** Returns a block without content in the position of one that is not drawn. */
function emptyBlock(block: Block): Block {
  const { start, end } = block;
  if ("children" in block) return { ...block, children: [] };
  return { kind: "text", start, end, content: "", formula: undefined };
}

/** Returns the end of the last leaf: a list includes the blank lines after it. */
function lastLine(block: Block): number {
  return lastLeaf(block)?.end ?? block.end;
}

/** Counts the blocks of a kind in a tree, which has no finished parts of earlier trees. */
function countOf(block: Block | undefined, kind: Block["kind"]): number {
  if (block === undefined) return 0;
  if (!("children" in block)) return block.kind === kind ? 1 : 0;
  return block.children.reduce((sum, child) => sum + countOf(child, kind), 0);
}
