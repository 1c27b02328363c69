/**
 * Measures the text of a reply without storing it: UTF-8 bytes for the limit, and a running hash that
 * detects whether a later text starts with all text before.
 */

// FNV-1a over UTF-16 units. Source: http://www.isthe.com/chongo/tech/comp/fnv/
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** Bytes, UTF-16 units and hash of a growing text. */
export class TextDigest {
  bytes = 0;
  /** UTF-16 units of the text so far. */
  chars = 0;
  private hash = HASH_START;

  add(text: string): void {
    let { hash, bytes } = this;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      hash = Math.imul(hash ^ unit, HASH_FACTOR);
      bytes += utf8Bytes(unit);
    }
    this.hash = hash;
    this.bytes = bytes;
    this.chars += text.length;
  }

  /** Returns true if `text` starts with all text so far. */
  isBeginningOf(text: string): boolean {
    if (text.length < this.chars) return false;
    let hash = HASH_START;
    for (let i = 0; i < this.chars; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), HASH_FACTOR);
    }
    return hash === this.hash;
  }
}

/** Returns the UTF-8 bytes of a UTF-16 unit; half a surrogate pair counts as two of four. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

/** Truncates `text` to at most `maxBytes` UTF-8 bytes without splitting a pair. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(Math.min(maxBytes, 3 * text.length));
  return text.slice(0, new TextEncoder().encodeInto(text, bytes).read);
}
