/** Fuzzy matching of typed letters: matches and their ranking. */
import assert from "node:assert/strict";
import { bestMatches, matchScore } from "../../../src/base/fuzzy";

function best(typed: string, paths: string[], count = 10): string[] {
  return bestMatches(paths, (path) => matchScore(typed, path), count);
}

describe("matchScore", () => {
  it("ranks matches: start of the name, middle of the name, folder, scattered letters", () => {
    const paths = ["p/a/r.ts", "par/x.ts", "src/compare.ts", "src/parse.ts", "none.ts"];
    assert.deepEqual(best("par", paths), [
      "src/parse.ts",
      "src/compare.ts",
      "par/x.ts",
      "p/a/r.ts",
    ]);
  });

  it("ranks the shorter of two paths first", () => {
    assert.deepEqual(best("a", ["abc", "ab", "a"]), ["a", "ab", "abc"]);
  });

  it("finds a folder by its own name", () => {
    assert.deepEqual(best("host", ["host/x.ts", "src/host/"]), ["src/host/", "host/x.ts"]);
  });

  it("matches everything equally while nothing is typed", () => {
    assert.deepEqual(best("", ["b", "a"]), ["b", "a"]);
  });

  it("returns at most the requested number, in order", () => {
    const many = Array.from({ length: 1000 }, (_, index) => `f${"x".repeat(index % 50)}`);
    const found = best("f", many, 5);
    assert.deepEqual(found, ["f", "f", "f", "f", "f"]);
  });
});
