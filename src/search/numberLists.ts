/**
 * Many growing lists of ascending numbers in one buffer. A list has the distance of each number to the one
 * before, in variable length (LEB128). Its bytes are in a chain of chunks, each as long as all before it.
 */
import { ByteBuffer, doubled, WORD } from "./byteBuffer";

/** Numbers of the list that was decoded last. */
let numbersBuffer = new Uint32Array(1 << 16);

/** The first `count` of some numbers, valid until the next list is decoded. A part would be a new object. */
export interface DecodedNumbers {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/** Decodes the bytes of a list. */
export function decodeNumbers(bytes: Uint8Array, start: number, end: number): DecodedNumbers {
  if (end - start > numbersBuffer.length) numbersBuffer = new Uint32Array(2 * (end - start));
  const numbers = numbersBuffer;
  let count = 0;
  let number = 0;
  for (let at = start; at < end;) {
    const first = bytes[at++] ?? 0;
    let byte = bytes[at] ?? 0;
    // Frequent words have distances of one byte and of two in no order: without a branch for
    // each, which processors would predict wrongly, most lists are decoded in two thirds of the time.
    const isLong = first >> 7;
    let distance = (first & 0x7f) | ((byte & 0x7f & -isLong) << 7);
    at += isLong;
    if ((first & byte & 0x80) !== 0)
      for (let shift = 14; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0;
        distance |= (byte & 0x7f) << shift;
      }
    number += distance;
    numbers[count++] = number;
  }
  return { numbers, count };
}

/** Size of the first two chunks of a list, in bytes; a power of two. */
const MIN_CHUNK_BYTES = 8;

export class NumberLists {
  private bytes = new DataView(new ArrayBuffer(1 << 20));
  private used = 0;
  /** Columns of the lists. A chunk begins with the offset of the next one. */
  private firstChunks = new Uint32Array(1 << 12);
  private lastChunks = new Uint32Array(1 << 12);
  private lengths = new Uint32Array(1 << 12);
  private lastNumbers = new Uint32Array(1 << 12);
  private count = 0;
  private readonly copy = new ByteBuffer();

  /** Adds an empty list. Returns its id: 0, 1, 2 … */
  addList(): number {
    if (this.count === this.lengths.length) {
      this.firstChunks = doubled(this.firstChunks);
      this.lastChunks = doubled(this.lastChunks);
      this.lengths = doubled(this.lengths);
      this.lastNumbers = doubled(this.lastNumbers);
    }
    return this.count++;
  }

  /** Returns the size of a list, in bytes. */
  bytesOf(id: number): number {
    return this.lengths[id] ?? 0;
  }

  /** Returns the last number of a list; 0 for an empty list. */
  lastOf(id: number): number {
    return this.lastNumbers[id] ?? 0;
  }

  /** Adds a number that is not less than the last one. */
  add(id: number, number: number): void {
    let rest = number - this.lastOf(id);
    this.lastNumbers[id] = number;
    for (; rest > 0x7f; rest >>>= 7) this.addByte(id, (rest & 0x7f) | 0x80);
    this.addByte(id, rest);
  }

  /** Adds the bytes of a list to a buffer. */
  copyTo(target: ByteBuffer, id: number): void {
    const length = this.bytesOf(id);
    let chunk = this.firstChunks[id] ?? 0;
    for (let done = 0; done < length;) {
      const size = Math.min(Math.max(MIN_CHUNK_BYTES, done), length - done);
      target.add(new Uint8Array(this.bytes.buffer, chunk + WORD, size));
      done += size;
      if (done < length) chunk = this.bytes.getUint32(chunk);
    }
  }

  /** Decodes a list. */
  numbersOf(id: number): DecodedNumbers {
    this.copy.clear();
    this.copyTo(this.copy, id);
    return decodeNumbers(this.copy.view(), 0, this.copy.length);
  }

  private addByte(id: number, byte: number): void {
    const length = this.bytesOf(id);
    const chunkStart = length < MIN_CHUNK_BYTES ? 0 : 1 << (31 - Math.clz32(length));
    if (length === chunkStart) this.addChunk(id, Math.max(MIN_CHUNK_BYTES, length));
    this.bytes.setUint8((this.lastChunks[id] ?? 0) + WORD + length - chunkStart, byte);
    this.lengths[id] = length + 1;
  }

  private addChunk(id: number, size: number): void {
    const start = this.used;
    this.used += WORD + size;
    if (this.used > this.bytes.byteLength) {
      const larger = new Uint8Array(Math.max(1.5 * this.bytes.byteLength, this.used));
      larger.set(new Uint8Array(this.bytes.buffer, 0, start));
      this.bytes = new DataView(larger.buffer);
    }
    if (this.bytesOf(id) === 0) this.firstChunks[id] = start;
    else this.bytes.setUint32(this.lastChunks[id] ?? 0, start);
    this.lastChunks[id] = start;
  }
}
