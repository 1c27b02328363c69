/**
 * Lays the lines of a reply's code block beside the lines of a document: which of them are the same,
 * which were reworded, which are new or gone. The block is laid whole, the document as far as it goes.
 * A line that stands for left-out code ("// ... existing code ...") takes in any number of lines.
 */
import { isLeftOut } from "./leftOut";

/** One step down the two texts; indexes are 0-based, absent where only the other text goes on. */
export interface AlignmentStep {
  readonly kind: "same" | "reworded" | "new" | "gone" | "left-out";
  readonly block?: number;
  readonly document?: number;
}

export interface BlockAlignment {
  readonly steps: readonly AlignmentStep[];
  /** How much of the block's substance was found again, 0 to 1. */
  readonly share: number;
  readonly score: number;
}

/** Choices for laying. */
export interface LayOptions {
  /** Lines of the block that stand for any number of lines of the document. */
  readonly isGap?: (line: string) => boolean;
  /** Lays the document whole too: the block stands for all of it. */
  readonly isWhole?: boolean;
}

/** Beyond this many pairs of lines nothing is laid: it would take too long. */
const MAX_PAIRS = 4_000_000;

/** What a line that is only here or only there costs. */
const GAP = 0.6;

/** A reworded line counts for less than one that is the same beside a new one. */
const REWORDED = 0.6;

/** The same line, as deep as in the block: decides between lines that are alike ("}"). */
const SAME_DEPTH = 0.05;

/** Lines with less in common than this were not reworded but are different ones. */
const MIN_LIKENESS = 0.5;

/** Longest line that counts, in letters: one line must not outweigh the rest. */
const MAX_WEIGHT = 30;

interface Line {
  readonly weight: number;
  /** Numbers of its words, each once, ascending. */
  readonly words: Uint32Array;
}

const UP = 1;
const LEFT = 2;
const BOTH = 3;

/** Undefined when the texts are too long, or nothing of the block stands in the document. */
export function alignBlock(
  block: readonly string[],
  document: readonly string[],
  { isGap: isGapLine = isLeftOut, isWhole = false }: LayOptions = {},
): BlockAlignment | undefined {
  const rows = block.length;
  const columns = document.length;
  if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return undefined;
  const lineOf = lineReader();
  const blockLines = block.map((text) => ({ line: lineOf(text), isLeftOut: isGapLine(text) }));
  const documentLines = document.map(lineOf);
  const blockDepths = depthsOf(block);
  const documentDepths = depthsOf(document);

  const width = columns + 1;
  const ways = new Uint8Array((rows + 1) * width);
  let above = new Float64Array(width);
  if (isWhole) above.forEach((_, column) => (above[column] = -GAP * column));
  for (const [index, { line, isLeftOut: isGap }] of blockLines.entries()) {
    const scores = new Float64Array(width);
    const gap = isGap ? 0 : GAP;
    const start = (index + 1) * width;
    let diagonal = above[0] ?? 0;
    let left = diagonal - gap;
    scores[0] = left;
    ways[start] = UP;
    let at = 0;
    // The inner loop of all: an index of its own is several times as fast as entries().
    for (const other of documentLines) {
      const up = above[at + 1] ?? 0;
      const like = isGap ? 0 : likeness(line, other);
      const isSame = like === 1;
      const gain = isSame
        ? line.weight + (blockDepths[index] === documentDepths[at] ? SAME_DEPTH : 0)
        : REWORDED * like * line.weight;
      const both = like < MIN_LIKENESS ? -Infinity : diagonal + gain;
      let best = up - gap;
      let way = UP;
      if (left - gap > best) {
        best = left - gap;
        way = LEFT;
      }
      if (both >= best) {
        best = both;
        way = BOTH;
      }
      at++;
      scores[at] = best;
      ways[start + at] = way;
      diagonal = up;
      left = best;
    }
    above = scores;
  }

  const score = isWhole
    ? (above[columns] ?? -Infinity)
    : above.reduce((highest, one) => Math.max(highest, one), -Infinity);
  let column = isWhole ? columns : above.indexOf(score);
  let row = rows;
  const steps: AlignmentStep[] = [];
  let found = 0;
  for (let last = blockLines[row - 1]; last !== undefined; last = blockLines[row - 1]) {
    const way = ways[row * width + column];
    const other = documentLines[column - 1];
    if (way === BOTH && other !== undefined) {
      const like = likeness(last.line, other);
      found += (like === 1 ? 1 : REWORDED * like) * last.line.weight;
      steps.push({ kind: like === 1 ? "same" : "reworded", block: --row, document: --column });
    } else if (way === LEFT) {
      steps.push({ kind: last.isLeftOut ? "left-out" : "gone", document: --column });
    } else if (last.isLeftOut) row--;
    else steps.push({ kind: "new", block: --row });
  }
  steps.reverse();
  const total = blockLines.reduce((sum, one) => sum + (one.isLeftOut ? 0 : one.line.weight), 0);
  if (found === 0 || total === 0) return undefined;
  return { steps, share: found / total, score };
}

/** Columns of each line beyond the least indented one; blank lines have none. */
function depthsOf(lines: readonly string[]): readonly (number | undefined)[] {
  const columns = lines.map((line) => {
    const depth = line.length - line.trimStart().length;
    return depth === line.length ? undefined : depth;
  });
  const least = columns.reduce<number>((low, one) => Math.min(low, one ?? low), Infinity);
  return columns.map((one) => one && one - least);
}

/** Reads lines for comparing; the same text is the same line. */
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
  // Brackets alone say little, and an empty line next to nothing.
  const weight = text === "" ? 0.1 : letters < 3 ? 0.5 : Math.min(letters, MAX_WEIGHT) / 5;
  return { weight, words };
}

/** How much two lines have in common, 0 to 1: the words of both (Dice's coefficient). */
function likeness(one: Line, other: Line): number {
  if (one === other) return 1;
  if (one.weight < 1 || other.weight < 1) return 0;
  const own = one.words;
  const others = other.words;
  const all = own.length + others.length;
  // Too different in length to be alike: most pairs end here.
  if (4 * Math.min(own.length, others.length) < all) return 0;
  let common = 0;
  for (let at = 0, otherAt = 0; at < own.length && otherAt < others.length;) {
    const difference = (own[at] ?? 0) - (others[otherAt] ?? 0);
    if (difference === 0) common++;
    if (difference <= 0) at++;
    if (difference >= 0) otherAt++;
  }
  // Different lines are never quite the same.
  return Math.min(0.95, (2 * common) / all);
}
