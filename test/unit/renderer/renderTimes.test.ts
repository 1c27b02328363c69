/** Times of renders while a user types, with times as numbers. */
import assert from "node:assert/strict";
import { RenderTimes } from "../../../src/renderer/renderTimes";

/** Text that arrives each 33 ms while a key repeats; frames of 16 ms. */
function simulate(options: { readonly keyEachMs: number; readonly keyOffsetMs?: number }) {
  const { keyEachMs, keyOffsetMs = 0 } = options;
  let nowMs = 0;
  const lastKey = () => Math.floor((nowMs - keyOffsetMs) / keyEachMs) * keyEachMs + keyOffsetMs;
  const times = new RenderTimes(() => (nowMs < keyOffsetMs ? -Infinity : lastKey()));
  const renders: { atMs: number; sinceKeyMs: number; waitedMs: number }[] = [];
  let waitingSinceMs: number | undefined;
  for (; nowMs < 5_000; nowMs++) {
    if (nowMs % 33 === 0) {
      waitingSinceMs ??= nowMs;
      times.textArrived(nowMs);
    }
    if (nowMs % 16 !== 0 || waitingSinceMs === undefined || times.waitMs(nowMs) > 1) continue;
    const waitedMs = nowMs - waitingSinceMs;
    renders.push({ atMs: nowMs, sinceKeyMs: nowMs - lastKey(), waitedMs });
    times.renderStarted(nowMs, false);
    times.frameEnded(nowMs + 3);
    waitingSinceMs = undefined;
  }
  return renders;
}

describe("RenderTimes", () => {
  it("renders about 30 times a second while nobody types", () => {
    const renders = simulate({ keyEachMs: 1e9, keyOffsetMs: 1e9 });
    assert.ok(renders.length > 100, `${renders.length} renders in 5 s`);
    assert.ok(renders.every(({ waitedMs }) => waitedMs < 100));
  });

  it("renders no more than 10 percent of the time when renders are slow, and at least each 64 ms", () => {
    const times = new RenderTimes(() => -Infinity);
    times.renderStarted(0, false);
    times.frameEnded(5);
    assert.equal(times.waitMs(10), 40);
    times.frameEnded(80);
    assert.equal(times.waitMs(10), 54);
  });

  it("does not render within 100 ms of a key press at an ordinary speed of typing", () => {
    for (const keyEachMs of [120, 150, 200, 333]) {
      const [first, ...renders] = simulate({ keyEachMs, keyOffsetMs: 50 });
      assert.equal(first?.atMs, 0);
      const typed = renders.filter(({ atMs }) => atMs > 50);
      assert.ok(typed.length >= 10, `${typed.length} renders at ${keyEachMs}`);
      for (const { sinceKeyMs } of typed) assert.ok(sinceKeyMs >= 99, `${sinceKeyMs}`);
    }
  });

  it("shows text after half a second at the latest while a key repeats", () => {
    for (const keyEachMs of [8, 16, 30, 33, 50, 70, 99]) {
      const renders = simulate({ keyEachMs });
      assert.ok(renders.length >= 8, `${renders.length} renders at ${keyEachMs}`);
      for (const { waitedMs } of renders) assert.ok(waitedMs <= 520, `${waitedMs}`);
    }
  });

  it("draws the first text right after the frame of the key, and not in this frame", () => {
    const times = new RenderTimes(() => 1_000);
    times.textArrived(1_002);
    assert.ok(times.waitMs(1_002) > 16);
    assert.ok(times.waitMs(1_040) <= 0);
  });
});
