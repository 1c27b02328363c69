/**
 * Cache file of the index entries, so that listing does not read thousands of conversations. The file
 * has blocks, each with a checksum and the columns of some entries. A later block replaces entries of
 * earlier ones, so a change appends a short block. Damaged blocks count as missing.
 */
import * as z from "zod/mini";
import { checksum, WORD, wordAt } from "./byteBuffer";
import {
  countColumns,
  COUNTS,
  numberColumns,
  NUMBERS,
  textBytesOf,
  type EntryColumns,
} from "./entryTable";

/** Part of the file name, so that versions do not overwrite each other's cache. */
const VERSION = 3;

export const INDEX_CACHE_PATH = `index-${VERSION}.bin`;

/** Entries in a block; decoding a block takes less than a millisecond. */
export const ENTRIES_PER_BLOCK = 1_000;

/**
 * Words before the body of a block: version, size of the body, checksum of everything behind the
 * checksum, number of entries, size of the head.
 */
const HEADER_WORDS = 5;
const UNCHECKED_WORDS = 3;

/** Divisor of all lengths, in bytes: a copied block can then be viewed as 64-bit numbers. */
const ALIGNMENT = 8;

/** Padding between the head, which is JSON, and the next multiple of `ALIGNMENT`. */
const BLANK = 0x20;

/** Part of a block that is not a column. */
const headSchema = z.object({
  workspaces: z.array(z.string()),
  modelLists: z.array(z.array(z.string())),
});

/** Encodes a block. Numbers are little-endian, as on all machines that VS Code supports. */
export function encodeIndexBlock(columns: EntryColumns): Uint8Array {
  const { numbers, counts, flags, workspaces, modelLists, text } = columns;
  const head = new TextEncoder().encode(JSON.stringify({ workspaces, modelLists }));
  const headBytes = aligned(head.length);
  const parts = [
    head,
    new Uint8Array(headBytes - head.length).fill(BLANK),
    ...NUMBERS.map((key) => bytesOf(numbers[key])),
    ...COUNTS.map((key) => bytesOf(counts[key])),
    flags,
    text,
  ];
  const length = aligned(parts.reduce((sum, part) => sum + part.length, 0));
  const block = new Uint8Array(HEADER_WORDS * WORD + length);
  let at = HEADER_WORDS * WORD;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  const header = new DataView(block.buffer);
  header.setUint32(0, VERSION, true);
  header.setUint32(WORD, length, true);
  header.setUint32(3 * WORD, flags.length, true);
  header.setUint32(4 * WORD, headBytes, true);
  header.setUint32(2 * WORD, checksum(block.subarray(UNCHECKED_WORDS * WORD)), true);
  return block;
}

/**
 * Decodes the blocks, the last and newest first; undefined for damaged ones and for those of another
 * version.
 */
export function* decodeIndexBlocks(
  bytes: Uint8Array,
): Generator<EntryColumns | undefined, void, void> {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const length = wordAt(bytes, start + WORD);
    const end = length === undefined ? Infinity : start + HEADER_WORDS * WORD + length;
    blocks.push(bytes.subarray(start, end));
    start = end;
  }
  for (const block of blocks.reverse()) yield decodeBlock(block);
}

function decodeBlock(block: Uint8Array): EntryColumns | undefined {
  const word = (at: number) => wordAt(block, at * WORD) ?? 0;
  // A copy, because columns of numbers must be aligned.
  const body = new Uint8Array(block.subarray(HEADER_WORDS * WORD));
  const isIntact = word(0) === VERSION && word(1) === body.length;
  if (!isIntact || word(2) !== checksum(block.subarray(UNCHECKED_WORDS * WORD))) return undefined;
  const [rows, headBytes] = [word(3), word(4)];
  let at = headBytes;
  const readBytes = (size: number) => {
    at += size;
    return body.subarray(at - size, at);
  };
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body.subarray(0, headBytes)));
    const { workspaces, modelLists } = headSchema.parse(json);
    const numbers = numberColumns(() => {
      const column = readBytes(rows * Float64Array.BYTES_PER_ELEMENT);
      return new Float64Array(column.buffer, column.byteOffset, rows);
    });
    const counts = countColumns(() => {
      const column = readBytes(rows * Uint32Array.BYTES_PER_ELEMENT);
      return new Uint32Array(column.buffer, column.byteOffset, rows);
    });
    const flags = readBytes(rows);
    let textBytes = 0;
    for (let row = 0; row < rows; row++) textBytes += textBytesOf(counts, row);
    return { numbers, counts, flags, workspaces, modelLists, text: readBytes(textBytes) };
  } catch {
    return undefined;
  }
}

function bytesOf(column: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
