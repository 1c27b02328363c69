/**
 * Proves that a text without a fence is the new text of the lines to rewrite. Knows no words of any
 * language: lines that cannot be proven are shown to the user instead.
 */
import { indentOf, OPENER } from "./indentation";

/** Minimum share of common words (Dice) of a line of the reply and a line of the target. */
const MIN_SIMILARITY = 0.5;

/** Returns true if the text is code: each outermost line is like one of the target. */
export function isProvenCode(lines: readonly string[], target: readonly string[]): boolean {
  const own = trimmed(lines);
  const outer = outerLines(own);
  const others = outerLines(trimmed(target));
  return (
    outer !== undefined &&
    outer.length > 0 &&
    outer.every((line) => isLikeOneOf(others ?? [], line))
  );
}

/** Returns true if half of the words are those of one of the other lines, which ends like the line. */
export function isLikeOneOf(others: readonly string[], line: string): boolean {
  const own = wordsOf(line);
  return others.some((other) => {
    const words = wordsOf(other);
    const common = [...own].filter((word) => words.has(word)).length;
    const endsAlike = OPENER.test(line) === OPENER.test(other);
    return endsAlike && common > 0 && (2 * common) / (own.size + words.size) >= MIN_SIMILARITY;
  });
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_$]+/gu));
}

/** Returns true if the text is prose with the first and the last line of the target. */
export function isProvenText(lines: readonly string[], target: readonly string[]): boolean {
  const [own, other] = [trimmed(lines), trimmed(target)];
  const isSame = (at: number) => own.at(at)?.trim() === other.at(at)?.trim();
  return other.length > 1 && isSame(0) && isSame(-1);
}

/** Returns the lines outside all brackets and indented blocks; undefined if brackets do not match. */
export function outerLines(lines: readonly string[]): readonly string[] | undefined {
  const filled = lines.filter((line) => line.trim() !== "");
  const least = filled.reduce((min, line) => Math.min(min, indentOf([line]).length), Infinity);
  const outer: string[] = [];
  let depth = 0;
  for (const line of filled) {
    const isDeeper = depth > 0 || indentOf([line]).length > least;
    if (!isDeeper && !/^\s*(?:[})\]]|end\b)[^\p{L}]*$/u.test(line)) outer.push(line);
    // A search for the end of a string from each escaped quotation mark takes quadratic time.
    for (const sign of line
      .replaceAll(/(?<!\\)"(?:[^"\\]|\\.)*"|(?<!\\)'(?:[^'\\]|\\.)*'/g, "")
      .match(/[{}()[\]]/g) ?? []) {
      depth += "{([".includes(sign) ? 1 : -1;
    }
    if (depth < 0) return undefined;
  }
  return depth === 0 ? outer : undefined;
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.trim() !== "");
}
