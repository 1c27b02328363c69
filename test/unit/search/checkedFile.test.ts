/** Memory of the parts of a file: used again only after its release. */
import assert from "node:assert/strict";
import { ByteBuffer } from "../../../src/search/byteBuffer";
import {
  CheckedFile,
  DamagedFile,
  withChecksums,
  type ReadRanges,
} from "../../../src/search/checkedFile";

const BLOCK_BYTES = 16 * 1024;

/** Returns a file whose blocks each have the same byte, read into memory of the reader or a view of all. */
async function fileOf(blocks: number, isView: boolean, damaged?: number): Promise<CheckedFile> {
  const content = new ByteBuffer();
  for (let block = 0; block < blocks; block++) content.add(new Uint8Array(BLOCK_BYTES).fill(block));
  const bytes = withChecksums(content).slice();
  if (damaged !== undefined) bytes[damaged * BLOCK_BYTES] = 0xff;
  const readRanges: ReadRanges = (ranges, allocate = (size) => new Uint8Array(size)) => {
    if (isView) return Promise.resolve(ranges.map(([start, end]) => bytes.subarray(start, end)));
    const all = allocate(ranges.reduce((sum, [start, end]) => sum + end - start, 0));
    let to = 0;
    const parts = ranges.map(([start, end]) => {
      all.set(bytes.subarray(start, end), to);
      return all.subarray(to, (to += end - start));
    });
    return Promise.resolve(parts);
  };
  return CheckedFile.open(readRanges, bytes.length);
}

async function blockOf(file: CheckedFile, block: number) {
  const { runs, release } = await file.read([block * BLOCK_BYTES], [(block + 1) * BLOCK_BYTES]);
  return { bytes: runs[0]?.bytes ?? new Uint8Array(), release };
}

describe("CheckedFile", () => {
  it("reads into the memory of a released part, not into that of another", async () => {
    const file = await fileOf(3, false);
    const first = await blockOf(file, 0);
    const second = await blockOf(file, 1);
    assert.notEqual(first.bytes.buffer, second.bytes.buffer);
    first.release();
    const third = await blockOf(file, 2);
    assert.equal(third.bytes.buffer, first.bytes.buffer);
    assert.ok(third.bytes.every((byte) => byte === 2));
    assert.ok(second.bytes.every((byte) => byte === 1));
  });

  it("never writes into a file in memory", async () => {
    const inMemory = await fileOf(3, true);
    const onDisk = await fileOf(3, false);
    (await blockOf(inMemory, 1)).release();
    await blockOf(onDisk, 2);
    assert.ok((await blockOf(inMemory, 1)).bytes.every((byte) => byte === 1));
  });

  it("reads ranges that are close together at once, and each byte of all ranges", async () => {
    const file = await fileOf(12, false);
    const at = [0.5, 1.5, 9, 9.25].map((block) => block * BLOCK_BYTES);
    const { runs } = await file.read(
      at,
      at.map((start) => start + BLOCK_BYTES),
    );
    const ranges = runs.map(({ start, bytes }) =>
      [start, bytes.length].map((n) => n / BLOCK_BYTES),
    );
    assert.deepEqual(ranges, [
      [0, 3],
      [9, 2],
    ]);
  });

  it("refuses a damaged block that is asked for, and not one between two others", async () => {
    const file = await fileOf(3, false, 1);
    const starts = [0, 2 * BLOCK_BYTES];
    const { runs } = await file.read(starts, [BLOCK_BYTES, 3 * BLOCK_BYTES]);
    assert.equal(runs.length, 1);
    await assert.rejects(blockOf(file, 1), DamagedFile);
    await assert.rejects(file.read([BLOCK_BYTES / 2], [BLOCK_BYTES + 1]), DamagedFile);
  });
});
