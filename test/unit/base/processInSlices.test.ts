/**
 * Long work yields to other tasks and can be canceled, such as the completion of "#" in a workspace
 * of 50,000 files, which runs for each typed letter.
 */
import assert from "node:assert/strict";
import { BestMatches, matchScore } from "../../../src/base/fuzzy";
import { processInSlices, SLICE_LENGTH } from "../../../src/base/processInSlices";
import { ManualClock } from "../../support/fakes/manualClock";

const FILES = 50_000;
const FOLDERS = ["src", "test", "packages", "lib", "app"];

const paths = Array.from(
  { length: FILES },
  (_, at) => `${FOLDERS[at % FOLDERS.length]}/part${at % 37}/module${at % 211}/component${at}.ts`,
);

/** Ranks all paths; `between` runs each time the work yields. */
async function rank(typed: string, between: (turn: number) => void, signal: AbortSignal) {
  const clock = new ManualClock();
  let rankedCount = 0;
  const best = new BestMatches<string>((path) => {
    rankedCount++;
    return matchScore(typed, path);
  }, 40);
  const state = { isOver: false };
  const working = processInSlices(paths, (path) => best.addItem(path), clock, signal);
  void working.then(() => (state.isOver = true));
  let turns = 0;
  for (;;) {
    await Promise.resolve();
    await Promise.resolve();
    if (state.isOver) break;
    if (clock.timerCount > 0) {
      assert.ok(rankedCount <= SLICE_LENGTH * (turns + 1), "more than a slice at once");
      between(turns++);
      clock.advance(0);
    }
  }
  return { isWhole: await working, found: best.items, rankedCount, turns };
}

describe("ranking 50,000 files", () => {
  it("finds the best matches of all files, and yields after every slice", async () => {
    const { signal } = new AbortController();
    const result = await rank("component49999", () => {}, signal);
    assert.equal(result.isWhole, true);
    assert.deepEqual(result.found, [paths.at(-1)]);
    assert.equal(result.rankedCount, FILES);
    assert.equal(result.turns, FILES / SLICE_LENGTH - 1);
  });
});
