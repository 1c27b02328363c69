/** Excerpts stay within their budget and report the omitted lines. */
import assert from "node:assert/strict";
import { excerptOf, surroundingsOf } from "../../../src/context/excerpt";
import { estimateTextTokens } from "../../../src/base/tokens";

function sourceOf(count: number, line = (at: number) => `const value${at} = ${at};`) {
  const lines = Array.from({ length: count }, (_, at) => line(at + 1));
  return { path: "src/a.ts", uri: "file:///w/src/a.ts", languageId: "typescript", lines };
}

describe("excerptOf", () => {
  it("returns a whole range with its path, language and lines", () => {
    const { part, linesLeftOut } = excerptOf(sourceOf(10), { startLine: 3, endLine: 4 }, 1_000);
    assert.equal(linesLeftOut, 0);
    assert.deepEqual(part, {
      kind: "excerpt",
      path: "src/a.ts",
      uri: "file:///w/src/a.ts",
      languageId: "typescript",
      startLine: 3,
      endLine: 4,
      text: "const value3 = 3;\nconst value4 = 4;",
    });
  });

  it("omits the middle of a range over the budget and reports the number of lines", () => {
    const { part, linesLeftOut } = excerptOf(sourceOf(500), { startLine: 1, endLine: 500 }, 300);
    const lines = part.text.split("\n");
    assert.equal(lines[0], "const value1 = 1;");
    assert.equal(lines.at(-1), "const value500 = 500;");
    assert.ok(linesLeftOut > 400);
    assert.ok(lines.includes(`[… ${linesLeftOut} lines left out …]`));
    assert.equal(lines.length - 1 + linesLeftOut, 500);
    assert.ok(estimateTextTokens(part.text) < 400);
  });

  it("cuts a line that is as long as a file", () => {
    const { part } = excerptOf(
      sourceOf(1, () => "x".repeat(9_000)),
      { startLine: 1, endLine: 1 },
      9_000,
    );
    assert.equal(part.text, `${"x".repeat(2_000)} [… 7000 more characters]`);
  });

  it("omits everything rather than exceed the budget", () => {
    const { part, linesLeftOut } = excerptOf(sourceOf(3), { startLine: 1, endLine: 3 }, 0);
    assert.equal(linesLeftOut, 3);
    assert.equal(part.text, "[… 3 lines left out …]");
  });
});

describe("surroundingsOf", () => {
  it("returns the lines nearest to the range, on both sides", () => {
    const { before, after } = surroundingsOf(sourceOf(100), { startLine: 50, endLine: 51 }, 60);
    assert.equal(before?.endLine, 49);
    assert.equal(after?.startLine, 52);
    assert.ok(before.text.endsWith("const value49 = 49;"));
    assert.ok(after.text.startsWith("const value52 = 52;"));
  });

  it("is empty on the side where the text ends", () => {
    const { before, after } = surroundingsOf(sourceOf(3), { startLine: 1, endLine: 3 }, 1_000);
    assert.equal(before, undefined);
    assert.equal(after, undefined);
  });
});
