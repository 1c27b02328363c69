import assert from "node:assert/strict";
import { oneAtATime } from "../../../src/base/oneAtATime";

describe("oneAtATime", () => {
  it("shares one further run between the calls during a run", async () => {
    const ends: (() => void)[] = [];
    const start = oneAtATime(() => new Promise((resolve) => void ends.push(resolve)));
    const first = start();
    const second = start();
    const third = start();
    assert.equal(second, third);
    assert.equal(ends.length, 1);
    ends[0]?.();
    await first;
    await Promise.resolve();
    assert.equal(ends.length, 2);
    ends[1]?.();
    await third;
    assert.equal(ends.length, 2);
  });

  it("starts a run again after the last one has ended", async () => {
    let count = 0;
    const start = oneAtATime(async () => {
      count++;
      await Promise.resolve();
    });
    await start();
    await start();
    assert.equal(count, 2);
  });
});
