/**
 * Terms of a search segment, in strings: before each term, and behind the last, the start of its list
 * in the file, as digits between two separators. Normalized text has neither digits nor separators. The
 * terms that contain a text, begin or end with it are then found by a single scan.
 */
import type { Piece } from "./tokens";

const SEPARATOR = "\0";

/** Digits are the units from 1 to 32: control characters and the blank. */
const FIRST_DIGIT = 1;
const LAST_DIGIT = 32;
const DIGIT_BITS = 5;
/** Digits of a start, enough for a gibibyte. */
const DIGITS = 6;

/** Lists of some terms: their starts and ends (exclusive) in the file, in ascending order. */
export interface TermLists {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Size of all lists. */
  readonly bytes: number;
}

/** Encodes a term with the start of its list, which is the end of the list of the term before. */
export function dictionaryEntry(start: number, term = ""): string {
  let digits = "";
  for (let shift = (DIGITS - 1) * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS)
    digits += String.fromCharCode(FIRST_DIGIT + ((start >>> shift) & (2 ** DIGIT_BITS - 1)));
  return SEPARATOR + digits + SEPARATOR + term;
}

export class Dictionary {
  /** @param texts parts of the dictionary, in the order of their lists in the file */
  constructor(private readonly texts: readonly string[]) {}

  /** Returns the lists of the terms that a piece of a search term matches. */
  find({
    text: piece,
    isOpenStart,
    isOpenEnd,
  }: Pick<Piece, "text" | "isOpenStart" | "isOpenEnd">): TermLists {
    const starts: number[] = [];
    const ends: number[] = [];
    let bytes = 0;
    const sought = (isOpenStart ? "" : SEPARATOR) + piece + (isOpenEnd ? "" : SEPARATOR);
    const last = sought.length - (isOpenEnd ? 1 : 2);
    for (const text of this.texts)
      for (let at = text.indexOf(sought); at !== -1;) {
        let start = isOpenStart ? at : at + 1;
        while (text.charCodeAt(start - 1) > LAST_DIGIT) start--;
        let end = at + last + 1;
        while (text.charCodeAt(end) > LAST_DIGIT) end++;
        const listStart = numberAt(text, start - 1 - DIGITS);
        const listEnd = numberAt(text, end + 1);
        starts.push(listStart);
        ends.push(listEnd);
        bytes += listEnd - listStart;
        at = text.indexOf(sought, end);
      }
    return { starts, ends, bytes };
  }
}

function numberAt(text: string, start: number): number {
  let number = 0;
  for (let at = start; at < start + DIGITS; at++)
    number = (number << DIGIT_BITS) | (text.charCodeAt(at) - FIRST_DIGIT);
  return number;
}
