/** Reading while keys are still being found: each key once, and what is read can be used at any time. */
import assert from "node:assert/strict";
import { readInBatches } from "../../../src/base/readInBatches";

describe("readInBatches", () => {
  /** Reads batches that a test ends one by one. */
  function open() {
    const batches: { keys: readonly string[]; end: (values: string[] | Error) => void }[] = [];
    const reading = readInBatches(
      (keys: readonly string[]) =>
        new Promise<string[]>((resolve, reject) => {
          const end = (values: string[] | Error) =>
            values instanceof Error ? reject(values) : resolve(values);
          batches.push({ keys, end });
        }),
    );
    return { reading, batches };
  }

  it("reads at once, and together what is added during a batch, each key once", async () => {
    const { reading, batches } = open();
    reading.add(["a"]);
    reading.add(["b", "a"]);
    reading.add(["c", "b"]);
    assert.deepEqual(
      batches.map(({ keys }) => keys),
      [["a"]],
    );
    batches[0]?.end(["A"]);
    while (batches.length < 2) await Promise.resolve();
    assert.deepEqual(batches[1]?.keys, ["b", "c"]);
    assert.deepEqual([...reading.values], [["a", "A"]]);
    batches[1].end(["B", "C"]);
    await reading.finished();
    assert.deepEqual([...reading.values.values()], ["A", "B", "C"]);
  });
});
