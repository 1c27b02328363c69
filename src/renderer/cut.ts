/**
 * Decides what of the open part of a reply is finished. A block is finished when another one follows it
 * on whole lines; that holds at every depth, so the reader goes down along the last blocks as far as it
 * can. To go on inside a list item, quote or footnote without their first lines, a made-up line with
 * the markers of all of them and an empty heading stands for what was left out.
 */
import type { Block, ContainerBlock, LeafBlock, RootBlock } from "../markdown/blockTree";
import { FOOTNOTE_INDENT } from "../markdown/footnotes";

/** The lines that stand for what was left out. */
export interface Placeholder {
  /** Their text; none if nothing is needed, mostly one. */
  readonly lines: readonly string[];
  /** Whether its innermost item stands for one that is finished, not for one that goes on. */
  readonly isItemFinished: boolean;
}

/** Where the open part begins. */
export interface Cut {
  /** First line that is still read, 0-based. */
  readonly line: number;
  readonly placeholder: Placeholder;
  /** For each container from the root down: the index of its first child that is not finished. */
  readonly path: readonly number[];
}

export const NO_PLACEHOLDER: Placeholder = { lines: [], isItemFinished: false };

interface Step {
  readonly container: ContainerBlock;
  readonly from: number;
}

/** Finds the deepest place where something is finished; `isLoose` tells of lists what earlier readings knew. */
export function findCut(root: RootBlock, isLoose: (depth: number) => boolean): Cut {
  const steps: Step[] = [];
  let container: ContainerBlock = root;
  for (;;) {
    const from = firstOpenChild(container);
    const child: Block | undefined = container.children[from];
    if (child === undefined) break;
    // A list that has not said yet whether it is loose cannot lose items: the later ones would not know.
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
 * A link definition right before a paragraph may still take its first lines for a title, even from
 * inside a list or quote, whose lazy continuation they then are.
 */
function firstOpenChild(container: ContainerBlock): number {
  const { children } = container;
  let index = Math.max(0, children.length - 1);
  for (; index > 0; index--) {
    const leaf = lastLeaf(children[index - 1]);
    if (leaf?.kind !== "definition" || leaf.end !== children[index]?.start) break;
  }
  return index;
}

/** The innermost last block of a block; undefined where a container is empty. */
export function lastLeaf(block: Block | RootBlock | undefined): LeafBlock | undefined {
  let inner = block;
  while (inner !== undefined && "children" in inner) inner = inner.children.at(-1);
  return inner;
}

/** Widest gap after a list marker that is not code already. Source: CommonMark 0.31, section 5.2. */
const MAX_GAP = 4;

function placeholderFor(steps: readonly Step[], line: number): Placeholder {
  const lines = new PlaceholderLines();
  for (const { container, from } of steps) {
    if (container.kind !== "root" && container.start < line) lines.open(container);
    const before = container.kind === "list" ? container.children[from - 1] : undefined;
    // The next item of a list is one because an item came before: alone, "- a|b" may head a table.
    if (before !== undefined && container.children[from]?.start === line) {
      // As wide as can be, so that nothing of the next item is taken for a part of this one.
      lines.open({ ...before, width: before.marker.length + MAX_GAP });
      return { lines: lines.end(), isItemFinished: true };
    }
  }
  return { lines: lines.end(), isItemFinished: false };
}

class PlaceholderLines {
  readonly #lines: string[] = [];
  #line = "";
  /** What a further line inside all that is open starts with. */
  #indent = "";
  #canIndent = true;

  open(container: ContainerBlock): void {
    switch (container.kind) {
      case "quote":
        this.#line += "> ";
        this.#indent += "> ";
        this.#canIndent = true;
        return;
      case "item": {
        const room = container.width - container.marker.length;
        const gap = Math.min(MAX_GAP, room);
        if (room > gap && !this.#canIndent) {
          // After another marker, blanks before this one would be the other one's gap.
          this.#lines.push(`${this.#line}#`);
          this.#line = this.#indent;
        }
        this.#line += " ".repeat(room - gap) + container.marker + " ".repeat(gap);
        this.#indent += " ".repeat(container.width);
        this.#canIndent = false;
        return;
      }
      case "footnote":
        this.#line += `[^${container.label}]: `;
        this.#indent += " ".repeat(FOOTNOTE_INDENT);
        this.#canIndent = false;
        return;
      case "list":
      case "root":
    }
  }

  /** The lines, the last one closed by the empty heading that keeps everything open. */
  end(): string[] {
    return this.#line === "" ? [] : [...this.#lines, `${this.#line}#`];
  }
}

/** Takes what the placeholder stands for out of a reading that began with it. */
export function withoutPlaceholder(root: RootBlock, placeholder: Placeholder): RootBlock {
  return placeholder.lines.length === 0 ? root : (strip(root, placeholder) as RootBlock);
}

function strip(container: ContainerBlock, placeholder: Placeholder): ContainerBlock {
  const count = placeholder.lines.length;
  const children = (container.children as Block[]).flatMap((child): Block[] => {
    if (child.start >= count) return [child];
    if (!("children" in child)) return [];
    const [first] = child.children;
    const isMadeUp =
      placeholder.isItemFinished &&
      child.kind === "item" &&
      first?.kind === "heading" &&
      first.start === count - 1;
    return isMadeUp ? [] : [strip(child, placeholder) as Block];
  });
  return { ...container, children } as ContainerBlock;
}
