/** Extracts commit messages from replies, also from those that were cut. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { commitReply } from "../../../src/replyCode/commitReply";
import { answerOf } from "./separated";

interface Sample {
  readonly name: string;
  readonly reply: string;
  readonly message: string;
}

const SAMPLES = JSON.parse(
  readFileSync("test/fixtures/replies/commit.json", "utf8"),
) as readonly Sample[];

describe("commitReply", () => {
  for (const { name, reply, message } of SAMPLES) {
    it(`extracts only the message: ${name}`, () => {
      assert.equal(commitReply(answerOf(reply), true), message);
    });
  }

  it("extracts a conventional message that was cut, and no other text", () => {
    assert.equal(commitReply("fix(cart): count the la", false), "fix(cart): count the la");
    assert.equal(commitReply("```\nfix: a\n\nBecause", false), "fix: a\n\nBecause");
    assert.equal(commitReply("Here is the commit mess", false), "");
    assert.equal(commitReply("```\nCount the la", false), "");
  });

  it("extracts no message from a reply that only thinks or only has an introduction", () => {
    assert.equal(commitReply(answerOf("<think>fix: a"), true), "");
    assert.equal(commitReply("Here is the commit message:", true), "");
    assert.equal(commitReply("", true), "");
  });
});
