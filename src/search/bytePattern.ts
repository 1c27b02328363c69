/** Search term in UTF-8, and its occurrences in folded text. */

/** Characters that are frequent in texts and code, in ASCII. Others are looked for with native code. */
const FREQUENT = " etaoinsrhldcumfpgwyb.,-()_";
const FIRST_NON_ASCII = 0x80;

const encoder = new TextEncoder();

export class BytePattern {
  private readonly bytes: Uint8Array;
  /** Distance that a search may skip if this byte is at the position of the last one. */
  private readonly skips: Uint16Array;
  /** Offset of a byte that is rare in texts; -1 if there is none. */
  private readonly rareAt: number;

  /** @param term is folded and not empty */
  constructor(term: string) {
    const bytes = encoder.encode(term);
    this.bytes = bytes;
    this.skips = new Uint16Array(256).fill(bytes.length);
    for (const [at, byte] of bytes.subarray(0, -1).entries())
      this.skips[byte] = bytes.length - 1 - at;
    const isRare = (byte: number) =>
      byte < FIRST_NON_ASCII && !FREQUENT.includes(String.fromCharCode(byte));
    this.rareAt = bytes.length === 1 ? 0 : bytes.findIndex(isRare);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Returns the offset of the first occurrence; -1 if there is none. */
  indexIn(text: Uint8Array): number {
    return this.rareAt === -1 ? this.bySkipping(text) : this.byRareByte(text);
  }

  private byRareByte(text: Uint8Array): number {
    const { bytes, rareAt } = this;
    const rare = bytes[rareAt] ?? 0;
    for (let at = text.indexOf(rare, rareAt); at !== -1; at = text.indexOf(rare, at + 1)) {
      let matched = 0;
      while (matched < bytes.length && text[at - rareAt + matched] === bytes[matched]) matched++;
      if (matched === bytes.length) return at - rareAt;
    }
    return -1;
  }

  /** Horspool: compares the last byte, and skips ahead as far as the byte in the text allows. */
  private bySkipping(text: Uint8Array): number {
    const { bytes, skips } = this;
    const last = bytes.length - 1;
    const lastByte = bytes[last];
    for (let at = last; at < text.length;) {
      const byte = text[at] ?? 0;
      if (byte === lastByte) {
        let left = last - 1;
        while (left >= 0 && text[at - last + left] === bytes[left]) left--;
        if (left < 0) return at - last;
      }
      at += skips[byte] ?? 1;
    }
    return -1;
  }
}
