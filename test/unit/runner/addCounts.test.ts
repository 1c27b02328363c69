import assert from "node:assert/strict";
import { addCounts } from "../../support/runner/runMocha.mjs";

describe("addCounts", () => {
  it("adds the tests and keeps the failures and files of every run", () => {
    const failure = { title: "slow", message: "late", file: "b.mjs" };
    const runs = [
      { passed: 3, failed: 0, failures: [], passedIn: { "a.mjs": 3 } },
      { passed: 4, failed: 1, failures: [failure], passedIn: { "b.mjs": 4 } },
    ];
    assert.deepEqual(addCounts(runs), {
      passed: 7,
      failed: 1,
      failures: [failure],
      passedIn: { "a.mjs": 3, "b.mjs": 4 },
    });
  });
});
