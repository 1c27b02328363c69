/**
 * Finds the part of a reply that is finished. A block is finished when another block follows on
 * whole lines; this holds at every depth. To parse the inside of a list item or quote
 * without its first lines, a placeholder line repeats the markers of all open containers, followed
 * by an empty heading.
 */
import type { Block, ContainerBlock, LeafBlock, RootBlock } from "../markdown/blockTree";

/** Lines that replace the removed ones. */
export interface Placeholder {
  /** Usually a single line; none if no container is open. */
  readonly lines: readonly string[];
  /** True if the innermost item of the placeholder is finished; false if the item continues. */
  readonly isItemFinished: boolean;
}

export interface Cut {
  /** First line of the open part, 0-based. */
  readonly line: number;
  readonly placeholder: Placeholder;
  /** Index of the first unfinished child in each container, from the root down. */
  readonly path: readonly number[];
}

export const NO_PLACEHOLDER: Placeholder = { lines: [], isItemFinished: false };

interface PathStep {
  readonly container: ContainerBlock;
  readonly from: number;
}

/**
 * Finds the deepest position before which everything is finished. `isLoose` reports for a list, by
 * its depth, that an earlier parse found it loose.
 */
export function findCut(root: RootBlock, isLoose: (depth: number) => boolean): Cut {
  const steps: PathStep[] = [];
  let container: ContainerBlock = root;
  for (;;) {
    const from = firstOpenChild(container);
    const child: Block | undefined = container.children[from];
    if (child === undefined) break;
    // Items of a list can leave only once the list is known to be loose: later items depend on it.
    if (container.kind === "list" && container.isLoose === undefined && !isLoose(steps.length)) {
      break;
    }
    steps.push({ container, from });
    if (from < container.children.length - 1 || !("children" in child)) break;
    container = child;
  }
  const last = steps.at(-1);
  const line = last?.container.children[last.from]?.start ?? 0;
  return { line, placeholder: placeholderFor(steps, line), path: steps.map((step) => step.from) };
}

/**
 * Returns the index of the first child that the next lines can still change. A paragraph's first
 * lines may become the title of a link definition right before it, also as a lazy continuation out
 * of a list or quote. A definition is no title.
 */
function firstOpenChild(container: ContainerBlock): number {
  const { children } = container;
  const index = Math.max(0, children.length - 1);
  const last = children[index];
  const leaf = lastLeaf(children[index - 1]);
  const mayBeTitle = leaf?.kind === "definition" && leaf.end === last?.start;
  return mayBeTitle && last.kind !== "definition" ? index - 1 : index;
}

/** Returns the innermost last block; undefined in an empty container. */
export function lastLeaf(block: Block | RootBlock | undefined): LeafBlock | undefined {
  let inner = block;
  while (inner !== undefined && "children" in inner) inner = inner.children.at(-1);
  return inner;
}

/**
 * Largest number of spaces after a list marker; more start indented code. Source: CommonMark 0.31,
 * section 5.2.
 */
const MAX_GAP = 4;

function placeholderFor(steps: readonly PathStep[], line: number): Placeholder {
  const lines = new PlaceholderLines();
  for (const { container, from } of steps) {
    if (container.kind !== "root" && container.start < line) lines.open(container);
    const before = container.kind === "list" ? container.children[from - 1] : undefined;
    // A line is the next item only because an item precedes it: alone, "- a|b" could be a table
    // head.
    if (before !== undefined && container.children[from]?.start === line) {
      // The maximum width, so that no part of the next item belongs to this one.
      lines.open({ ...before, width: before.marker.length + MAX_GAP });
      return { lines: lines.end(), isItemFinished: true };
    }
  }
  return { lines: lines.end(), isItemFinished: false };
}

class PlaceholderLines {
  private readonly lines: string[] = [];
  private line = "";
  /** Prefix of another line inside all open containers. */
  private indent = "";
  private canIndent = true;

  open(container: ContainerBlock): void {
    switch (container.kind) {
      case "quote":
        this.line += "> ";
        this.indent += "> ";
        this.canIndent = true;
        return;
      case "item": {
        const space = container.width - container.marker.length;
        const gap = Math.min(MAX_GAP, space);
        if (space > gap && !this.canIndent) {
          // Directly after another marker, these spaces would belong to that marker.
          this.lines.push(`${this.line}#`);
          this.line = this.indent;
        }
        this.line += " ".repeat(space - gap) + container.marker + " ".repeat(gap);
        this.indent += " ".repeat(container.width);
        this.canIndent = false;
        return;
      }
      case "list":
      case "root":
    }
  }

  /** Returns the lines. The empty heading at the end keeps all containers open. */
  end(): string[] {
    return this.line === "" ? [] : [...this.lines, `${this.line}#`];
  }
}

/** Removes the blocks of the placeholder from a tree that was parsed with it. */
export function withoutPlaceholder(root: RootBlock, placeholder: Placeholder): RootBlock {
  return placeholder.lines.length === 0 ? root : (removeHead(root, placeholder) as RootBlock);
}

function removeHead(container: ContainerBlock, placeholder: Placeholder): ContainerBlock {
  const count = placeholder.lines.length;
  const children = (container.children as Block[]).flatMap((child): Block[] => {
    if (child.start >= count) return [child];
    if (!("children" in child)) return [];
    const [first] = child.children;
    const isPlaceholder =
      placeholder.isItemFinished &&
      child.kind === "item" &&
      first?.kind === "heading" &&
      first.start === count - 1;
    return isPlaceholder ? [] : [removeHead(child, placeholder) as Block];
  });
  return { ...container, children } as ContainerBlock;
}
