/** The first value is delivered immediately, later values at most once per interval. */
import assert from "node:assert/strict";
import { coalesce } from "../../../src/base/coalesce";
import { ManualClock } from "../../support/fakes/manualClock";

describe("coalesce", () => {
  it("delivers immediately, then at most once per interval, and nothing more without input", () => {
    const clock = new ManualClock();
    const times: number[] = [];
    const gate = coalesce(clock, 33, () => times.push(clock.nowMs()));
    const start = clock.nowMs();
    for (let ms = 0; ms < 1000; ms++) {
      gate.push();
      clock.advance(1);
    }
    clock.advance(1000);
    assert.equal(times[0], start);
    assert.equal(times.length, 32);
    assert.equal(clock.timerCount, 0);
  });

  it("delivers nothing after disposal", () => {
    const clock = new ManualClock();
    let count = 0;
    const gate = coalesce(clock, 33, () => count++);
    gate.push();
    gate.push();
    assert.equal(count, 1);
    gate.dispose();
    gate.dispose();
    gate.push();
    clock.advance(100);
    assert.equal(count, 1);
    assert.equal(clock.timerCount, 0);
  });
});
