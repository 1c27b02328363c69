/**
 * Commit messages out of replies: what is shown while the reply comes never has to be taken back,
 * except for what turned out to be a fence or a quote.
 */
import assert from "node:assert/strict";
import { commitQuestion, commitText } from "../../../src/inline/commitText";

function check(reply: string, message: string): void {
  assert.equal(commitText(reply, true), message);
  for (let cut = 0; cut <= reply.length; cut++) {
    const shown = commitText(reply.slice(0, cut), false);
    assert.ok(message.startsWith(shown), `cut ${cut} shows ${JSON.stringify(shown)}`);
  }
}

describe("commitText", () => {
  it("takes a plain reply as it is", () => {
    check(
      "fix: count the last line\n\nIt was left out.\n",
      "fix: count the last line\n\nIt was left out.",
    );
  });

  it("takes the message out of a fence", () => {
    check("```\nfix: count it\n\nWhy.\n```\n", "fix: count it\n\nWhy.");
    check("```text\nfix: count it\n```", "fix: count it");
  });

  it("takes quotes off that are around everything", () => {
    assert.equal(commitText('"fix: count it"', true), "fix: count it");
    assert.equal(commitText('"a" and "b" are counted', true), '"a" and "b" are counted');
  });

  it("leaves out an introduction", () => {
    assert.equal(commitText("Here is the message:\n\nfix: count it", true), "fix: count it");
  });
});

describe("commitQuestion", () => {
  it("holds the changes, the style and what was begun, and nothing that is empty", () => {
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
