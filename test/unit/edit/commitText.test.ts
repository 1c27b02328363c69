import assert from "node:assert/strict";
import { commitQuestion } from "../../../src/edit/commitText";

describe("commitQuestion", () => {
  it("contains the changes, the new files, the style and the text typed before, and nothing empty", () => {
    const whole = {
      diff: "+one",
      newFiles: "two.ts",
      recentSubjects: ["feat: do it"],
      begun: "fix the",
    };
    const none = { diff: "", newFiles: "", recentSubjects: [], begun: "" };
    const headings = [
      /Changes:\n\+one/,
      /New files:\ntwo\.ts/,
      /subjects:\nfeat: do it/,
      /by it:\nfix/,
    ];
    for (const [index, name] of (
      ["diff", "newFiles", "recentSubjects", "begun"] as const
    ).entries()) {
      const [part] = commitQuestion({ ...none, [name]: whole[name] });
      assert.equal(part?.kind, "text");
      const present = headings.map((heading) => heading.test(part.text));
      assert.deepEqual(
        present,
        headings.map((_, other) => other === index),
        part.text,
      );
    }
  });
});
