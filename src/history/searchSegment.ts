/**
 * Segment of the search index: an immutable file with the searchable texts of about a thousand
 * conversations and, for each bucket of grams, the numbers of the texts that have it.
 *
 * Layout: texts; groups of buckets; offset of each group; table of the documents (JSON); footer.
 * Every part has a checksum, which is verified when the part is read.
 */
import * as z from "zod/mini";
import { ByteBuffer, ByteReader, checksum, WORD, wordAt } from "./byteBuffer";
import type { FileSystem } from "./fileSystem";
import { BUCKETS, bucketsOfTerm, GramCollector } from "./grams";
import type { EntryTable } from "./entryTable";
import type { IndexEntry } from "./indexEntry";
import { SearchText } from "./searchText";
import type { TimeSlice } from "./timeSlice";

/** Maximum size of the texts in a segment, in bytes; a segment is built in memory. */
export const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;

/** Maximum number of documents; a bit map of them must stay small. */
export const MAX_DOCUMENTS = 4_096;

/** Buckets in a group, the unit of a read. */
const GROUP_BUCKETS = 16;
const GROUPS = BUCKETS / GROUP_BUCKETS;

const FOOTER_WORDS = 4;

/** Maximum number of cached bit maps; the next key of a search needs mostly the same. */
const MAX_BIT_MAPS = 64;

/** Maximum gap between two texts that are read together, and maximum size of such a read, in bytes. */
const MAX_GAP_BYTES = 16 * 1024;
const MAX_READ_BYTES = 512 * 1024;

const tableSchema = z.object({
  ids: z.array(z.string()),
  fileBytes: z.array(z.number()),
  fileChangedAtMs: z.array(z.number()),
  /** Normalized titles. */
  titles: z.array(z.string()),
  /** Size of each text in bytes; the texts lie one behind the other. */
  sizes: z.array(z.number()),
});

/** Conversation whose text is in a segment; valid while its file has this size and time. */
export type IndexedFile = Pick<IndexEntry, "id" | "fileBytes" | "fileChangedAtMs">;

/** Error for a part of the file that is not as it was written. */
export class DamagedSegment extends Error {
  override readonly name = "DamagedSegment";
}

/** Collects documents and encodes the file. */
export class SegmentBuilder {
  private readonly grams = new GramCollector();
  private readonly texts = new ByteBuffer();
  private readonly table: z.infer<typeof tableSchema> = {
    ids: [],
    fileBytes: [],
    fileChangedAtMs: [],
    titles: [],
    sizes: [],
  };
  /** Buckets of all documents, one document behind the other. */
  private buckets = new Uint32Array(1 << 18);
  private bucketCount = 0;
  private readonly bucketEnds: number[] = [];

  get count(): number {
    return this.table.ids.length;
  }

  get isFull(): boolean {
    return this.texts.length >= MAX_SEGMENT_BYTES || this.count >= MAX_DOCUMENTS;
  }

  async add(file: IndexedFile, text: SearchText, slice: TimeSlice): Promise<void> {
    const { table } = this;
    const encoded = text.encode();
    table.ids.push(file.id);
    table.fileBytes.push(file.fileBytes);
    table.fileChangedAtMs.push(file.fileChangedAtMs);
    table.titles.push(text.folded.slice(...text.bounds(0)));
    table.sizes.push(encoded.length);
    this.texts.add(encoded);
    await this.grams.collect(text.folded, (bucket) => this.addBucket(bucket), slice);
    this.bucketEnds.push(this.bucketCount);
  }

  /** Encodes the file. Rejects with the reason of the slice's signal. */
  async encode(slice: TimeSlice): Promise<Uint8Array> {
    const [ends, numbers] = await this.documentsByBucket(slice);
    const file = this.texts;
    const offsets = new ByteBuffer();
    for (let first = 0; first < BUCKETS; first += GROUP_BUCKETS) {
      offsets.addWord(file.length);
      const start = file.length;
      file.addWord(0);
      for (let bucket = first; bucket < first + GROUP_BUCKETS; bucket++) {
        const list = numbers.subarray(ends[bucket - 1] ?? 0, ends[bucket]);
        addNumbers(file, list, this.count);
      }
      file.setWord(start, checksum(file.view(start + WORD)));
      const pause = slice.pause();
      if (pause) await pause;
    }
    offsets.addWord(file.length);
    offsets.add(new TextEncoder().encode(JSON.stringify(this.table)));
    const tail = offsets.view();
    file.add(tail);
    for (const word of [tail.length, checksum(tail), GROUPS, this.count]) file.addWord(word);
    return file.view();
  }

  private addBucket(bucket: number): void {
    if (this.bucketCount === this.buckets.length) {
      const larger = new Uint32Array(this.buckets.length * 2);
      larger.set(this.buckets);
      this.buckets = larger;
    }
    this.buckets[this.bucketCount++] = bucket;
  }

  /** Returns the numbers of the documents by bucket, and the end of each bucket's list. */
  private async documentsByBucket(
    slice: TimeSlice,
  ): Promise<readonly [ends: Uint32Array, Uint16Array]> {
    const ends = new Uint32Array(BUCKETS);
    for (let at = 0; at < this.bucketCount; at++) {
      const bucket = this.buckets[at] ?? 0;
      ends[bucket] = (ends[bucket] ?? 0) + 1;
      if ((at & 0xffff) === 0) await slice.pause();
    }
    let start = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = ends[bucket] ?? 0;
      ends[bucket] = start;
      start += count;
    }
    const numbers = new Uint16Array(this.bucketCount);
    let at = 0;
    for (const [number, end] of this.bucketEnds.entries()) {
      for (; at < end; at++) {
        const bucket = this.buckets[at] ?? 0;
        const position = ends[bucket] ?? 0;
        numbers[position] = number;
        ends[bucket] = position + 1;
      }
      const pause = slice.pause();
      if (pause) await pause;
    }
    return [ends, numbers];
  }
}

/** Texts that are read together, with their range in the file. */
interface TextRun {
  readonly start: number;
  end: number;
  readonly numbers: number[];
}

/** Row of a document whose conversation is not in the list. */
const NO_ROW = -1;

/** Reads a segment. */
export class SearchSegment {
  /** Documents that have a gram of a bucket, for the buckets read last. */
  private readonly bitMaps = new Map<number, Uint8Array>();
  private readonly fileBytes: Float64Array;
  private readonly fileChangedAtMs: Float64Array;
  private readonly titles: readonly string[];
  /** Start of each text, and the end of the last. */
  private readonly starts: Uint32Array;
  /** Row of each document in the list of conversations. */
  private readonly rows: Int32Array;
  /** Ids of the documents without a row. */
  private readonly unlinked: Map<number, string>;

  private constructor(
    private readonly files: FileSystem,
    readonly path: string,
    table: z.infer<typeof tableSchema>,
    /** Offset of each group, and the end of the last. */
    private readonly groupOffsets: Uint32Array,
  ) {
    this.fileBytes = Float64Array.from(table.fileBytes);
    this.fileChangedAtMs = Float64Array.from(table.fileChangedAtMs);
    this.titles = table.titles;
    this.rows = new Int32Array(table.ids.length).fill(NO_ROW);
    this.unlinked = new Map(table.ids.entries());
    this.starts = new Uint32Array(table.ids.length + 1);
    let start = 0;
    for (const [number, size] of table.sizes.entries()) this.starts[number + 1] = start += size;
  }

  /** Opens a segment. Undefined if there is no file; rejects with DamagedSegment. */
  static async open(files: FileSystem, path: string): Promise<SearchSegment | undefined> {
    const stat = await files.stat(path);
    if (stat === undefined) return undefined;
    const footerStart = stat.bytes - FOOTER_WORDS * WORD;
    const [footer] = (await files.readRanges(path, [[footerStart, stat.bytes]])) ?? [];
    if (footer?.length !== FOOTER_WORDS * WORD) throw new DamagedSegment("no footer");
    const [tailBytes = 0, tailSum, groupCount, count] = words(footer);
    const offsetBytes = (GROUPS + 1) * WORD;
    if (groupCount !== GROUPS || tailBytes < offsetBytes || tailBytes > footerStart)
      throw new DamagedSegment("footer");
    const [tail] = (await files.readRanges(path, [[footerStart - tailBytes, footerStart]])) ?? [];
    if (tail === undefined || checksum(tail) !== tailSum) throw new DamagedSegment("table");
    const table = tableSchema.parse(
      JSON.parse(new TextDecoder().decode(tail.subarray(offsetBytes))),
    );
    const { ids, fileBytes, fileChangedAtMs, titles, sizes } = table;
    const isWhole = [ids, fileBytes, fileChangedAtMs, titles, sizes].every(
      (column) => column.length === count,
    );
    if (!isWhole) throw new DamagedSegment("count");
    return new SearchSegment(files, path, table, words(tail.subarray(0, offsetBytes)));
  }

  get count(): number {
    return this.rows.length;
  }

  textBytesOf(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }

  /** Finds the rows of documents that had none in the list of conversations so far. */
  link(table: EntryTable): void {
    for (const [number, id] of this.unlinked) {
      const row = table.rowOf(id);
      if (row === undefined) continue;
      this.rows[number] = row;
      this.unlinked.delete(number);
    }
  }

  /** Returns the row of a document; undefined if its conversation is not in the list. */
  rowOf(number: number): number | undefined {
    const row = this.rows[number];
    return row === NO_ROW ? undefined : row;
  }

  /** True if the text of a document is from the file of this entry. */
  isUpToDate(number: number, table: EntryTable, row: number): boolean {
    return table.isOfFile(row, this.fileBytes[number], this.fileChangedAtMs[number]);
  }

  /** Returns the size and time of the file that a text is from. */
  indexedFile(number: number): Omit<IndexedFile, "id"> {
    return {
      fileBytes: this.fileBytes[number] ?? -1,
      fileChangedAtMs: this.fileChangedAtMs[number] ?? -1,
    };
  }

  /** Returns the normalized title. */
  title(number: number): string {
    return this.titles[number] ?? "";
  }

  /** Returns a bit for each document, which is 0 only if the document lacks a term. */
  async candidates(terms: readonly string[]): Promise<Uint8Array> {
    const buckets = new Set(terms.flatMap(bucketsOfTerm));
    await this.readBitMaps([...buckets].filter((bucket) => !this.bitMaps.has(bucket)));
    const bits = new Uint8Array((this.count + 7) >> 3).fill(0xff);
    for (const bucket of buckets) {
      const bitMap = this.bitMaps.get(bucket) ?? bits;
      for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & (bitMap[at] ?? 0);
    }
    for (const bucket of this.bitMaps.keys()) {
      if (this.bitMaps.size <= MAX_BIT_MAPS) break;
      this.bitMaps.delete(bucket);
    }
    return bits;
  }

  /** Reads the bit maps of buckets into the cache. */
  private async readBitMaps(buckets: readonly number[]): Promise<void> {
    const groups = [...new Set(buckets.map(groupOf))].sort((a, b) => a - b);
    if (groups.length === 0) return;
    const read = await this.readRanges(
      groups.map((group) => [this.groupOffsets[group] ?? 0, this.groupOffsets[group + 1] ?? 0]),
    );
    groups.forEach((group, index) => {
      const bytes = read[index] ?? new Uint8Array();
      if (wordAt(bytes, 0) !== checksum(bytes.subarray(WORD))) throw new DamagedSegment("group");
      const reader = new ByteReader(bytes, WORD);
      for (let at = 0; at < GROUP_BUCKETS; at++) {
        const bucket = group * GROUP_BUCKETS + at;
        if (buckets.includes(bucket)) this.bitMaps.set(bucket, readNumbers(reader, this.count));
        else skipNumbers(reader, this.count);
      }
    });
  }

  /** Reads texts, in the order of `numbers`. */
  async readTexts(numbers: readonly number[]): Promise<SearchText[]> {
    const runs = this.runsOf(numbers);
    const read = await this.readRanges(runs.map(({ start, end }) => [start, end]));
    const texts = new Map<number, SearchText>();
    for (const [at, run] of runs.entries()) {
      const bytes = read[at] ?? new Uint8Array();
      for (const number of run.numbers) {
        const start = (this.starts[number] ?? 0) - run.start;
        const text = SearchText.decode(bytes.subarray(start, start + this.textBytesOf(number)));
        if (text === undefined) throw new DamagedSegment("text");
        texts.set(number, text);
      }
    }
    return numbers.map((number) => texts.get(number)).filter((text) => text !== undefined);
  }

  /** Groups texts that lie close together, so that few reads are needed. */
  private runsOf(numbers: readonly number[]): TextRun[] {
    const runs: TextRun[] = [];
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const [start = 0, end = 0] = [this.starts[number], this.starts[number + 1]];
      const run = runs.at(-1);
      if (run && start - run.end <= MAX_GAP_BYTES && end - run.start <= MAX_READ_BYTES) {
        run.end = end;
        run.numbers.push(number);
      } else runs.push({ start, end, numbers: [number] });
    }
    return runs;
  }

  private async readRanges(ranges: readonly (readonly [number, number])[]): Promise<Uint8Array[]> {
    const read = await this.files.readRanges(this.path, ranges);
    if (read === undefined) throw new DamagedSegment("no file");
    return read;
  }
}

function groupOf(bucket: number): number {
  return Math.floor(bucket / GROUP_BUCKETS);
}

/** Adds ascending numbers: their count, then their gaps, or a bit map if that is shorter. */
function addNumbers(file: ByteBuffer, numbers: Uint16Array, total: number): void {
  file.addNumber(numbers.length);
  if (isBitMap(numbers.length, total)) {
    const bits = new Uint8Array((total + 7) >> 3);
    for (const number of numbers) setBit(bits, number);
    file.add(bits);
    return;
  }
  let last = -1;
  for (const number of numbers) {
    file.addNumber(number - last - 1);
    last = number;
  }
}

/** Returns a bit map of the numbers of a list. */
function readNumbers(reader: ByteReader, total: number): Uint8Array {
  const count = reader.readNumber();
  // A copy, because a view would keep the bytes of the whole group.
  if (isBitMap(count, total)) return new Uint8Array(reader.readBytes((total + 7) >> 3));
  const bits = new Uint8Array((total + 7) >> 3);
  let last = -1;
  for (let at = 0; at < count; at++) {
    last += reader.readNumber() + 1;
    setBit(bits, last);
  }
  return bits;
}

/** Moves the reader behind a list. */
function skipNumbers(reader: ByteReader, total: number): void {
  const count = reader.readNumber();
  if (isBitMap(count, total)) reader.readBytes((total + 7) >> 3);
  else for (let at = 0; at < count; at++) reader.readNumber();
}

function setBit(bits: Uint8Array, number: number): void {
  bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
}

/** True if a bit map is shorter than gaps, which take at least a byte each. */
function isBitMap(count: number, total: number): boolean {
  return count * 8 > total;
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, at) =>
    view.getUint32(at * WORD, true),
  );
}
