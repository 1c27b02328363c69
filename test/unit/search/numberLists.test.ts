/** Lists of numbers are read as they were written, whatever the sizes of their distances are. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { ByteBuffer } from "../../../src/search/byteBuffer";
import { decodeNumbers, NumberLists } from "../../../src/search/numberLists";

/** Distances of one to five bytes, in any order. */
const anyDistance = fc.oneof(
  ...[0x7f, 0x3fff, 0x1f_ffff, 0xfff_ffff, 0x1fff_ffff].map((max) => fc.nat({ max })),
);
const MAX_NUMBER = 0x7fff_ffff;

describe("NumberLists", () => {
  it("returns the numbers of each list", () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyDistance), { maxLength: 5 }), (distances) => {
        const lists = new NumberLists();
        const written = distances.map((own) => {
          const id = lists.addList();
          let sum = 0;
          const numbers = own.map((distance) => (sum += distance)).filter((n) => n <= MAX_NUMBER);
          for (const number of numbers) lists.add(id, number);
          return numbers;
        });
        const file = new ByteBuffer();
        const starts = written.map((_, id) => {
          const start = file.length;
          lists.copyTo(file, id);
          return start;
        });
        for (const [id, numbers] of written.entries()) {
          const end = starts[id + 1] ?? file.length;
          const read = decodeNumbers(file.view(), starts[id] ?? 0, end);
          assert.deepEqual([...read.numbers.subarray(0, read.count)], numbers);
        }
      }),
    );
  });
});
