/**
 * Aligns the lines of a reply's code block with the lines of a document. Each line is unchanged,
 * reworded, new or gone. The whole block is aligned, and the document as far as the block reaches.
 * A placeholder for left-out code ("// ... existing code ...") matches any number of lines.
 */
import { isLeftOut } from "./placeholders";

/**
 * One step down both texts. Indexes are 0-based; an index is absent where only the other text
 * advances.
 */
export interface AlignmentStep {
  readonly kind: "same" | "reworded" | "new" | "gone" | "left-out";
  readonly block?: number;
  readonly document?: number;
}

export interface BlockAlignment {
  readonly steps: readonly AlignmentStep[];
  /** Weighted share of the block that the document contains, from 0 to 1. */
  readonly share: number;
  readonly score: number;
}

/** Document lines that the block replaces, whatever else it contains: 0-based, end exclusive. */
export interface ReplacedLines {
  readonly start: number;
  readonly end: number;
}

export interface AlignOptions {
  /** Detects placeholder lines, which match any number of document lines. */
  readonly isGap?: (line: string) => boolean;
  /** The alignment begins at or above these lines, and ends at or below them. */
  readonly covers?: ReplacedLines;
}

/**
 * Upper limit of line pairs to compare; larger inputs are not aligned because that takes too long.
 */
export const MAX_PAIRS = 4_000_000;

/** Cost of a line that only one of the two texts has. */
const GAP = 0.6;

/** Factor for a reworded line: lower than the score of an unchanged line next to a new line. */
const REWORDED = 0.6;

/** Bonus for equal relative indentation; decides between lines with the same text ("}"). */
const SAME_DEPTH = 0.05;

/** Minimum similarity of a reworded line; below this limit the two lines are unrelated. */
const MIN_SIMILARITY = 0.5;

/** Upper limit of a line's weight, so that a long line does not outweigh the rest. */
const MAX_WEIGHT = 6;

/** Letters for each unit of a line's weight. */
const LETTERS = 5;

/**
 * Number of document lines for each line of a block without placeholders beyond which no match is
 * worth the lines in between: the line itself, and the gaps that cost as much as it can gain.
 */
export const REACH = 1 + Math.ceil((MAX_WEIGHT + SAME_DEPTH + GAP) / GAP);

interface Line {
  readonly weight: number;
  /** Distinct word numbers of the line, in ascending order. */
  readonly words: Uint32Array;
}

/** Line of the block, or a placeholder for left-out code. */
interface BlockLine {
  readonly line: Line;
  readonly isLeftOut: boolean;
}

/** Last step of the best alignment up to a cell: a line of the block, of the document, or of both. */
const BLOCK = 1;
const DOCUMENT = 2;
const BOTH = 3;

/** Best alignments of each number of block lines with each number of document lines. */
interface AlignmentTable {
  /** Last step of each cell, row by row; a row has a cell more than the document has lines. */
  readonly lastSteps: Uint8Array;
  /** Scores of the whole block with each number of document lines. */
  readonly scores: Float64Array;
}

/** Returns undefined when the texts are too long, or when the document has no line of the block. */
export function alignBlock(
  block: readonly string[],
  document: readonly string[],
  { isGap = isLeftOut, covers = { start: document.length, end: 0 } }: AlignOptions = {},
): BlockAlignment | undefined {
  const columns = document.length;
  if (block.length === 0 || columns === 0 || block.length * columns > MAX_PAIRS) return undefined;
  const lineOf = lineReader();
  const blockLines = block.map((text) => ({ line: lineOf(text), isLeftOut: isGap(text) }));
  const documentLines = document.map(lineOf);
  const isSameDepth = depthComparer(block, document);
  const { lastSteps, scores } = fillTable(blockLines, documentLines, isSameDepth, covers.start);
  const ends = scores.subarray(covers.end);
  const score = ends.reduce((highest, one) => Math.max(highest, one), -Infinity);
  const endColumn = covers.end + ends.indexOf(score);
  const { steps, found } = traceBack(blockLines, documentLines, lastSteps, endColumn);
  const total = blockLines.reduce((sum, one) => sum + (one.isLeftOut ? 0 : one.line.weight), 0);
  if (found === 0 || total === 0) return undefined;
  return { steps, share: found / total, score };
}

/**
 * Computes the table row by row (Needleman and Wunsch).
 * @param lastStart last document line that can be the first of the alignment
 */
function fillTable(
  blockLines: readonly BlockLine[],
  documentLines: readonly Line[],
  isSameDepth: (blockIndex: number, documentIndex: number) => boolean,
  lastStart: number,
): AlignmentTable {
  const width = documentLines.length + 1;
  const lastSteps = new Uint8Array((blockLines.length + 1) * width);
  let above = new Float64Array(width);
  for (let column = lastStart + 1; column < width; column++) {
    above[column] = -GAP * (column - lastStart);
    lastSteps[column] = DOCUMENT;
  }
  for (const [index, { line, isLeftOut: isGap }] of blockLines.entries()) {
    const scores = new Float64Array(width);
    const gap = isGap ? 0 : GAP;
    const start = (index + 1) * width;
    let diagonal = above[0] ?? 0;
    let left = diagonal - gap;
    scores[0] = left;
    lastSteps[start] = BLOCK;
    let at = 0;
    // Hot loop: a separate index is several times as fast as entries().
    for (const other of documentLines) {
      const up = above[at + 1] ?? 0;
      // Brackets at another depth close something else.
      const isMeant = line.weight >= 1 || isSameDepth(index, at);
      const lineSimilarity = !isGap && isMeant ? similarity(line, other) : 0;
      const gain =
        lineSimilarity === 1
          ? line.weight + (isSameDepth(index, at) ? SAME_DEPTH : 0)
          : REWORDED * lineSimilarity * line.weight;
      const both = lineSimilarity < MIN_SIMILARITY ? -Infinity : diagonal + gain;
      let best = up - gap;
      let lastStep = BLOCK;
      if (left - gap > best) {
        best = left - gap;
        lastStep = DOCUMENT;
      }
      if (both >= best) {
        best = both;
        lastStep = BOTH;
      }
      at++;
      scores[at] = best;
      lastSteps[start + at] = lastStep;
      diagonal = up;
      left = best;
    }
    above = scores;
  }
  return { lastSteps, scores: above };
}

/** Follows the best alignment back from its end. `found` is the weight that the document contains. */
function traceBack(
  blockLines: readonly BlockLine[],
  documentLines: readonly Line[],
  lastSteps: Uint8Array,
  endColumn: number,
): { readonly steps: AlignmentStep[]; readonly found: number } {
  const width = documentLines.length + 1;
  let row = blockLines.length;
  let column = endColumn;
  const steps: AlignmentStep[] = [];
  let found = 0;
  for (;;) {
    const last = blockLines[row - 1];
    const lastStep = lastSteps[row * width + column];
    const other = documentLines[column - 1];
    if (last === undefined) {
      if (lastStep !== DOCUMENT) break;
      steps.push({ kind: "gone", document: --column });
    } else if (lastStep === BOTH && other !== undefined) {
      const lineSimilarity = similarity(last.line, other);
      const isSame = lineSimilarity === 1;
      found += (isSame ? 1 : REWORDED * lineSimilarity) * last.line.weight;
      steps.push({ kind: isSame ? "same" : "reworded", block: --row, document: --column });
    } else if (lastStep === DOCUMENT) {
      // The placeholder is the last line of the block up to here.
      if (last.isLeftOut) steps.push({ kind: "left-out", block: row - 1, document: --column });
      else steps.push({ kind: "gone", document: --column });
    } else if (last.isLeftOut) row--;
    else steps.push({ kind: "new", block: --row });
  }
  return { steps: steps.reverse(), found };
}

/**
 * Returns a function that compares the depth of two lines. Lines with the same text show how far
 * the block is moved; the most frequent distance counts. Tabs and spaces cannot be compared.
 */
function depthComparer(
  block: readonly string[],
  document: readonly string[],
): (blockIndex: number, documentIndex: number) => boolean {
  const depthOf = (line = "") => line.length - line.trimStart().length;
  const depths = new Map<string, Set<number>>();
  for (const line of document) {
    const text = line.trim();
    if (text === "") continue;
    const known = depths.get(text) ?? new Set();
    depths.set(text, known.add(depthOf(line)));
  }
  const counts = new Map<number, number>();
  for (const line of block) {
    for (const depth of depths.get(line.trim()) ?? []) {
      const distance = depth - depthOf(line);
      counts.set(distance, (counts.get(distance) ?? 0) + 1);
    }
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const usesTabs = (lines: readonly string[]) => lines.some((line) => line.startsWith("\t"));
  if (usesTabs(block) !== usesTabs(document)) return () => true;
  // An empty line has no depth.
  return (blockIndex, documentIndex) =>
    block[blockIndex]?.trim() === "" ||
    depthOf(document[documentIndex]) - depthOf(block[blockIndex]) === most?.[0];
}

/** Returns a reader that maps equal texts to the same `Line` object. */
function lineReader(): (text: string) => Line {
  const lines = new Map<string, Line>();
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  };
  return (text) => {
    const trimmed = text.trim();
    const line = lines.get(trimmed) ?? readLine(trimmed, numberOf);
    lines.set(trimmed, line);
    return line;
  };
}

function readLine(text: string, numberOf: (word: string) => number): Line {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const found = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  const words = Uint32Array.from(new Set(found.map(numberOf))).sort();
  // Brackets alone carry little weight, and an empty line almost none.
  const weight = text === "" ? 0.1 : letters < 3 ? 0.5 : Math.min(letters / LETTERS, MAX_WEIGHT);
  return { weight, words };
}

/** Returns the similarity of two lines, from 0 to 1: Dice's coefficient of their words. */
function similarity(one: Line, other: Line): number {
  if (one === other) return 1;
  if (one.weight < 1 || other.weight < 1) return 0;
  const own = one.words;
  const others = other.words;
  const all = own.length + others.length;
  // Lengths too different for similar lines: most pairs end here.
  if (4 * Math.min(own.length, others.length) < all) return 0;
  let common = 0;
  for (let at = 0, otherAt = 0; at < own.length && otherAt < others.length;) {
    const difference = (own[at] ?? 0) - (others[otherAt] ?? 0);
    if (difference === 0) common++;
    if (difference <= 0) at++;
    if (difference >= 0) otherAt++;
  }
  // Different lines never count as fully equal.
  return Math.min(0.95, (2 * common) / all);
}
