/**
 * A conversation that is not saved: nothing of it reaches the disk, whatever happens to it, until the
 * user saves it.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { filesWith } from "../../support/fakes/byteSearch";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { offerPicture } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

const PICTURE = madePng(40, 30);

describe("a conversation that is not saved", () => {
  const service = suiteService();

  const open = async (): Promise<{ rig: PanelRig; page: Page }> => {
    const { rig, page } = await openChat(service.url);
    await page.session.startNew(true);
    return { rig, page };
  };
  const attach = (page: Page) => offerPicture(page, "heron-plan.png", PICTURE);

  it("writes no byte of question, answer, title, file name or picture, at any time", async () => {
    const { rig, page } = await open();
    service.script({ blocks: ["The osprey ", "answer"] });
    await page.type("kestrel draft", 1);
    await attach(page);
    await page.askToEnd("kestrel question");
    await service.exchange(page, "second kestrel", "more");
    await page.type("kestrel unsent", 2);
    await attach(page);
    const { conversationId } = page;
    await rig.conversations.change(conversationId, [{ kind: "titled", title: "Merlin title" }]);
    await rig.conversations.close();
    assert.deepEqual([...rig.files.files.keys()], []);
    assert.deepEqual(
      [page.shown.title, page.last("panel-changed")?.panel.unsaved?.text],
      ["Not saved", "Not saved."],
    );
  });

  it("stays in memory after its first answer, and in neither list nor search", async () => {
    const { page } = await open();
    await service.exchange(page, "osprey", "done");
    for (const text of ["", "osprey"]) {
      await page.post({ type: "history-asked", text, isInBin: false, isThisWorkspace: false });
      await page.until(() => page.shown.history?.text === text && page.shown.history.isComplete);
      assert.deepEqual(page.shown.history?.rows, []);
    }
    assert.ok(page.last("panel-changed")?.panel.unsaved);
  });

  it("sends its pictures and shows them", async () => {
    const { rig, page } = await open();
    rig.settings = { modelKind: "vl", modelCode: "core_vl" };
    await attach(page);
    const hash = page.shown.attachments[0]?.picture?.hash ?? "";
    await service.exchange(page, "what is this?", "seen");
    assert.equal(service.requests.at(-1)?.pictures[0]?.widthPx, 40);
    const shown = await page.post({ type: "picture-asked", hash });
    assert.equal(shown?.picture?.mediaType, "image/png");
  });

  it("becomes an ordinary one with Save, with pictures and draft, also for the next window", async () => {
    const { rig, page } = await open();
    await attach(page);
    await service.exchange(page, "goshawk", "first answer");
    await page.type("harrier unsent", 1);
    await page.act("save-conversation");
    await page.until(() => page.last("panel-changed")?.panel.unsaved === undefined);
    assert.equal(page.shown.title, "goshawk");
    await service.exchange(page, "and now?", "second answer");
    await rig.conversations.close();
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.texts, ["goshawk", "first answer", "and now?", "second answer"]);
    assert.equal(filesWith(rig.files.files, PICTURE.subarray(8, 60)).length, 1);
  });

  it("is saved whole while its answer arrives", async () => {
    const { rig, page } = await open();
    service.script({ blocks: ["one ", "two ", "three"], delayMs: 20 });
    await page.ask("peregrine");
    await page.until(() => (page.lastReply?.text ?? "").startsWith("one"));
    await page.act("save-conversation");
    await page.untilEnded();
    await rig.conversations.close();
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.texts, ["peregrine", "one two three"]);
  });

  for (const [how, leave] of [
    ["a new conversation", (page: Page) => page.session.startNew()],
    ["another conversation", (page: Page) => page.session.open("00000000000000000aa")],
    ["another that is not saved", (page: Page) => page.session.startNew(true)],
  ] as const) {
    it(`asks once before ${how} takes its place, and stays if the user cancels`, async () => {
      const { rig, page } = await open();
      await service.exchange(page, "buzzard", "x");
      const id = page.conversationId;
      rig.saveAnswers.push("cancel");
      await leave(page);
      assert.equal(page.conversationId, id);
      rig.saveAnswers.push("discard", "save");
      await leave(page);
      assert.notEqual(page.conversationId, id);
      assert.deepEqual(rig.saveAnswers, ["save"]);
      assert.deepEqual([...rig.files.files.keys()], []);
      assert.equal((await rig.conversations.get(id)).conversation.messages.size, 0);
    });
  }

  it("does not ask for an empty one, nor while a tab still shows it", async () => {
    const { rig, page } = await open();
    const first = page.conversationId;
    rig.saveAnswers.push("save");
    await page.session.startNew();
    assert.notEqual(page.conversationId, first);
    await page.session.startNew(true);
    await service.exchange(page, "falcon", "x");
    const tab = await rig.openPage(true);
    await tab.session.open(page.conversationId);
    await page.session.startNew();
    assert.deepEqual(rig.saveAnswers, ["save"]);
    assert.equal(tab.shown.messages.length, 2);
  });

  it("is shown again by a view that is opened again, and gone in the next window", async () => {
    const { rig, page } = await open();
    await service.exchange(page, "condor", "x");
    page.session.disconnect();
    page.session.dispose();
    const again = await rig.openPage();
    assert.deepEqual(again.texts, ["condor", "x"]);
    const other = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(other.shown.messages, []);
  });

  it("writes nothing after it was discarded while its answer arrived", async () => {
    const { rig, page } = await open();
    service.script({ blocks: ["one ", "two ", "three"], delayMs: 40 });
    await page.ask("shrike");
    await page.until(() => (page.lastReply?.text ?? "").startsWith("one"));
    const id = page.conversationId;
    rig.saveAnswers.push("discard");
    await page.session.startNew();
    await page.post({ type: "draft-changed", conversationId: id, text: "late shrike", edit: 9 });
    await rig.conversations.close();
    assert.deepEqual([...rig.files.files.keys()], []);
  });
});
