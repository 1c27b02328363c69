/**
 * Tokens of normalized text. A word is a run of letters, marks, digits and underscores. Any other unit
 * except the blank is a token of its own, and so is each unit of a script without blanks between words.
 */

/** The only unit of normalized text that is in no token. */
export const BLANK = 0x20;

/**
 * Scripts without blanks between words: line-breaking classes SA, ID, CJ and NS, and surrogates. Source:
 * https://www.unicode.org/reports/tr14/
 */
const UNSPACED_SCRIPTS: readonly (readonly [first: number, last: number])[] = [
  [0x0e00, 0x0fff], // Thai, Lao, Tibetan
  [0x1000, 0x109f], // Myanmar
  [0x1780, 0x17ff], // Khmer
  [0x1950, 0x19ff], // Tai Le, New Tai Lue, Khmer symbols
  [0x1a20, 0x1aaf], // Tai Tham
  [0x2e80, 0xa4cf], // Chinese, Japanese, Yi
  [0xa980, 0xaa7f], // Javanese, Cham, Myanmar
  [0xd800, 0xffff], // surrogates, compatibility forms
];

const UNITS_PER_BLOCK = 256;
const blocks: (Uint8Array | undefined)[] = [];

/** True for a unit that continues a word. */
export function isWordUnit(unit: number): boolean {
  const block = (blocks[unit >> 8] ??= computeBlock(unit >> 8));
  return block[unit & (UNITS_PER_BLOCK - 1)] === 1;
}

function computeBlock(number: number): Uint8Array {
  return Uint8Array.from({ length: UNITS_PER_BLOCK }, (_, index) => {
    const unit = number * UNITS_PER_BLOCK + index;
    const isUnspaced = UNSPACED_SCRIPTS.some(([first, last]) => unit >= first && unit <= last);
    return !isUnspaced && /[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(unit)) ? 1 : 0;
  });
}

/**
 * Distance of a token to the next one that follows at once, in positions. Each blank between two tokens
 * adds 1, so a distance of 2 or 3 says that nothing or one blank is between them.
 */
export const TOKEN_DISTANCE = 2;

/** Returns the end (exclusive) of the token that starts at an offset, which is not a blank. */
export function tokenEnd(text: string, start: number): number {
  const unit = text.charCodeAt(start);
  let end = start + 1;
  if (isWordUnit(unit)) while (end < text.length && isWordUnit(text.charCodeAt(end))) end++;
  else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
  return end;
}

/** First unit without an entry for units and pairs: pairs of these are rare enough to search by tokens. */
const FIRST_WIDE_UNIT = 0x2e80;

/** True for a unit that short terms can have. */
export function isNarrow(unit: number): boolean {
  return unit < FIRST_WIDE_UNIT && unit !== BLANK;
}

/** True for a unit that is a sign: a token of its own in a script with blanks between words. */
export function isSign(unit: number): boolean {
  return isNarrow(unit) && !isWordUnit(unit);
}

/** Stands for a blank, a wide unit or nothing in the terms of signs; normalized text has a blank instead. */
const OTHER_UNIT = "\u00a0";

/**
 * Returns the term of the sign at an offset: the sign between its neighbours. Signs alone are so frequent
 * that a search for "e.g" would read most of the index.
 */
export function signTerm(text: string, at: number): string {
  return neighbour(text, at - 1) + text.charAt(at) + neighbour(text, at + 1);
}

function neighbour(text: string, at: number): string {
  return isNarrow(text.charCodeAt(at)) ? text.charAt(at) : OTHER_UNIT;
}

/** Token of a search term. */
export interface Piece {
  /** Text of the token; of a sign, the known part of its term. */
  readonly text: string;
  readonly isSign: boolean;
  /** Distance to the start of the search term, in positions. */
  readonly distance: number;
  /** True if the term may begin earlier: the first piece, unless it is a wide unit. */
  readonly isOpenStart: boolean;
  /** True if the term may end later: the last piece, unless it is a wide unit. */
  readonly isOpenEnd: boolean;
}

/** Splits a normalized search term, which neither begins nor ends with a blank. */
export function piecesOf(term: string): Piece[] {
  const pieces: Piece[] = [];
  let distance = 0;
  for (let start = 0; start < term.length;) {
    if (term.charCodeAt(start) === BLANK) {
      start++;
      distance++;
      continue;
    }
    const end = tokenEnd(term, start);
    const unit = term.charCodeAt(start);
    const isOpen = isWordUnit(unit) || isSign(unit);
    const isFirst = start === 0;
    const isLast = end === term.length;
    // The term of a sign contains the only unit in front of it, and the only unit behind it.
    if (isSign(unit) && start === 1 && isNarrow(term.charCodeAt(0))) pieces.pop();
    if (!(isLast && end - start === 1 && isOpen && isSign(term.charCodeAt(start - 1))))
      pieces.push({
        text: isSign(unit)
          ? signTerm(term, start).slice(isFirst ? 1 : 0, isLast ? 2 : 3)
          : term.slice(start, end),
        isSign: isSign(unit),
        distance,
        isOpenStart: isOpen && isFirst,
        isOpenEnd: isOpen && isLast,
      });
    distance += TOKEN_DISTANCE;
    start = end;
  }
  return pieces;
}

/** True for a term of one or two units, which has an entry with the messages that contain it. */
export function isShort(term: string): boolean {
  return (
    term.length <= 2 &&
    isNarrow(term.charCodeAt(0)) &&
    (term.length < 2 || isNarrow(term.charCodeAt(1)))
  );
}

/** Ids of units and pairs of narrow units, for fast access: a table for each first unit. */
export class ShortTermIds {
  private readonly tables: (Int32Array | undefined)[] = [];

  /** Returns the id of a pair, or of a unit if `second` is 0; adds `nextId` if there is none. */
  idOf(first: number, second: number, nextId: number): number {
    const table = (this.tables[first] ??= new Int32Array(FIRST_WIDE_UNIT));
    const id = table[second] ?? 0;
    if (id !== 0) return id - 1;
    table[second] = nextId + 1;
    return nextId;
  }
}
