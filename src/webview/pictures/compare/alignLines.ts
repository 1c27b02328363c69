/** Alignment of rows or columns of pixels. */
import type { Area } from "../marks";
import type { Pixels } from "./pixelAreas";

/** Equal lines that prove an alignment; the lower-case letters of small text are this high. */
const MIN_LINES = 8;

/** A part of one axis in each picture, from the start of the aligned areas. */
interface Band {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Hashes of lines; undefined for a line of one color, which proves nothing. */
export type Lines = readonly (number | undefined)[];

/** Numbers of an equal line in the first and in the second picture. */
type LinePair = readonly [a: number, b: number];

export function hashLines({ data, width: stride }: Pixels, area: Area, isRows: boolean): Lines {
  const { x: left, y: top, width, height } = area;
  const length = isRows ? height : width;
  const hashes = new Int32Array(length);
  const firsts = new Uint32Array(length);
  const isMixed = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const row = (top + y) * stride + left;
    for (let x = 0; x < width; x++) {
      const color = data[row + x] ?? 0;
      const line = isRows ? y : x;
      if ((isRows ? x : y) === 0) firsts[line] = color;
      else if (color !== firsts[line]) isMixed[line] = 1;
      const mixed = Math.imul((hashes[line] ?? 0) ^ color, 0x9e3779b1);
      hashes[line] = mixed ^ (mixed >>> 15);
    }
  }
  return Array.from(hashes, (hash, line) => (isMixed[line] === 1 ? hash : undefined));
}

/**
 * Returns the longest run of lines in common order that are unique in both, as bands of one offset.
 * Method: patience diff.
 */
export function bandsOf(linesA: Lines, linesB: Lines): Band[] {
  const inB = uniqueLines(linesB);
  const pairs: LinePair[] = [];
  for (const [hash, a] of uniqueLines(linesA)) {
    const b = inB.get(hash);
    if (a !== undefined && b !== undefined) pairs.push([a, b]);
  }
  pairs.sort(([one], [other]) => one - other);
  const strong = grouped(longestRising(pairs)).filter(({ length }) => length >= MIN_LINES);
  return extended(grouped(strong.flat()), linesA, linesB);
}

/** Groups neighboring pairs of one offset. */
function grouped(pairs: readonly LinePair[]): LinePair[][] {
  const groups: LinePair[][] = [];
  let offset: number | undefined;
  for (const pair of pairs) {
    const [a, b] = pair;
    if (b - a === offset) groups.at(-1)?.push(pair);
    else groups.push([pair]);
    offset = b - a;
  }
  return groups;
}

/** Extends bands by the equal lines next to them, such as blank ones. */
function extended(groups: readonly LinePair[][], linesA: Lines, linesB: Lines): Band[] {
  const bands: Band[] = [];
  const isEqual = (a: number, b: number) => linesA[a] !== undefined && linesA[a] === linesB[b];
  for (const [index, group] of groups.entries()) {
    const last = bands.at(-1);
    const [minA, minB] = last ? [last.a + last.length, last.b + last.length] : [0, 0];
    const [maxA, maxB] = groups[index + 1]?.[0] ?? [linesA.length, linesB.length];
    let [a, b] = group[0] ?? [0, 0];
    let end = (group.at(-1)?.[0] ?? a) + 1;
    const offset = b - a;
    while (a > minA && b > minB && isEqual(a - 1, b - 1)) {
      a--;
      b--;
    }
    while (end < maxA && end + offset < maxB && isEqual(end, end + offset)) end++;
    bands.push({ a, b, length: end - a });
  }
  return bands;
}

function uniqueLines(lines: Lines): Map<number, number | undefined> {
  const unique = new Map<number, number | undefined>();
  for (const [index, hash] of lines.entries()) {
    if (hash !== undefined) unique.set(hash, unique.has(hash) ? undefined : index);
  }
  return unique;
}

/** Returns the longest subsequence whose second numbers rise; the first numbers rise already. */
function longestRising(pairs: readonly LinePair[]): LinePair[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [, b]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const result: LinePair[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) result.push(pair);
  }
  return result.reverse();
}
