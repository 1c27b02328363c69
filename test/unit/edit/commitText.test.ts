import assert from "node:assert/strict";
import { commitQuestion } from "../../../src/edit/commitText";

describe("commitQuestion", () => {
  it("contains the changes, the style and the text typed before, and nothing empty", () => {
    const [part] = commitQuestion({
      diff: "+one",
      newFiles: "",
      recentSubjects: ["feat: do it"],
      begun: "fix the",
    });
    assert.equal(part?.kind, "text");
    for (const expected of ["+one", "feat: do it", "fix the"])
      assert.ok(part.text.includes(expected));
    assert.ok(!part.text.includes("New files"));
  });
});
