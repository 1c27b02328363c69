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

    it(`has nothing that later text would remove, at any cut: ${name}`, () => {
      const answer = answerOf(reply);
      for (let cut = 0; cut <= answer.length; cut++) {
        const begun = commitReply(answer.slice(0, cut), false);
        assert.ok(message.startsWith(begun), `cut ${cut} has ${JSON.stringify(begun)}`);
      }
    });
  }

  it("extracts a conventional subject that was cut", () => {
    assert.equal(commitReply("fix(cart): count the la", false), "fix(cart): count the la");
  });

  it("extracts no message from a reply that only thinks or only has an introduction", () => {
    assert.equal(commitReply(answerOf("<think>fix: a"), true), "");
    assert.equal(commitReply("Here is the commit message:", true), "");
    assert.equal(commitReply("", true), "");
  });
});
