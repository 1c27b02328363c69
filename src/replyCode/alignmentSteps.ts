/** Checks the alignment of a block with the file around the target, and moves its new lines. */
import type { AlignmentStep, ReplacedLines } from "./alignBlock";
import { indentOf, isBlank, lineAt } from "./lines";

/**
 * Returns true if each placeholder between lines stands for lines at its own depth, and if nothing
 * else of the file disappears between the unchanged lines around it.
 */
export function isProvenAlignment(
  block: readonly string[],
  file: readonly string[],
  steps: readonly AlignmentStep[],
): boolean {
  const columnOf = (line = "") => indentOf([line]).length;
  const isAnchor = ({ kind, block: at = -1 }: AlignmentStep) =>
    kind === "same" && !isBlank(lineAt(block, at));
  const anchor = steps.find(isAnchor);
  if (anchor === undefined) return false;
  // A placeholder that stands for no line has no step; only the first and the last line may be one.
  const rows = steps.flatMap(({ block: at }) => at ?? []);
  const [firstRow = 0, lastRow = 0] = [rows[0], rows.at(-1)];
  if (new Set(rows).size <= lastRow - firstRow) return false;
  const shift = columnOf(file[anchor.document ?? -1]) - columnOf(block[anchor.block ?? -1]);
  // A last placeholder stands for the lines below the range, which are not deeper.
  const next = file.slice((steps.at(-1)?.document ?? -1) + 1).find((line) => !isBlank(line));
  const end = block[lastRow + 1];
  if (end !== undefined && columnOf(next) - columnOf(end) > shift) return false;
  let [isFilled, isChanged] = [false, false];
  for (const step of [...steps, undefined]) {
    if (step === undefined || isAnchor(step)) {
      if (isFilled && isChanged) return false;
      [isFilled, isChanged] = [false, false];
      continue;
    }
    const line = lineAt(file, step.document);
    if (step.document === undefined || isBlank(line)) continue;
    if (step.kind !== "left-out") isChanged = true;
    else if (!isFilled) {
      isFilled = true;
      if (columnOf(line) - columnOf(block[step.block ?? -1]) !== shift) return false;
    }
  }
  return true;
}

/**
 * Returns true if the block skips lines of the file between the target and a line below that the block
 * seems to repeat.
 */
export function skipsLines(
  steps: readonly AlignmentStep[],
  file: readonly string[],
  { start, end }: ReplacedLines,
): boolean {
  return steps.some(
    ({ kind, document = start }) =>
      kind === "gone" && document >= end && !isBlank(lineAt(file, document)),
  );
}
