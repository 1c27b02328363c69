/** Titles: the first line, cleaned, stays; the text model suggests one only when the user asks. */
import assert from "node:assert/strict";
import { titleOf } from "../../../src/conversation/title";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";

describe("suggestTitle", () => {
  let service: ReferenceService;
  let rig: PanelRig;
  let page: Page;
  before(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    service.reset();
    rig = new PanelRig(service.url);
    page = await rig.openPage();
  });
  after(() => service.close());

  async function ask(text: string, answer: string): Promise<void> {
    service.script({ blocks: [answer] });
    await page.askToEnd(text);
  }
  const never = new AbortController().signal;
  async function suggest(signal: AbortSignal = never) {
    const live = await rig.conversations.get(page.shown.conversationId);
    return rig.conversations.suggestTitle(live, signal);
  }
  const lastRequest = () => JSON.stringify(service.requests.at(-1)?.body);

  it("asks nothing by itself: the first line, cleaned, is the title", async () => {
    await ask("## Why is **tide()** `slow`?\nIt takes a second.", "Because of the moon.");
    await ask("And at night?", "Slower.");
    assert.equal(service.requests.length, 2);
    const { conversation } = await rig.conversations.get(page.shown.conversationId);
    assert.equal(titleOf(conversation), "Why is tide() slow? It takes a second.");
  });

  it("asks core_llm once, with the words of the conversation", async () => {
    await ask("Why is the harbour closed?", "There is ice.");
    service.script({ blocks: ["“Ice in the **harbour**”\n", "And more words."] });
    assert.deepEqual(await suggest(), { kind: "title", title: "Ice in the harbour" });
    assert.equal(service.requests.length, 2);
    const body = service.requests.at(-1)?.body as { model: string };
    assert.equal(body.model, "core_llm");
    assert.match(lastRequest(), /Why is the harbour closed\?.*There is ice\./);
  });

  it("does not send what the user left out of requests or forgot", async () => {
    await ask("The code is walrus-77", "Noted.");
    await ask("What is a ferry?", "A ship.");
    await ask("The plan is pelican-12", "Noted too.");
    const live = await rig.conversations.get(page.shown.conversationId);
    const idOf = (text: string) =>
      page.shown.messages.find((message) => message.text === text)?.id ?? "";
    const { conversationId } = page.shown;
    const messageId = idOf("The code is walrus-77");
    await page.post({ type: "sending-chosen", conversationId, messageId, choice: "left-out" });
    await rig.conversations.forgetMessage(live, idOf("The plan is pelican-12"));
    service.script({ blocks: ["Ferries"] });
    await suggest();
    assert.match(lastRequest(), /ferry/);
    assert.doesNotMatch(lastRequest(), /walrus|pelican/);
  });

  it("sends no request for a conversation without messages", async () => {
    assert.deepEqual(await suggest(), { kind: "no-messages" });
    assert.equal(service.requests.length, 0);
  });

  it("of an unsaved conversation is on no disk, and is its name once it is saved", async () => {
    await page.session.startNew(true);
    const before = new Map(rig.files.files);
    await ask("Why is the jetty wet?", "There is rain.");
    service.script({ blocks: ["Rain on the jetty"] });
    const suggested = await suggest();
    assert.ok(suggested.kind === "title");
    const { conversationId } = page.shown;
    await rig.conversations.change(conversationId, [{ kind: "titled", title: suggested.title }]);
    assert.deepEqual(rig.files.files, before);
    assert.equal(page.shown.title, "Not saved");
    await page.post({ type: "action-asked", action: "save-conversation" });
    await page.until(() => page.shown.title === "Rain on the jetty");
  });

  it("names a failure, an empty reply and a cancellation", async () => {
    await ask("Why?", "Because.");
    service.script({ status: 401, body: { error: { message: "no" } } });
    const failed = await suggest();
    assert.equal(failed.kind === "failed" && failed.failure.kind, "unauthorized");
    service.script({ blocks: ["\n**"], finishReason: "length" });
    assert.deepEqual(await suggest(), { kind: "no-title" });
    const controller = new AbortController();
    service.script({ blocks: ["A title", { gate: true }] });
    const canceled = suggest(controller.signal);
    await service.waitForRequest(4);
    controller.abort();
    assert.deepEqual(await canceled, { kind: "canceled" });
  });
});
