/**
 * Grams of the search index: runs of one to three UTF-16 units of normalized text, hashed into buckets.
 * A text that contains a term has every bucket of the term. A text with these buckets may lack the term.
 */
import type { TimeSlice } from "./timeSlice";

const BUCKET_BITS = 18;

/** Number of buckets. Grams that share a bucket only cause more texts to be checked. */
export const BUCKETS = 1 << BUCKET_BITS;

/**
 * First unit (CJK) without grams of three units. A pair of such units is rare enough, and there would be
 * too many triples.
 */
const FIRST_WIDE_UNIT = 0x2e80;

/** Separator of segments in a searchable text; no term contains it. */
const SEPARATOR_UNIT = 1;

/** UTF-16 units collected without a pause; takes about a millisecond. */
const UNITS_PER_STEP = 1 << 15;

/** Collects the buckets of texts; reused for many texts, because its table is large. */
export class GramCollector {
  /** Number of the last text with each bucket. */
  private readonly lastTexts = new Uint32Array(BUCKETS);
  private textCount = 0;

  /** Calls `add` once for each bucket of a text. Rejects with the reason of the slice's signal. */
  async collect(folded: string, add: (bucket: number) => void, slice: TimeSlice): Promise<void> {
    const textNumber = ++this.textCount;
    const { lastTexts } = this;
    const addOnce = (bucket: number) => {
      if (lastTexts[bucket] === textNumber) return;
      lastTexts[bucket] = textNumber;
      add(bucket);
    };
    let before = 0;
    let last = 0;
    for (let at = 0; at < folded.length; at++) {
      if (at % UNITS_PER_STEP === 0) await slice.pause();
      const unit = folded.charCodeAt(at);
      if (unit === SEPARATOR_UNIT) {
        before = last = 0;
        continue;
      }
      addOnce(bucketOf(unit, 0, 0));
      if (last !== 0) addOnce(bucketOf(last, unit, 0));
      if (before !== 0 && isNarrow(before, last, unit)) addOnce(bucketOf(before, last, unit));
      before = last;
      last = unit;
    }
  }
}

/** Returns the buckets that every text with the term has. */
export function bucketsOfTerm(term: string): number[] {
  if (term.length === 1) return [bucketOf(term.charCodeAt(0), 0, 0)];
  const buckets = new Set<number>();
  let isCovered = false;
  for (let at = 0; at + 1 < term.length; at++) {
    const one = term.charCodeAt(at);
    const two = term.charCodeAt(at + 1);
    const three = term.charCodeAt(at + 2);
    const isTriple = isNarrow(one, two, three);
    if (isTriple) buckets.add(bucketOf(one, two, three));
    else if (!isCovered) buckets.add(bucketOf(one, two, 0));
    // A triple includes the next pair.
    isCovered = isTriple;
  }
  return [...buckets];
}

/** True for three units of alphabets; false if one is NaN, behind the end of a term. */
function isNarrow(one: number, two: number, three: number): boolean {
  return one < FIRST_WIDE_UNIT && two < FIRST_WIDE_UNIT && three < FIRST_WIDE_UNIT;
}

/** Returns the bucket of a gram. Shorter grams end with zeros; normalized text has no unit 0. */
function bucketOf(one: number, two: number, three: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca6b) ^ Math.imul(three, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> (32 - BUCKET_BITS);
}
