/**
 * The model picker: the choice belongs to the conversation and applies to the very next question.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat } from "../../support/chat/panelRig";

describe("the choice of model", () => {
  const service = suiteService();

  const askedModels = () => service.requests.map(({ body }) => (body as { model: string }).model);

  it("applies to a question sent immediately afterwards, even before the settings change", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["one"] }, { blocks: ["two"] });
    await page.askToEnd("first");
    // Both messages are sent without waiting, as a page does.
    await Promise.all([page.post({ type: "model-chosen", model: "vl" }), page.ask("second")]);
    await page.until(() => page.lastReply?.text === "two");
    assert.deepEqual(askedModels(), ["core_llm", "core_vl"]);
    assert.equal(page.shown.model, "vl");
    assert.deepEqual(rig.actions, ["model vl"]);
  });

  it("applies to an empty conversation, which is not saved before its first question", async () => {
    const { rig, page } = await openChat(service.url);
    await page.post({ type: "model-chosen", model: "vl" });
    assert.equal(page.shown.model, "vl");
    assert.deepEqual(await rig.history.journal.list(), []);
    await service.exchange(page, "first", "seen");
    assert.deepEqual(askedModels(), ["core_vl"]);
    const loaded = await rig.history.journal.load(page.conversationId);
    assert.equal(loaded?.conversation.model, "vl");
  });

  it("belongs to its conversation, also after a reload", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["a"] }, { blocks: ["b"] }, { blocks: ["c"] });
    await page.askToEnd("first");
    await page.post({ type: "model-chosen", model: "vl" });
    const firstId = page.conversationId;
    await page.post({ type: "conversation-asked" });
    await page.post({ type: "model-chosen", model: "llm" });
    await page.askToEnd("elsewhere");
    await page.open(firstId);
    assert.equal(page.shown.model, "vl");
    await rig.conversations.close();
    const after = await new PanelRig(service.url, rig).openPage();
    assert.equal(after.conversationId, firstId);
    assert.equal(after.shown.model, "vl");
    await after.askToEnd("again");
    assert.deepEqual(askedModels(), ["core_llm", "core_llm", "core_vl"]);
  });

  it("asks the model of the reply again, without changing the choice", async () => {
    const page = await new PanelRig(service.url).openPage();
    service.script(...["a", "b", "c"].map((text) => ({ blocks: [text] })));
    await page.post({ type: "model-chosen", model: "vl" });
    const { id: messageId } = await page.askToEnd("question");
    await page.post({ type: "model-chosen", model: "llm" });
    await page.regenerate(messageId);
    await page.until(() => page.lastReply?.isStreaming === false && service.requests.length === 2);
    assert.equal(page.lastReply?.modelKind, "vl");
    assert.equal(page.shown.model, "llm");
    const next = await page.askToEnd("next");
    assert.equal(next.modelKind, "llm");
    assert.deepEqual(askedModels(), ["core_vl", "core_vl", "core_llm"]);
  });

  it("continues a cut-off reply with the model that started it", async () => {
    const page = await new PanelRig(service.url).openPage();
    service.script({ blocks: ["half "], finishReason: "length" }, { blocks: ["whole"] });
    await page.post({ type: "model-chosen", model: "vl" });
    const cut = await page.askToEnd("question");
    await page.post({ type: "model-chosen", model: "llm" });
    await page.act("continue", cut.id);
    await page.until(() => page.lastReply?.text === "half whole");
    assert.deepEqual(askedModels(), ["core_vl", "core_vl"]);
  });

  it("shows the setting if nothing was chosen", async () => {
    const { rig, page } = await openChat(service.url);
    assert.equal(page.shown.model, "auto");
    await page.post({ type: "model-chosen", model: "vl" });
    const tab = await rig.openPage(true);
    assert.equal(tab.shown.model, "auto");
    assert.equal(page.shown.model, "vl");
  });
});
