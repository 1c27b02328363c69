/**
 * Hunks of a pending edit: applied to the original, they result in the proposal for any two texts.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { withBoth, hunksBetween } from "../../../src/replyCode/hunks";

function apply(original: readonly string[], proposed: readonly string[]): string[] {
  const lines = [...original];
  for (const hunk of hunksBetween(original, proposed).toReversed()) {
    lines.splice(hunk.originalStart, hunk.originalLines.length, ...hunk.proposedLines);
  }
  return lines;
}

describe("hunksBetween", () => {
  it("finds none in equal texts", () => {
    assert.deepEqual(hunksBetween(["a", "b"], ["a", "b"]), []);
  });

  it("separates changes with unchanged lines between them", () => {
    assert.deepEqual(hunksBetween(["a", "b", "c", "d"], ["A", "b", "c", "d", "e"]), [
      { originalStart: 0, originalLines: ["a"], proposedStart: 0, proposedLines: ["A"] },
      { originalStart: 4, originalLines: [], proposedStart: 4, proposedLines: ["e"] },
    ]);
  });

  it("returns one hunk for texts with almost nothing in common", () => {
    const original = Array.from({ length: 1_500 }, (_, line) => `old ${line}`);
    const proposed = Array.from({ length: 1_500 }, (_, line) => `new ${line}`);
    assert.equal(hunksBetween(original, proposed).length, 1);
  });

  it("converts the original to the proposal and back", () => {
    const line = fc.constantFrom("", "}", "a", "b", "c", "  go();");
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (original, proposed) => {
        assert.deepEqual(apply(original, proposed), proposed);
        const back: string[] = [...proposed];
        for (const hunk of hunksBetween(original, proposed).toReversed()) {
          back.splice(hunk.proposedStart, hunk.proposedLines.length, ...hunk.originalLines);
        }
        assert.deepEqual(back, original);
      }),
    );
  });
});

describe("two changes of the same lines", () => {
  const origin = ["a", "b", "c", "d", "e"];
  const changed = ["a", "b", "C", "d", "e"];

  it("are joined where they are apart, and not where they meet", () => {
    assert.deepEqual(withBoth(origin, changed, origin), changed);
    assert.deepEqual(withBoth(origin, changed, ["x", ...origin]), ["x", ...changed]);
    assert.deepEqual(withBoth(origin, changed, ["a", "b", "c", "d"]), ["a", "b", "C", "d"]);
    assert.equal(withBoth(origin, changed, ["a", "b", "c", "D", "e"]), undefined);
    assert.equal(withBoth(origin, changed, ["a", "b", "x", "d", "e"]), undefined);
  });
});
