/**
 * Terms of a search segment with their lists. In the file: before each term, and behind the last, the start
 * of its list, as digits between two separators. Normalized text has neither digits nor separators. In
 * memory: the numbers of the terms in a vocabulary of all segments, and the sizes of their lists.
 */
import { isBitSet } from "./bits";
import type { Piece } from "./tokens";
import type { TimeSlice } from "../base/timeSlice";
import type { Vocabulary } from "./vocabulary";

const SEPARATOR = 0;

/** Digits are the units from 1 to 32: control characters and the blank. */
const FIRST_DIGIT = 1;
const DIGIT_BITS = 5;
/** Digits of a start, enough for a gibibyte. */
const DIGITS = 6;

/** Bytes in front of a term. */
const HEAD_BYTES = DIGITS + 2;

/** Maximum size of an encoded number, in bytes. */
const MAX_NUMBER_BYTES = 5;

/** Terms between two for which the start of the list is in memory. */
const BLOCK_BITS = 6;

/** Terms read without a pause; takes about a millisecond. */
const TERMS_PER_STEP = 2_048;

/** Lists of some terms: their starts and ends (exclusive) in the file, in ascending order. */
export interface TermLists {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Size of all lists. */
  readonly bytes: number;
}

/** Encodes a term with the start of its list, which is the end of the list of the term before. */
export function dictionaryEntry(start: number, term = ""): string {
  const separator = String.fromCharCode(SEPARATOR);
  let digits = "";
  for (let shift = (DIGITS - 1) * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS)
    digits += String.fromCharCode(FIRST_DIGIT + ((start >>> shift) & (2 ** DIGIT_BITS - 1)));
  return separator + digits + separator + term;
}

export class Dictionary {
  private constructor(
    /** Numbers of the terms in the vocabulary, in the order of their lists in the file. */
    private readonly ids: Uint32Array,
    /** Size of each list, in variable length (LEB128). */
    private readonly sizes: Uint8Array,
    /** For each block of terms the offset of its first size, and the start of its first list. */
    private readonly blocks: Uint32Array,
    private readonly vocabulary: Vocabulary,
  ) {}

  /**
   * Adds terms to a vocabulary. Each of `parts` has entries and a last one without a term; the lists of a part
   * follow those of the part before. Rejects with the slice's reason.
   */
  static async read(
    parts: readonly Uint8Array[],
    vocabulary: Vocabulary,
    slice: TimeSlice,
  ): Promise<Dictionary> {
    const mostTerms = parts.reduce((sum, { length }) => sum + Math.floor(length / HEAD_BYTES), 0);
    const ids = new Uint32Array(mostTerms);
    const sizes = new Uint8Array(mostTerms * MAX_NUMBER_BYTES);
    const blocks: number[] = [];
    let count = 0;
    let sizesEnd = 0;
    for (const bytes of parts) {
      let listStart = numberAt(bytes, 1);
      for (let start = HEAD_BYTES; start < bytes.length; start += HEAD_BYTES) {
        const termStart = start;
        while (start < bytes.length && bytes[start] !== SEPARATOR) start++;
        if (count % (1 << BLOCK_BITS) === 0) blocks.push(sizesEnd, listStart);
        ids[count++] = vocabulary.idOf(bytes, termStart, start);
        const listEnd = numberAt(bytes, start + 1);
        let size = listEnd - listStart;
        for (; size > 0x7f; size >>>= 7) sizes[sizesEnd++] = (size & 0x7f) | 0x80;
        sizes[sizesEnd++] = size;
        listStart = listEnd;
        const pause = count % TERMS_PER_STEP === 0 ? slice.pause() : undefined;
        if (pause) await pause;
      }
    }
    // Copies, because the buffers are larger.
    return new Dictionary(
      ids.slice(0, count),
      sizes.slice(0, sizesEnd),
      Uint32Array.from(blocks),
      vocabulary,
    );
  }

  /** Returns the lists of the terms that a piece of a search term matches. */
  find(piece: Pick<Piece, "text" | "isOpenStart" | "isOpenEnd">): TermLists {
    const { ids, vocabulary } = this;
    if (!piece.isOpenStart && !piece.isOpenEnd) return this.listOf(piece.text);
    const starts: number[] = [];
    const ends: number[] = [];
    let bytes = 0;
    const isFound = vocabulary.find(piece);
    for (const number of isFound ? numbersOf(ids, isFound) : []) {
      const [start, end] = this.rangeOf(number);
      starts.push(start);
      ends.push(end);
      bytes += end - start;
    }
    return { starts, ends, bytes };
  }

  /** Returns the list of a term. */
  listOf(term: string): TermLists {
    const id = this.vocabulary.knownIdOf(term);
    const number = id === undefined ? -1 : this.ids.indexOf(id);
    if (number === -1) return { starts: [], ends: [], bytes: 0 };
    const [start, end] = this.rangeOf(number);
    return { starts: [start], ends: [end], bytes: end - start };
  }

  private rangeOf(number: number): readonly [start: number, end: number] {
    const { sizes, blocks } = this;
    const block = number >> BLOCK_BITS;
    let sizeAt = blocks[2 * block] ?? 0;
    let start = blocks[2 * block + 1] ?? 0;
    let end = start;
    for (let at = block << BLOCK_BITS; at <= number; at++) {
      start = end;
      let byte = sizes[sizeAt++] ?? 0;
      let size = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = sizes[sizeAt++] ?? 0;
        size |= (byte & 0x7f) << shift;
      }
      end += size;
    }
    return [start, end];
  }
}

/** Returns the numbers of the terms with a bit in `isFound`; apart, so that the loop is compiled alone. */
function numbersOf(ids: Uint32Array, isFound: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < ids.length; number++)
    if (isBitSet(isFound, ids[number] ?? 0)) numbers.push(number);
  return numbers;
}

function numberAt(bytes: Uint8Array, start: number): number {
  let number = 0;
  for (let at = start; at < start + DIGITS; at++)
    number = (number << DIGIT_BITS) | ((bytes[at] ?? FIRST_DIGIT) - FIRST_DIGIT);
  return number;
}
