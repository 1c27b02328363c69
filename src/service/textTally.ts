/**
 * Counts the text of a reply without keeping it: its bytes in UTF-8 for the cap, and a running
 * hash that tells whether a later text begins with everything that came before.
 */

/** Bytes, UTF-16 units and hash of a text read so far. */
export interface TextTally {
  /** UTF-8 bytes of everything added. */
  bytes(): number;
  /** UTF-16 units of everything added. */
  chars(): number;
  add(text: string): void;
  /** True when `text` begins with everything added so far. */
  isBeginningOf(text: string): boolean;
}

// FNV-1a over UTF-16 units. Source: http://www.isthe.com/chongo/tech/comp/fnv/
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** Starts a tally at nothing. */
export function createTextTally(): TextTally {
  let bytes = 0;
  let chars = 0;
  let hash = HASH_START;
  return {
    bytes: () => bytes,
    chars: () => chars,
    add(text) {
      let added = 0;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        hash = Math.imul(hash ^ unit, HASH_FACTOR);
        added += utf8Bytes(unit);
      }
      bytes += added;
      chars += text.length;
    },
    isBeginningOf(text) {
      if (text.length < chars) return false;
      let other = HASH_START;
      for (let i = 0; i < chars; i++) other = Math.imul(other ^ text.charCodeAt(i), HASH_FACTOR);
      return other === hash;
    },
  };
}

/** UTF-8 bytes of one UTF-16 unit; each half of a pair counts as two of the pair's four. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

/** The longest beginning of `text` of at most `maxBytes` UTF-8 bytes; no pair is split. */
export function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    bytes += utf8Bytes(text.charCodeAt(i));
    if (bytes > maxBytes) {
      const isHalfPair = /[\ud800-\udbff]/.test(text.charAt(i - 1));
      return text.slice(0, isHalfPair ? i - 1 : i);
    }
  }
  return text;
}
