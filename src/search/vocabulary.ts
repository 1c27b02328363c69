/**
 * Distinct terms of all segments, numbered in the order of their addition. Most terms are in many segments:
 * 100,000 conversations have about ten times as many terms in all segments as distinct ones. The terms that
 * contain a text, begin or end with it are found by a single scan. A term of a removed segment stays.
 */
import { isBitSet, setBit } from "./bits";
import { doubled, hashOf } from "./byteBuffer";
import type { Piece } from "./tokens";

const SEPARATOR = "\0";

const FIRST_CAPACITY = 1 << 12;

/** Maximum number of cached results, so that each segment of a search has those of all pieces. */
const MAX_RESULTS = 16;

const encoder = new TextEncoder();

export class Vocabulary {
  /** A separator, and then each term in UTF-8 with a separator behind the term. */
  private bytes = new Uint8Array(1 << 16);
  /** Start of each term, and the end of the last. */
  private starts = new Uint32Array(FIRST_CAPACITY);
  private count = 0;
  /** Hash table of terms with linear probing: id + 1, or 0. At most half full. */
  private slots = new Int32Array(2 * FIRST_CAPACITY);
  /** A bit for each term, or undefined if no term was found; by the text that was sought. */
  private readonly results = new Map<string, Uint8Array | undefined>();

  constructor() {
    this.starts[0] = 1;
  }

  /** Returns the number of a term in UTF-8, from `start` to `end` (exclusive); adds a new term. */
  idOf(from: Uint8Array, start: number, end: number): number {
    const slot = this.slotOf(from, start, end);
    const known = this.slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    this.slots[slot] = this.count + 1;
    return this.add(from.subarray(start, end));
  }

  /** Returns the number of a term; undefined if no segment had the term. */
  knownIdOf(term: string): number | undefined {
    const from = encoder.encode(term);
    const known = this.slots[this.slotOf(from, 0, from.length)] ?? 0;
    return known === 0 ? undefined : known - 1;
  }

  /** Returns the slot of a term, or the empty slot for it. */
  private slotOf(from: Uint8Array, start: number, end: number): number {
    const { slots, starts, bytes } = this;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = hashOf(from, start, end) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = (slots[slot] ?? 0) - 1;
      const other = starts[id] ?? 0;
      if ((starts[id + 1] ?? 0) - other - 1 !== length) continue;
      let at = 0;
      while (at < length && from[start + at] === bytes[other + at]) at++;
      if (at === length) break;
    }
    return slot;
  }

  /** Returns a bit for each term that a piece of a search term matches; undefined if none does. */
  find({
    text,
    isOpenStart,
    isOpenEnd,
  }: Pick<Piece, "text" | "isOpenStart" | "isOpenEnd">): Uint8Array | undefined {
    const sought = (isOpenStart ? "" : SEPARATOR) + text + (isOpenEnd ? "" : SEPARATOR);
    if (!this.results.has(sought)) {
      // A term that contains the text contains each part of the text.
      const part = [...this.results.keys()].findLast((known) => sought.includes(known));
      const found = part === undefined ? undefined : this.results.get(part);
      const bytes = encoder.encode(sought);
      this.results.set(sought, part === undefined ? this.scan(bytes) : this.filter(found, bytes));
    }
    for (const oldest of this.results.keys()) {
      if (this.results.size <= MAX_RESULTS) break;
      this.results.delete(oldest);
    }
    return this.results.get(sought);
  }

  private scan(sought: Uint8Array): Uint8Array | undefined {
    const { starts, count } = this;
    let found: Uint8Array | undefined;
    let id = 0;
    for (let at = this.indexOf(sought, 0, starts[count]); at !== -1;) {
      // A match may begin with the separator in front of its term.
      while ((starts[id + 1] ?? Infinity) <= at + 1) id++;
      found ??= new Uint8Array((count + 7) >> 3);
      setBit(found, id);
      at = this.indexOf(sought, (starts[id + 1] ?? 0) - 1, starts[count]);
    }
    return found;
  }

  /** Returns the terms among others that contain these bytes. */
  private filter(among: Uint8Array | undefined, sought: Uint8Array): Uint8Array | undefined {
    const { starts, count } = this;
    let found: Uint8Array | undefined;
    for (let id = 0; among && id < count; id++) {
      // Bytes without any bit are passed in a single step.
      if (among[id >> 3] === 0) id |= 7;
      else if (
        isBitSet(among, id) &&
        this.indexOf(sought, (starts[id] ?? 0) - 1, starts[id + 1]) >= 0
      )
        setBit((found ??= new Uint8Array(among.length)), id);
    }
    return found;
  }

  /** Returns the offset of these bytes between `from` and `to` (exclusive); -1 if they are not there. */
  private indexOf(sought: Uint8Array, from: number, to = 0): number {
    const { bytes } = this;
    const last = to - sought.length;
    const first = sought[0];
    for (let at = from; at <= last; at++) {
      if (bytes[at] !== first) continue;
      let length = 1;
      while (length < sought.length && bytes[at + length] === sought[length]) length++;
      if (length >= sought.length) return at;
    }
    return -1;
  }

  private add(term: Uint8Array): number {
    const id = this.count++;
    const start = this.starts[id] ?? 0;
    const end = start + term.length + 1;
    if (end > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(end, 1.5 * this.bytes.length));
      bytes.set(this.bytes);
      this.bytes = bytes;
    }
    this.bytes.set(term, start);
    if (this.count === this.starts.length) this.starts = doubled(this.starts);
    this.starts[this.count] = end;
    if (2 * this.count > this.slots.length) this.rehash();
    this.results.clear();
    return id;
  }

  private rehash(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    const { slots, starts, bytes } = this;
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = hashOf(bytes, starts[id] ?? 0, (starts[id + 1] ?? 0) - 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
  }
}
