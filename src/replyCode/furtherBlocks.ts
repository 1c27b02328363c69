/** Finds the other lines of the edited file of which further blocks of a reply are a new version. */
import type { FileLines, LinesAround } from "./fileLines";
import { findTargets, TAKEN, type BlockTarget, type DocumentIndent } from "./findTarget";
import { outermost } from "./likeness";
import { wordsOf } from "./lines";

/** Upper limit of pairs of lines of all blocks and the file, about 0.2 s. */
const MAX_PAIRS = 1_000_000;

export type LineRange = Pick<BlockTarget, "startLine" | "endLine">;

/**
 * Returns the places of the blocks that are clear. Two blocks for the same lines may be alternatives, so
 * neither has a place.
 * @param around lines around the target that already have a new version
 */
export function furtherPlaces(
  blocks: readonly (readonly string[])[],
  file: FileLines,
  { above, below }: LinesAround,
  indent: DocumentIndent = { usesTabs: false, size: 4 },
): readonly BlockTarget[] {
  const range = { startLine: file.start - above, endLine: file.end + below };
  let pairs = 0;
  const places = blocks.flatMap((block) => {
    pairs += block.length * file.all.length;
    return pairs > MAX_PAIRS ? [] : (placeOf(block, file, range, indent) ?? []);
  });
  return places.filter((one) => places.every((other) => other === one || areApart(one, other)));
}

/** Returns the only lines outside a range of which a block is a new version. */
function placeOf(
  block: readonly string[],
  file: FileLines,
  range: LineRange,
  indent: DocumentIndent,
): BlockTarget | undefined {
  if (file.isCopy(block)) return undefined;
  const outside = [...file.all].fill(TAKEN, range.startLine, range.endLine);
  const [only, ...rivals] = findTargets(outside, block, indent);
  if (only === undefined || rivals.length > 0 || !areApart(only, range)) return undefined;
  // A block that only adds lines below a line of the file may be a usage example.
  const old = file.all.slice(only.startLine, only.endLine);
  const isAdded = old.every((line, at) => line.trim() === only.lines[at]?.trim());
  // Other outermost lines may be an example, another declaration, or for another file.
  const [outer, oldLines] = [outermost(block), new Set(old.map((line) => line.trim()))];
  const isOld = outer.every((line) => oldLines.has(line.trim()));
  // A head of a single word, as "try {", tells the place only at its own depth.
  const isTelling = outer.some((line) => wordsOf(line).size > 1 || old.includes(line));
  return !isAdded && isOld && isTelling ? only : undefined;
}

function areApart(one: LineRange, other: LineRange): boolean {
  return one.endLine <= other.startLine || other.endLine <= one.startLine;
}
