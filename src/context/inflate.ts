/**
 * Decompresses small zlib streams, synchronously and on every platform: the color profiles of PNGs.
 * Format: RFC 1950 and RFC 1951. The checksum is not verified.
 */

const MAX_CODE_BITS = 15;

const LENGTH_BASE = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115],
  ...[131, 163, 195, 227, 258],
];
const LENGTH_EXTRA = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
];
const DISTANCE_BASE = [
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537],
  ...[2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577],
];
const distanceExtra = (symbol: number): number => Math.max(0, (symbol >> 1) - 1);

/** Order in which the lengths of the code-length code are stored. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A canonical Huffman code: number of codes of each length, and symbols in the order of codes. */
interface HuffmanCode {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

/** Returns the content of a zlib stream; undefined for damaged streams and more than `maxBytes`. */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const [method = 0, flags = 0] = bytes;
  const hasDictionary = (flags & 0x20) !== 0;
  if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || hasDictionary) return undefined;
  try {
    return inflateBlocks(new BitReader(bytes.subarray(2)), maxBytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads bits from the lowest of each byte on; throws `RangeError` at the end. */
class BitReader {
  private at = 0;
  private buffered = 0;
  private bitCount = 0;

  constructor(private readonly bytes: Uint8Array) {}

  read(count: number): number {
    while (this.bitCount < count) {
      this.buffered |= this.readByte() << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.buffered & ((1 << count) - 1);
    this.buffered >>>= count;
    this.bitCount -= count;
    return value;
  }

  readSymbol({ counts, symbols }: HuffmanCode): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      code |= this.read(1);
      const count = counts[length] ?? 0;
      const symbol = symbols[index + code - first];
      if (code - first < count && symbol !== undefined) return symbol;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError("invalid code");
  }

  /** Drops the rest of the current byte and returns the block that its length precedes. */
  readStored(): Uint8Array {
    this.buffered = 0;
    this.bitCount = 0;
    const length = this.readByte() | (this.readByte() << 8);
    const complement = this.readByte() | (this.readByte() << 8);
    const end = this.at + length;
    if ((length ^ complement) !== 0xffff || end > this.bytes.length) {
      throw new RangeError("invalid length");
    }
    const block = this.bytes.subarray(this.at, end);
    this.at = end;
    return block;
  }

  private readByte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("unexpected end");
    return byte;
  }
}

function inflateBlocks(bits: BitReader, maxBytes: number): Uint8Array {
  const output: number[] = [];
  for (let isLast = false; !isLast;) {
    isLast = bits.read(1) === 1;
    const type = bits.read(2);
    if (type === 0) for (const byte of bits.readStored()) output.push(byte);
    else if (type === 1) inflateBlock(bits, fixedCodes(), output, maxBytes);
    else if (type === 2) inflateBlock(bits, readCodes(bits), output, maxBytes);
    else throw new RangeError("invalid block");
    if (output.length > maxBytes) throw new RangeError("too long");
  }
  return Uint8Array.from(output);
}

interface Codes {
  readonly lengths: HuffmanCode;
  readonly distances: HuffmanCode;
}

function inflateBlock(bits: BitReader, codes: Codes, output: number[], maxBytes: number): void {
  for (;;) {
    const symbol = bits.readSymbol(codes.lengths);
    if (symbol === 256) return;
    if (symbol < 256) output.push(symbol);
    else {
      const length =
        valueAt(LENGTH_BASE, symbol - 257) + bits.read(LENGTH_EXTRA[symbol - 257] ?? 0);
      const distanceSymbol = bits.readSymbol(codes.distances);
      const distance =
        valueAt(DISTANCE_BASE, distanceSymbol) + bits.read(distanceExtra(distanceSymbol));
      for (let count = 0; count < length; count++)
        output.push(valueAt(output, output.length - distance));
    }
    if (output.length > maxBytes) throw new RangeError("too long");
  }
}

/** Returns the codes of block type 1. Source: RFC 1951, 3.2.6. */
function fixedCodes(): Codes {
  const lengths = Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  );
  return { lengths: codeOf(lengths), distances: codeOf(Array<number>(30).fill(5)) };
}

/** Reads the codes of block type 2. Source: RFC 1951, 3.2.7. */
function readCodes(bits: BitReader): Codes {
  const lengthCount = bits.read(5) + 257;
  const distanceCount = bits.read(5) + 1;
  const codeLengthCount = bits.read(4) + 4;
  const codeLengths = Array<number>(19).fill(0);
  for (const symbol of CODE_LENGTH_ORDER.slice(0, codeLengthCount)) {
    codeLengths[symbol] = bits.read(3);
  }
  const code = codeOf(codeLengths);
  const lengths: number[] = [];
  while (lengths.length < lengthCount + distanceCount) {
    const symbol = bits.readSymbol(code);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) {
      const last = valueAt(lengths, lengths.length - 1);
      lengths.push(...Array<number>(3 + bits.read(2)).fill(last));
    } else {
      const count = symbol === 17 ? 3 + bits.read(3) : 11 + bits.read(7);
      lengths.push(...Array<number>(count).fill(0));
    }
  }
  return {
    lengths: codeOf(lengths.slice(0, lengthCount)),
    distances: codeOf(lengths.slice(lengthCount, lengthCount + distanceCount)),
  };
}

function codeOf(lengths: readonly number[]): HuffmanCode {
  const counts = Array<number>(MAX_CODE_BITS + 1).fill(0);
  const symbols: number[] = [];
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    lengths.forEach((one, symbol) => one === length && symbols.push(symbol));
    counts[length] = lengths.filter((one) => one === length).length;
  }
  return { counts, symbols };
}

function valueAt(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError("invalid code");
  return value;
}
