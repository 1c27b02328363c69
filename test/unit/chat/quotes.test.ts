/** Quotes of messages are attached, kept and sent before the question. */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { openChat } from "../../support/chat/panelRig";

describe("quotes", () => {
  const service = suiteService();

  /** Asks a question and quotes its reply and the question. */
  async function openQuoting() {
    const { rig, page } = await openChat(service.url);
    const reply = await service.exchange(page, "What is it?", "First sentence. Second sentence.");
    const conversationId = page.conversationId;
    const quote = (messageId: string, text: string, words: string) =>
      page.post({
        type: "quote-added",
        conversationId,
        quoted: { messageId, start: 0, end: words.length, isThinking: false },
        text,
        words,
      });
    return { rig, page, reply, quote };
  }

  const chips = (shown: {
    attachments: readonly { kind: string; label: string; detail: string }[];
  }) => shown.attachments.map(({ kind, label, detail }) => [kind, label, detail]);

  it("of a reply and of a question become chips with their words and where they are from", async () => {
    const { rig, page, reply, quote } = await openQuoting();
    await quote(reply.id, "> First sentence.", "First sentence.");
    await quote(page.shown.messages[0]!.id, "> What is it?", "What is it?");
    const expected = [
      ["quote", '"First sentence."', "assistant 1"],
      ["quote", '"What is it?"', "user 1"],
    ];
    assert.deepEqual(chips(page.shown), expected);
    // In another window, from the disk.
    const other = await rig.openPage();
    await other.open(page.conversationId);
    assert.deepEqual(chips(other.shown), expected);
  });

  it("are sent before the question, once, and name their place on the sent question", async () => {
    const { page, reply, quote } = await openQuoting();
    await quote(reply.id, "> First sentence.", "First sentence.");
    await service.exchange(page, "Why?", "Because.");
    const { messages } = service.requests.at(-1)?.body as { messages: { content: string }[] };
    assert.match(messages.at(-1)!.content, /^> First sentence\.\s+Why\?$/);
    const asked = page.shown.messages.at(-2);
    assert.ok(asked?.role === "user");
    assert.deepEqual(asked.chips[0]?.quoted, {
      messageId: reply.id,
      start: 0,
      end: 15,
      isThinking: false,
    });
    assert.deepEqual(page.shown.attachments, []);
  });

  it("of a message that is not on the shown path are not attached", async () => {
    const { page, quote } = await openQuoting();
    await quote("m-other", "> Other", "Other");
    assert.deepEqual(page.shown.attachments, []);
  });
});
