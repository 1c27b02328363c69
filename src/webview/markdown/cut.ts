/**
 * Decides what of the open part of a reply is finished. A block is finished when another one follows it
 * on whole lines; that holds at every depth, so the reader goes down along the last blocks as far as it
 * can. To go on inside a list item, quote or footnote without their first lines, one made-up line with
 * the markers of all of them and an empty heading stands for what was left out.
 */
import type { Block, ContainerBlock, RootBlock } from "../../markup/blockTree";
import { FOOTNOTE_INDENT } from "../../markup/footnotes";

/** How many children of each container on the way down are finished, outermost first. */
export interface Cut {
  /** First line that is still read, 0-based. */
  readonly line: number;
  /** The line that stands for the containers that began before, "" if there are none. */
  readonly placeholder: string;
  /** For each container from the root down: the index of its first child that is not finished. */
  readonly path: readonly number[];
}

type Step = { container: ContainerBlock; from: number };

/** Finds the deepest place where something is finished; `isLoose` tells of lists what earlier readings knew. */
export function findCut(root: RootBlock, isLoose: (depth: number) => boolean): Cut {
  const steps: Step[] = [];
  let container: ContainerBlock = root;
  for (;;) {
    const from = firstOpenChild(container);
    const child: Block | undefined = container.children[from];
    if (child === undefined) break;
    // A list that has not said yet whether it is loose cannot lose items: the later ones would not know.
    if (container.kind === "list" && container.isLoose === undefined && !isLoose(steps.length))
      break;
    steps.push({ container, from });
    if (from < container.children.length - 1 || !("children" in child)) break;
    container = child;
  }
  const last = steps.at(-1);
  const line = last?.container.children[last.from]?.start ?? 0;
  return {
    line,
    placeholder: placeholderFor(
      steps.map((step) => step.container),
      line,
    ),
    path: steps.map((step) => step.from),
  };
}

/** Link definitions right before a paragraph may still take its first line for their title. */
function firstOpenChild(container: ContainerBlock): number {
  const { children } = container;
  let index = Math.max(0, children.length - 1);
  for (; index > 0; index--) {
    const before = children[index - 1];
    if (before?.kind !== "definition" || before.end !== children[index]?.start) break;
  }
  return index;
}

function placeholderFor(containers: readonly ContainerBlock[], line: number): string {
  const markers = containers.filter((one) => one.kind !== "root" && one.start < line).map(marker);
  return markers.length === 0 ? "" : `${markers.join("")}#`;
}

function marker(container: ContainerBlock): string {
  switch (container.kind) {
    case "quote":
      return "> ";
    case "item": {
      const room = container.width - container.marker.length;
      const after = Math.min(4, room);
      return " ".repeat(room - after) + container.marker + " ".repeat(after);
    }
    case "footnote":
      return `[^${container.label}]: `.padEnd(FOOTNOTE_INDENT);
    case "list":
    case "root":
      return "";
  }
}

/** Takes the made-up heading out of a reading that began with a placeholder. */
export function withoutPlaceholder(root: RootBlock): RootBlock {
  return strip(root) as RootBlock;
}

function strip(container: ContainerBlock): ContainerBlock {
  const [first, ...rest] = container.children;
  if (first === undefined) return container;
  const children = "children" in first ? [strip(first), ...rest] : rest;
  return { ...container, children } as ContainerBlock;
}
