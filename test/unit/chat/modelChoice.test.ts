/**
 * The model picker: model and profile belong to the conversation and apply to the very next question.
 * The profile is the active one at the first question, until the user selects another.
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
    assert.equal((await rig.openPage(true)).shown.model, "auto", "another conversation");
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
    const { page } = await openChat(service.url);
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
    const { page } = await openChat(service.url);
    service.script({ blocks: ["half "], finishReason: "length" }, { blocks: ["whole"] });
    await page.post({ type: "model-chosen", model: "vl" });
    const cut = await page.askToEnd("question");
    await page.post({ type: "model-chosen", model: "llm" });
    await page.act("continue", cut.id);
    await page.until(() => page.lastReply?.text === "half whole");
    assert.deepEqual(askedModels(), ["core_vl", "core_vl"]);
  });
});

describe("the profile of a conversation", () => {
  const service = suiteService();

  /** Creates a panel with this active profile. */
  function rigWith(inUse: string, before?: PanelRig): PanelRig {
    const rig = new PanelRig(service.url, before);
    rig.settings = { profile: inUse };
    return rig;
  }
  const profilesOf = ({ choicesAsked }: PanelRig) => choicesAsked.map(({ profile }) => profile);

  it("is the active one when its first question is asked, and stays", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    rig.settings = { profile: "Home" };
    await page.askToEnd("/echo two");
    assert.deepEqual(profilesOf(rig), [undefined, "Work"]);
  });

  it("is restored by the next window, also that of the base URL's service", async () => {
    for (const inUse of ["Work", ""]) {
      const rig = rigWith(inUse);
      const page = await rig.openPage();
      await page.askToEnd("/echo one");
      await rig.conversations.close();
      const next = rigWith("Home", rig);
      await (await next.openPage()).askToEnd("/echo two");
      assert.deepEqual(profilesOf(next), [inUse]);
    }
  });

  it("changes from the next question on when the user selects another one", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    // Both messages are sent without waiting, as a page does.
    await Promise.all([
      page.post({ type: "model-chosen", model: "vl", profile: "Home" }),
      page.ask("/echo two"),
    ]);
    await page.untilEnded();
    assert.deepEqual(rig.choicesAsked.at(-1), { model: "vl", profile: "Home" });
    assert.deepEqual(rig.actions, ["model vl of Home"]);
  });

  it("can be selected before the first question, and applies to it", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.post({ type: "model-chosen", model: "auto", profile: "Home" });
    await page.askToEnd("/echo one");
    await rig.conversations.close();
    const next = rigWith("Work", rig);
    await (await next.openPage()).askToEnd("/echo two");
    assert.deepEqual([...profilesOf(rig), ...profilesOf(next)], ["Home", "Home"]);
  });

  it("that no longer exists rejects the question, keeps its text and sends nothing", async () => {
    const rig = rigWith("Work");
    const page = await rig.openPage();
    await page.askToEnd("/echo one");
    rig.prepare = (_path, { profile = "" } = {}) =>
      Promise.resolve({ kind: "no-profile", profile });
    const answer = await page.ask("/echo two");
    assert.equal(answer?.isAccepted, false);
    assert.equal(answer.notice?.text, "no-profile");
    assert.equal(service.requests.length, 1);
    await page.act("switch-profile");
    assert.equal(rig.actions.at(-1), "switch-profile");
  });
});
