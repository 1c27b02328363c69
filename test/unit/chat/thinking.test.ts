/**
 * The thinking of a reply, from the socket to the page and the disk: it stays separate from the
 * answer, survives every ending, and is never sent again.
 */
import assert from "node:assert/strict";
import type { Reply } from "../../../src/conversation/message";
import type { ReplyView, UserView } from "../../../src/protocol/views";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import type { ScriptedReply } from "../../service/script";
import { lastMessages, suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { turn } from "../history/turns";

const thinkingBlock = (reasoning: string) => ({ delta: { reasoning } });
const IMPORTED: Reply = {
  role: "assistant",
  id: "r",
  parentId: null,
  text: "4",
  modelKind: "llm",
  modelCode: "m",
  startedAtMs: 0,
};

describe("a reply with thinking", () => {
  const service = suiteService();

  const shownThinking = (page: Page): ReplyView["thinking"] => page.lastReply?.thinking;

  it("shows the thinking while it streams, separate from the text", async () => {
    const { page } = await openChat(service.url);
    service.script({
      blocks: [thinkingBlock("Two "), thinkingBlock("and two."), { gate: true }, "4"],
    });
    const finished = page.askToEnd("2 + 2?");
    await page.until(() => shownThinking(page)?.text === "Two and two.");
    assert.equal(shownThinking(page)?.isOngoing, true);
    assert.equal(page.lastReply?.text, "");
    service.releaseGate();
    const reply = await finished;
    assert.equal(reply.text, "4");
    assert.equal(reply.thinking?.text, "Two and two.");
    assert.equal(reply.thinking.isOngoing, false);
    assert.equal(reply.notice, undefined);
  });

  it("moves text to the thinking if only a closing tag arrives", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["Two and two.", { gate: true }, "\n</think>\n\n4"] });
    const finished = page.askToEnd("2 + 2?");
    await page.until(() => page.lastReply?.text === "Two and two.");
    service.releaseGate();
    const reply = await finished;
    assert.equal(reply.text, "4");
    assert.equal(reply.thinking?.text.trim(), "Two and two.");
    const again = await new PanelRig(service.url, rig).openPage();
    assert.equal(again.lastReply?.text, "4");
    assert.equal(shownThinking(again)?.text.trim(), "Two and two.");
  });

  it("never sends the thinking again, and copies it only on request", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: [thinkingBlock("Two and two."), "4"] }, { blocks: ["6"] });
    const { id: messageId } = await page.askToEnd("2 + 2?");
    await page.askToEnd("And 3 + 3?");
    assert.doesNotMatch(JSON.stringify(service.requests.at(-1)?.body), /Two and two/);
    await page.post({ type: "copy-asked", messageId });
    await page.post({ type: "copy-asked", messageId, isWithThinking: true });
    assert.deepEqual(rig.copied, ["4", "> Two and two.\n\n4"]);
  });

  it("is not sent, shown or copied with replies of older versions, which have it in the text", async () => {
    const rig = new PanelRig(service.url, undefined, { messages: panelMessages });
    await rig.conversations.adopt("old", [
      { kind: "created", id: "old", atMs: 1 },
      ...turn("t", null, "2 + 2?", "<think>\nTwo and two.\n</think>\n\n4"),
    ]);
    const page = await rig.openPage();
    await page.open("old");
    await page.until(() => page.conversationId === "old");
    assert.equal(page.lastReply?.text, "4");
    const question = page.shown.messages[0] as UserView;
    assert.equal(question.sentLine, undefined, "an empty row for a receipt");
    assert.equal(shownThinking(page)?.text.trim(), "Two and two.");
    await page.post({ type: "copy-asked", messageId: page.lastReply.id });
    assert.deepEqual(rig.copied, ["4"]);
    await service.exchange(page, "And 3 + 3?", "6");
    const sent = lastMessages(service).map(({ content }) => content);
    assert.deepEqual(sent, ["2 + 2?", "4", "And 3 + 3?"]);
  });

  const blocks = [thinkingBlock("Two and two.")];
  const endings: readonly (readonly [string, ScriptedReply, string])[] = [
    [
      "stopped",
      { blocks: [...blocks, { gate: true }] },
      "Stopped while the model was thinking. There is no reply yet.",
    ],
    [
      "length",
      { blocks, finishReason: "length" },
      "Stopped at the length limit while the model was still thinking. There is no reply yet.",
    ],
    [
      "cut",
      { blocks, finishReason: null, done: false },
      "The reply was cut off. The model was still thinking; its thinking is saved.",
    ],
    ["only", { blocks }, "The model stopped after thinking and gave no reply."],
  ];
  for (const [name, reply, sentence] of endings) {
    it(`keeps the thinking and offers Continue and Try again: ${name}`, async () => {
      const { page } = await openChat(service.url, undefined, { messages: panelMessages });
      service.script(reply, { blocks: [thinkingBlock("Again."), "4"] });
      const finished = page.askToEnd("2 + 2?");
      if (name === "stopped") {
        await page.until(() => shownThinking(page)?.text === "Two and two.");
        await page.post({ type: "stop-asked" });
      }
      const { id, notice, thinking } = await finished;
      assert.deepEqual(
        [notice?.text, notice?.action?.id, notice?.otherAction?.id, thinking?.text],
        [sentence, "continue", "try-again", "Two and two."],
      );
      await page.act("continue", id);
      await page.untilEnded("4");
      assert.equal(page.lastReply?.id, id);
      assert.equal(shownThinking(page)?.text, "Two and two.\n\nAgain.");
      const [question, ...others] = lastMessages(service);
      assert.deepEqual(others, []);
      assert.match(question?.content ?? "", /^2 \+ 2\?\n\n/);
    });
  }

  it("removes the thinking of a blocked reply", async () => {
    const { page } = await openChat(service.url);
    service.script({ blocks: [thinkingBlock("Two and two.")], finishReason: "content_filter" });
    const reply = await page.askToEnd("2 + 2?");
    assert.equal(reply.thinking, undefined);
    assert.equal(reply.notice?.text, "withheld");
  });

  it("keeps up to 1 MB of thinking, with its beginning and its end", async () => {
    const { rig, page } = await openChat(service.url);
    const long = "0123456789".repeat(10_000);
    const blocks = Array.from({ length: 25 }, (_, at) => thinkingBlock(`${at} ${long}`));
    service.script({
      blocks: [thinkingBlock("The beginning."), ...blocks, thinkingBlock("The end."), "4"],
    });
    await page.askToEnd("2 + 2?");
    const again = await new PanelRig(service.url, rig).openPage();
    const text = shownThinking(again)?.text ?? "";
    assert.ok(text.length <= 1_000_100, `${text.length}`);
    assert.ok(text.startsWith("The beginning."));
    assert.ok(text.endsWith("The end."));
    assert.equal(again.lastReply?.text, "4");
  });

  it("measures time and tokens of the thinking, and the time to the answer's first token", () => {
    const reply: Reply = {
      ...IMPORTED,
      firstTextAtMs: 12_000,
      endedAtMs: 13_000,
      thinking: { text: "Two and two.", durationMs: 11_500 },
    };
    const { line, details } = panelMessages.meta(reply, {
      firstTextAfterMs: 12_000,
      tokensPerSecond: 10,
      tokens: 10,
      isCounted: true,
      thinking: { durationMs: 11_500, tokens: 20, isCounted: true },
    });
    assert.equal(line, "m · 13.0 s · 10 tokens");
    assert.equal(
      details,
      "m · 11.5 s of thinking · first token after 12.0 s · 10 tokens/s · 10 tokens · 20 tokens of thinking",
    );
  });

  it("names the model once: in the receipt of the question, or below a reply without one", async () => {
    const { page } = await openChat(service.url, undefined, { messages: panelMessages });
    const { metaLine } = await service.exchange(page, "2 + 2?", "4");
    const [question] = page.shown.messages;
    assert.match((question?.role === "user" && question.sentLine) || "", /^core_llm · /);
    assert.doesNotMatch(metaLine, /core_llm/);
    assert.match(metaLine, /tokens?$/);
    assert.deepEqual(panelMessages.meta(IMPORTED, undefined), { line: "m", details: "m" });
  });

  it("counts the tokens of the thinking separately from those of the answer", async () => {
    const { page } = await openChat(service.url, undefined, { messages: panelMessages });
    const counts = { prompt_tokens: 5, completion_tokens: 30, total_tokens: 35 };
    const usage = { ...counts, completion_tokens_details: { reasoning_tokens: 20 } };
    service.script(
      { blocks: [thinkingBlock("Two and two."), "4"], usage },
      { blocks: [thinkingBlock("Two and two."), "4"], usage: counts },
    );
    const { metaDetails = "" } = await page.askToEnd("2 + 2?");
    assert.match(metaDetails, / · 10 tokens · 20 tokens of thinking$/);
    // Without a reported count for the thinking, both counts are estimates.
    assert.match(
      (await page.askToEnd("2 + 2?")).metaDetails ?? "",
      / · ~\d tokens · ~\d tokens of thinking$/,
    );
  });
});
