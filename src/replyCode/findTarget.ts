/**
 * Finds the target range of a code block in a document, and the resulting lines of that range.
 * Tries an exact match first, then the context of the changed lines. Several results or none
 * require a choice by the user, which is up to the caller in host.
 */
import {
  alignBlock,
  DocumentLines,
  MAX_PAIRS,
  type AlignmentStep,
  type BlockAlignment,
} from "./alignBlock";
import { changedSpan } from "./hunks";
import { movedLine, placed, type IndentStyle } from "./indentation";
import { indentOf, isBlank, isSameBeforeEnd, lineAt } from "./lines";

/** Target range for a block. Lines are 0-based, the end is exclusive. */
export interface BlockTarget {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

export interface DocumentIndent {
  readonly usesTabs: boolean;
  readonly size: number;
}

/** Minimum share of the block that a range must already contain. */
const MIN_SHARE = 0.4;

/** Relative score from which a second range counts as a rival, so that the user must choose. */
const RIVAL = 0.95;

/** Upper limit of ranges to find; a longer list would not help the user to choose. */
const MAX_TARGETS = 4;

/** Placeholder for document lines that are no target; no block has such a line. */
export const TAKEN = "\0";

/**
 * Returns the target ranges of the block, best match first: a clear match, several equal matches,
 * or none. A block that leaves out code without marking the position has no match.
 */
export function findTargets(
  document: readonly string[],
  block: readonly string[],
  indent: DocumentIndent,
): BlockTarget[] {
  if (block.length * document.length > MAX_PAIRS) return [];
  const targets: BlockTarget[] = [];
  const left = [...document];
  const lines = new DocumentLines([...document, TAKEN]);
  let best = 0;
  // Comparing with nothing but empty lines takes as long as the first search.
  while (targets.length < MAX_TARGETS && left.some((line) => line.trim() > TAKEN)) {
    const alignment = alignBlock(block, left, { lines });
    if (alignment === undefined || alignment.share < MIN_SHARE || alignment.score < best * RIVAL)
      break;
    const target = targetFrom(alignment, document, block, indent);
    if (target === undefined) break;
    best ||= alignment.score;
    targets.push(target);
    left.fill(TAKEN, target.startLine, target.endLine);
  }
  return targets;
}

/** Returns the range from the first changed line to the last. */
export function rangeOfChange(
  document: readonly string[],
  changed: readonly string[],
): BlockTarget {
  const { start, originalEnd, proposedEnd } = changedSpan(document, changed);
  // A neighbouring line is included, so that neither the range nor its lines are empty.
  const isEmpty = start === originalEnd || start === proposedEnd;
  const from = isEmpty ? Math.max(0, start - 1) : start;
  const to = isEmpty && start === 0 ? originalEnd + 1 : originalEnd;
  const lines = changed.slice(from, proposedEnd + (to - originalEnd));
  return { startLine: from, endLine: to, lines };
}

/**
 * Returns the lines of an alignment, and those that the block has in their place.
 * @param isFixed true for a line of the document that stays, if the block has it or lacks it
 */
export function targetFrom(
  { steps }: BlockAlignment,
  document: readonly string[],
  block: readonly string[],
  indent: Omit<IndentStyle, "base"> | undefined,
  isFixed: (at: number) => boolean = () => false,
): BlockTarget | undefined {
  const rows = steps.flatMap((step) => (step.document === undefined ? [] : [step.document]));
  const startLine = rows[0];
  const lastLine = rows.at(-1);
  const filled = steps.filter(({ block: at }) => !isBlank(lineAt(block, at)));
  const depthOf = ({ block: at }: AlignmentStep) => indentOf([lineAt(block, at)]).length;
  // A deeper line may be inside another one now.
  const anchor =
    filled.filter(({ kind }) => kind === "same").toSorted((a, b) => depthOf(a) - depthOf(b))[0] ??
    filled.find(({ kind }) => kind === "reworded");
  if (startLine === undefined || lastLine === undefined || anchor === undefined) return undefined;
  const from = indentOf([lineAt(block, anchor.block)]);
  const to = indentOf([lineAt(document, anchor.document)]);
  const first = block.find((line) => !isBlank(line)) ?? "";
  const base = indentOf([movedLine(first, from, to)]);
  const moved = indent ? placed(block, { ...indent, base }) : block;
  const lines: string[] = [];
  for (const step of steps) {
    const oldLine = step.document === undefined ? undefined : document[step.document];
    const stays = step.kind !== "reworded" && step.document !== undefined && isFixed(step.document);
    if (step.kind === "left-out" || stays) lines.push(oldLine ?? "");
    else if (step.block !== undefined) {
      const line = lineAt(moved, step.block);
      // Unchanged lines keep the document's trailing blanks.
      lines.push(oldLine !== undefined && isSameBeforeEnd(oldLine, line) ? oldLine : line);
    }
  }
  return { startLine, endLine: lastLine + 1, lines };
}
