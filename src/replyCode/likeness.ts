/** Compares lines of a block with lines of the file: outermost lines, common words, letters. */
import { CLOSER, OPENER } from "./flaws";
import { indentOf, isBlank, lineAt, withoutBlankEnds, wordsOf } from "./lines";

/** Minimum share of common words (Dice) of two lines of which one is a new version of the other. */
export const MIN_SIMILARITY = 0.5;

export function depthOf(lines: readonly string[]): number {
  const filled = lines.filter((line) => !isBlank(line));
  return filled.reduce((least, line) => Math.min(least, indentOf([line]).length), Infinity);
}

/** Returns true if half of the words are those of one of the other lines, which ends like the line. */
export function isLikeOneOf(others: readonly string[], line: string): boolean {
  const isAlike = (other: string) => similarity(line, other) >= MIN_SIMILARITY;
  return others.some((other) => isAlike(other) && OPENER.test(line) === OPENER.test(other));
}

/** Returns the share of common words of two lines (Dice), from 0 to 1. */
export function similarity(line: string, other: string): number {
  const words = wordsOf(line);
  const otherWords = wordsOf(other);
  const common = [...words].filter((word) => otherWords.has(word)).length;
  return (2 * common) / (words.size + otherWords.size);
}

export function hasAllWords(line: string, other: string): boolean {
  const words = wordsOf(line);
  return [...wordsOf(other)].every((word) => words.has(word));
}

export function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

export function joined(lines: readonly string[]): string {
  return `\n${withoutBlankEnds(lines)
    .map((line) => line.trim())
    .join("\n")}\n`;
}

/** Returns the trimmed lines that are less deep than all lines below them and than a depth. */
export function parentsOf(lines: readonly string[], depth: number): readonly string[] {
  let least = depth;
  return lines.toReversed().flatMap((line, at, all) => {
    const depthHere = indentOf([line]).length;
    const isBrace = line.trim() === "{" && !isBlank(lineAt(all, at + 1));
    if (isBlank(line) || isBrace || depthHere >= least) return [];
    least = depthHere;
    return [line.trim()];
  });
}

/** Returns the least deep lines, without those that only open or close others. */
export function outermost(lines: readonly string[]): readonly string[] {
  const depth = depthOf(lines);
  return lines.filter(
    (line) =>
      !isBlank(line) &&
      indentOf([line]).length <= depth &&
      !CLOSER.test(line) &&
      line.trim() !== "{",
  );
}
