/** The pure functions of a conversation: branches, steps and titles. No step modifies its input. */
import assert from "node:assert/strict";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../../src/conversation/conversation";
import { latestLeaf, shownChange, shownPath } from "../../../src/conversation/paths";
import { titleOf } from "../../../src/conversation/title";
import { ended, grown, question, replyStarted } from "../history/turns";

const user = (id: string, parentId: string | null, text = id) => question(id, parentId, text, 5);
const reply = (id: string, parentId: string) => replyStarted(id, parentId, 6);

function conversationOf(...steps: Step[]): Conversation {
  return applySteps(emptyConversation("c", 0), steps);
}

function ids(conversation: Conversation): string {
  return shownPath(conversation)
    .map(({ id }) => id)
    .join(" ");
}

describe("applySteps", () => {
  it("shows the newest branch and can switch to another one", () => {
    const forked = conversationOf(user("a", null), reply("b", "a"), user("c", "b"), user("d", "b"));
    assert.equal(ids(forked), "a b d");
    const back = applySteps(forked, [{ kind: "path-chosen", leafId: latestLeaf(forked, "c") }]);
    assert.equal(ids(back), "a b c");
    assert.equal(ids(forked), "a b d");
    assert.deepEqual(shownChange(forked, back), { keptCount: 2, removedFromId: "d" });
  });

  it("returns the same state step by step and all at once", () => {
    const parts = [grown("b", 0, "Hi"), grown("b", 2, " you")];
    const steps = [user("a", null), reply("b", "a"), ...parts, ended("b")];
    const batch = conversationOf(...steps);
    const single = steps.reduce((state, step) => applySteps(state, [step]), conversationOf());
    assert.deepEqual(single, batch);
    const last = shownPath(batch).at(-1);
    assert.ok(last?.role === "assistant");
    assert.equal(last.text, "Hi you");
    assert.equal(last.firstTextAtMs, 1);
    assert.equal(last.ending?.kind, "complete");
  });

  it("skips invalid steps", () => {
    const steps: Step[] = [
      { kind: "reply-grown", messageId: "nobody", offset: 0, text: "x", atMs: 1 },
      { kind: "path-chosen", leafId: "nobody" },
      user("a", null),
      user("a", null, "again"),
    ];
    const conversation = conversationOf(...steps);
    assert.equal(ids(conversation), "a");
    assert.equal(conversation.children.get(null)?.length, 1);
  });

  it("removes an ending when a reply continues", () => {
    const on: Step = { kind: "reply-continued", messageId: "b", atMs: 10 };
    const [, message] = shownPath(conversationOf(user("a", null), reply("b", "a"), ended("b"), on));
    assert.ok(message?.role === "assistant");
    assert.equal(message.ending, undefined);
  });

  it("restores a deleted conversation by a later question, also of the same millisecond", () => {
    const deleted = conversationOf(user("a", null), { kind: "deleted", atMs: 5 });
    assert.equal(deleted.deletedAtMs, 5);
    assert.equal(applySteps(deleted, [user("b", "a")]).deletedAtMs, undefined);
    const later = conversationOf(user("a", null), { kind: "deleted", atMs: 7 }, user("b", "a"));
    assert.equal(later.deletedAtMs, 7);
  });
});

describe("titleOf", () => {
  it("is the first question on one line, cut between characters", () => {
    assert.equal(
      titleOf(conversationOf(user("a", null, "  Why\n does\tthis fail? "))),
      "Why does this fail?",
    );
    const long = titleOf(conversationOf(user("a", null, "🦉".repeat(100)))) ?? "";
    assert.equal(Array.from(long).length, 60);
    assert.ok(long.endsWith("🦉…"));
  });

  it("has no Markdown marks of the question", () => {
    const plain: readonly (readonly [question: string, title: string])[] = [
      ["Explain `cart.ts`", "Explain cart.ts"],
      ["Is ``a`b`` **really** *one* span?", "Is a`b really one span?"],
      ["为什么**第一次**失败后 `withRetry` 就放弃了？", "为什么第一次失败后 withRetry 就放弃了？"],
      ["## Plan\n\n> Read [the **guide**](https://example.com/a?b=1)", "Plan Read the guide"],
      ["Why?\n```ts\nrun();\n```", "Why? run();"],
      ["```", "```"],
    ];
    for (const [text, title] of plain)
      assert.equal(titleOf(conversationOf(user("a", null, text))), title);
  });

  it("keeps stars, underscores, brackets and signs of code", () => {
    for (const text of [
      "What do *args and **kwargs mean?",
      "Is 2**3 more than 2**2?",
      "Explain __init__ and snake_case_name",
      "Delete *.ts, *.js and a*b*c",
      "Why does f[i](x) fail with #include <a.h>?",
      "One ` alone",
    ]) {
      assert.equal(titleOf(conversationOf(user("a", null, text))), text);
    }
  });

  it("is the title that the user set, and undefined without a question", () => {
    assert.equal(
      titleOf(conversationOf(user("a", null), { kind: "titled", title: "Mine" })),
      "Mine",
    );
    assert.equal(titleOf(conversationOf()), undefined);
  });
});
