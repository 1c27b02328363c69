/**
 * File with a checksum for each block. A block is verified when it is read first. Layout: content, then a
 * checksum for each block of the content, then the footer: size of the content, checksum of the checksums.
 */
import { checksum, WORD, wordAt, type ByteBuffer } from "./byteBuffer";

const BLOCK_BYTES = 16 * 1024;

/** Maximum gap between two ranges that are read together, in bytes: reading a gap costs less than a call. */
const MAX_GAP_BYTES = 32 * 1024;

const FOOTER_BYTES = 2 * WORD;

type Range = readonly [start: number, end: number];

/** Reads ranges of a file, as `FileSystem.readRanges`; undefined if there is no file. */
export type ReadRanges = (
  ranges: readonly Range[],
  allocate?: (bytes: number) => Uint8Array,
) => Promise<Uint8Array[] | undefined>;

/** Size of a kept buffer, and the number of these: as many as a search of a few words reads at once. */
const KEPT_BYTES = 2 * 1024 * 1024;
const MAX_KEPT = 4;

/** Buffers of earlier reads: creating and collecting megabytes for each key takes longer than reading them. */
const keptBuffers: Uint8Array[] = [];

/** Error for a file that is not as it was written. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}

/** Adds checksums and footer to the content in a buffer. Returns the whole file. */
export function withChecksums(file: ByteBuffer): Uint8Array {
  const contentBytes = file.length;
  for (let start = 0; start < contentBytes; start += BLOCK_BYTES) {
    const content = file.view().subarray(start, Math.min(start + BLOCK_BYTES, contentBytes));
    file.addWord(checksum(content));
  }
  const sum = checksum(file.view(contentBytes));
  file.addWord(contentBytes);
  file.addWord(sum);
  return file.view();
}

/** Parts of a file that were read. */
export interface ReadParts {
  /** In ascending order. */
  readonly runs: readonly Run[];
  /** Lets a later read use the memory of the parts, which are then no longer valid. Call once, or never. */
  readonly release: () => void;
}

/** Part of a file. */
export interface Run {
  /** Offset in the file. */
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Returns the end (exclusive) of a part; infinity for none. */
export function endOf(run: Run | undefined): number {
  return run ? run.start + run.bytes.length : Infinity;
}

export class CheckedFile {
  private readonly isVerified: Uint8Array;

  private constructor(
    private readonly readRanges: ReadRanges,
    readonly contentBytes: number,
    private readonly checksums: Uint8Array,
  ) {
    this.isVerified = new Uint8Array(checksums.length / WORD);
  }

  /** Opens a file of `bytes` bytes. Rejects with DamagedFile. */
  static async open(readRanges: ReadRanges, bytes: number): Promise<CheckedFile> {
    const footerStart = bytes - FOOTER_BYTES;
    const [footer] = (await readRanges([[footerStart, bytes]])) ?? [];
    const contentBytes = footer && wordAt(footer, 0);
    if (contentBytes === undefined) throw new DamagedFile("no footer");
    const sumBytes = Math.ceil(contentBytes / BLOCK_BYTES) * WORD;
    if (contentBytes + sumBytes !== footerStart) throw new DamagedFile("size");
    const [sums] = (await readRanges([[contentBytes, footerStart]])) ?? [];
    if (sums === undefined || checksum(sums) !== wordAt(footer ?? sums, WORD))
      throw new DamagedFile("checksums");
    return new CheckedFile(readRanges, contentBytes, sums);
  }

  /**
   * Reads ranges of the content, given by their starts and ends in ascending order, and what is between
   * ranges that are close. Rejects with DamagedFile.
   */
  async read(starts: ArrayLike<number>, ends: ArrayLike<number>): Promise<ReadParts> {
    const ranges = this.blocksOf(starts, ends);
    let kept: Uint8Array | undefined;
    const allocate = (bytes: number) => {
      if (bytes > KEPT_BYTES) return new Uint8Array(bytes);
      return (kept = keptBuffers.pop() ?? new Uint8Array(KEPT_BYTES));
    };
    const read = ranges.length === 0 ? [] : await this.readRanges(ranges, allocate);
    const runs = ranges.map(([start, end], at) => {
      const bytes = read?.[at];
      if (bytes?.length !== end - start) throw new DamagedFile("no file");
      return { start, bytes };
    });
    this.verify(runs, starts, ends);
    const release = () => {
      if (kept && keptBuffers.length < MAX_KEPT) keptBuffers.push(kept);
    };
    return { runs, release };
  }

  /** Returns the blocks of ranges, those that are close together. */
  private blocksOf(starts: ArrayLike<number>, ends: ArrayLike<number>): Range[] {
    const ranges: Range[] = [];
    let first = 0;
    let last = -Infinity;
    for (let at = 0; at < starts.length; at++) {
      const start = starts[at] ?? 0;
      const end = ends[at] ?? 0;
      if (start > last + MAX_GAP_BYTES) {
        if (at > 0) ranges.push([first, last]);
        first = start - (start % BLOCK_BYTES);
      }
      if (end > last)
        last = Math.min(Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES, this.contentBytes);
    }
    if (starts.length > 0) ranges.push([first, last]);
    return ranges;
  }

  /** Verifies the blocks of ranges, and not what was read between ranges that are close. */
  private verify(runs: readonly Run[], starts: ArrayLike<number>, ends: ArrayLike<number>): void {
    let run = 0;
    for (let at = 0; at < starts.length; at++) {
      const end = ends[at] ?? 0;
      for (let block = Math.floor((starts[at] ?? 0) / BLOCK_BYTES); ; block++) {
        const start = block * BLOCK_BYTES;
        if (start >= end) break;
        if (this.isVerified[block] === 1) continue;
        while (runs[run] && endOf(runs[run]) <= start) run++;
        const { start: runStart = 0, bytes = new Uint8Array() } = runs[run] ?? {};
        const content = bytes.subarray(start - runStart, start - runStart + BLOCK_BYTES);
        if (checksum(content) !== wordAt(this.checksums, block * WORD))
          throw new DamagedFile("block");
        this.isVerified[block] = 1;
      }
    }
  }
}
