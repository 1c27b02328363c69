/** Diffs within a budget: every file is named, and small files are complete. */
import assert from "node:assert/strict";
import { boundedDiff } from "../../../src/context/diffExcerpt";
import { estimateTextTokens } from "../../../src/base/tokens";

function fileDiff(path: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, line) => `+const value${line} = ${line};\n`);
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n`;
  return head + body.join("");
}

describe("boundedDiff", () => {
  it("returns a small diff unchanged", () => {
    const diff = fileDiff("src/a.ts", 3) + fileDiff("src/b.ts", 3);
    assert.equal(boundedDiff(diff, 1_000), diff);
  });

  it("keeps small files whole and cuts the large one", () => {
    const small = fileDiff("src/small.ts", 3);
    const text = boundedDiff(fileDiff("src/large.ts", 2_000) + small, 800);
    assert.ok(text.endsWith(small));
    assert.equal(text.match(/\[… \d+ more lines of this file …\]/g)?.length, 1);
    assert.ok(estimateTextTokens(text) < 1_000);
  });

  it("names every file, even if there are many", () => {
    const paths = Array.from({ length: 30 }, (_, file) => `src/file${file}.ts`);
    const text = boundedDiff(paths.map((path) => fileDiff(path, 500)).join(""), 1_000);
    assert.deepEqual(
      paths.filter((path) => !text.includes(path)),
      [],
    );
  });

  it("omits generated files except for their names", () => {
    const text = boundedDiff(fileDiff("package-lock.json", 50), 10_000);
    assert.ok(text.includes("+++ b/package-lock.json"));
    assert.ok(!text.includes("value1"));
  });
});
