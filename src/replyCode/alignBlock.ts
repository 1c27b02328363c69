/**
 * Aligns the lines of a reply's code block with the lines of a document. Each line is unchanged,
 * reworded, new or gone. The whole block is aligned, and the document as far as the block reaches.
 * A placeholder for left-out code ("// ... existing code ...") matches any number of lines.
 */
import { MIN_SIMILARITY } from "./likeness";
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
  readonly isGap?: (line: string) => boolean;
  /** The alignment begins at or above these lines, and ends at or below them. */
  readonly covers?: ReplacedLines;
  readonly lines?: DocumentLines;
}

/**
 * Upper limit of line pairs to compare; larger inputs are not aligned because that takes too long.
 */
export const MAX_PAIRS = 4_000_000;

/** Cost of a line that only one of the two texts has. */
const GAP = 0.6;

/** Factor for a reworded line: lower than the score of an unchanged line next to a new line. */
const REWORDED = 0.6;

const MAX_SIMILARITY = 0.95;

/** Upper limit of a line's weight, so that a long line does not outweigh the rest. */
const MAX_WEIGHT = 6;

/** Letters for each unit of a line's weight. */
const LETTERS = 5;

/**
 * Number of document lines for each line of a block without placeholders beyond which no match is
 * worth the lines in between: the line itself, and the gaps that cost as much as it can gain.
 */
export const REACH = 1 + Math.ceil((MAX_WEIGHT + GAP) / GAP);

/** Text of a line without the blanks around; the same object for all lines with this text. */
interface Line {
  /** Number of the object: 0, 1, 2 … */
  readonly number: number;
  readonly weight: number;
  readonly words: readonly number[];
}

interface BlockLine {
  readonly line: Line;
  readonly isLeftOut: boolean;
  readonly similarities: Float64Array;
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
  { isGap = isLeftOut, covers = { start: document.length, end: 0 }, lines }: AlignOptions = {},
): BlockAlignment | undefined {
  const columns = document.length;
  if (block.length === 0 || columns === 0 || block.length * columns > MAX_PAIRS) return undefined;
  const reader = lines ?? new DocumentLines(document);
  const documentLines = document.map((text) => reader.lineOf(text));
  const blockLines = block.map((text) => {
    const line = reader.lineOf(text);
    return { line, isLeftOut: isGap(text), similarities: reader.similaritiesOf(line) };
  });
  const { lastSteps, scores } = fillTable(blockLines, documentLines, covers.start);
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
  lastStart: number,
): AlignmentTable {
  const width = documentLines.length + 1;
  const lastSteps = new Uint8Array((blockLines.length + 1) * width);
  const numbers = Uint32Array.from(documentLines, ({ number }) => number);
  let above = new Float64Array(width);
  for (let column = lastStart + 1; column < width; column++) {
    above[column] = -GAP * (column - lastStart);
    lastSteps[column] = DOCUMENT;
  }
  let scores = new Float64Array(width);
  for (const [index, { line, isLeftOut: isGap, similarities }] of blockLines.entries()) {
    const { number, weight } = line;
    const gap = isGap ? 0 : GAP;
    const start = (index + 1) * width;
    let diagonal = above[0] ?? 0;
    let left = diagonal - gap;
    scores[0] = left;
    lastSteps[start] = BLOCK;
    // Hot loop: 4 million rounds.
    for (let at = 0; at < width - 1;) {
      const up = above[at + 1] ?? 0;
      const other = numbers[at] ?? 0;
      let gain = REWORDED * (similarities[other] ?? 0) * weight;
      if (other === number) gain = weight;
      const both = isGap ? -Infinity : diagonal + gain;
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
    [above, scores] = [scores, above];
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
  let sameLines = 0;
  for (;;) {
    const last = blockLines[row - 1];
    const lastStep = lastSteps[row * width + column];
    const other = documentLines[column - 1];
    if (last === undefined) {
      if (lastStep !== DOCUMENT) break;
      steps.push({ kind: "gone", document: --column });
    } else if (lastStep === BOTH && other !== undefined) {
      const isSame = last.line === other;
      const lineSimilarity = last.similarities[other.number] ?? 0;
      sameLines += (isSame ? 1 : REWORDED * lineSimilarity) * last.line.weight;
      steps.push({ kind: isSame ? "same" : "reworded", block: --row, document: --column });
    } else if (lastStep === DOCUMENT) {
      // The placeholder is the last line of the block up to here.
      if (last.isLeftOut) steps.push({ kind: "left-out", block: row - 1, document: --column });
      else steps.push({ kind: "gone", document: --column });
    } else if (last.isLeftOut) row--;
    else steps.push({ kind: "new", block: --row });
  }
  return { steps: steps.reverse(), found: sameLines };
}

/** Lines of a document, and the similarities of others with them; both are computed once. */
export class DocumentLines {
  private readonly lines = new Map<string, Line>();
  private readonly wordNumbers = new Map<string, number>();
  /** Distinct lines of the document, by number. */
  private readonly own: readonly Line[];
  /** Numbers of the lines with a word, by the word's number. */
  private readonly linesWith: number[][] = [];
  private readonly similarities = new Map<Line, Float64Array>();

  constructor(document: readonly string[]) {
    for (const text of document) this.lineOf(text);
    this.own = [...this.lines.values()];
    for (const { number, weight, words } of this.own)
      if (weight >= 1) for (const word of words) (this.linesWith[word] ??= []).push(number);
  }

  lineOf(text: string): Line {
    const trimmed = text.trim();
    let line = this.lines.get(trimmed);
    if (line === undefined) this.lines.set(trimmed, (line = this.read(trimmed)));
    return line;
  }

  /**
   * Returns the similarity of a line with each other line of the document, by number: Dice's coefficient
   * of their words, less than 1; -Infinity for unrelated lines.
   */
  similaritiesOf(line: Line): Float64Array {
    const computed = this.similarities.get(line);
    if (computed) return computed;
    const similarities = new Float64Array(this.own.length);
    if (line.weight >= 1)
      for (const word of line.words)
        for (const number of this.linesWith[word] ?? [])
          similarities[number] = (similarities[number] ?? 0) + 1;
    for (const { number, words } of this.own) {
      const common = similarities[number] ?? 0;
      const similarity = (2 * common) / (line.words.length + words.length);
      similarities[number] =
        similarity >= MIN_SIMILARITY ? Math.min(MAX_SIMILARITY, similarity) : -Infinity;
    }
    this.similarities.set(line, similarities);
    return similarities;
  }

  private read(text: string): Line {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const tokens = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
    const words = [...new Set(tokens)].map((word) => this.numberOf(word));
    // Brackets alone carry little weight, and an empty line almost none.
    const weight = text === "" ? 0.1 : Math.min(Math.max(0.5, letters / LETTERS), MAX_WEIGHT);
    return { number: this.lines.size, weight, words };
  }

  private numberOf(word: string): number {
    const number = this.wordNumbers.get(word) ?? this.wordNumbers.size;
    this.wordNumbers.set(word, number);
    return number;
  }
}
