/**
 * A conversation that cannot be read, or only in part: the user is notified, the file stays
 * unchanged and listed, and the conversation opens again once the disk recovers.
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";

describe("an unreadable conversation", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  /** Returns the notices above the composer that the page received last. */
  function notices(page: Page): string[] {
    const lastMessage = page.received.findLast(
      (message) => message.type === "snapshot" || message.type === "panel-changed",
    );
    return lastMessage?.panel.notices.map(({ text }) => text) ?? [];
  }

  const pathOf = (id: string) => `conversations/${id}.jsonl`;

  /** Opens a window after a restart. Its disk rejects the conversation until `repairDisk` is called. */
  async function afterReload(): Promise<{ rig: PanelRig; id: string; repairDisk: () => void }> {
    const before = new PanelRig(service.url);
    const page = await before.openPage();
    service.script({ blocks: ["kept"] });
    await page.askToEnd("precious");
    await before.conversations.close();
    const id = page.shown.conversationId;
    const rig = new PanelRig(service.url, before);
    const read = rig.files.read.bind(rig.files);
    rig.files.read = (path) =>
      path === pathOf(id) ? Promise.reject(new Error("EIO")) : read(path);
    return { rig, id, repairDisk: () => (rig.files.read = read) };
  }

  it("is reported when the window opens, and opens once the disk recovers", async () => {
    const { rig, id, repairDisk } = await afterReload();
    const bytes = rig.files.files.get(pathOf(id))?.length;
    const page = await rig.openPage();
    assert.deepEqual(page.shown.messages, []);
    assert.notEqual(page.shown.conversationId, id);
    assert.deepEqual(notices(page), ["unreadable"]);
    service.script({ blocks: ["elsewhere"] });
    await page.askToEnd("something else");
    assert.equal(rig.files.files.get(pathOf(id))?.length, bytes);
    repairDisk();
    await page.post({ type: "conversation-opened", conversationId: id });
    assert.deepEqual(
      page.shown.messages.map(({ text }) => text),
      ["precious", "kept"],
    );
    assert.deepEqual(notices(page), []);
  });

  it("is reported when it is opened from the list, which marks it; the current one stays", async () => {
    const { rig, id } = await afterReload();
    const page = await rig.openPage(true);
    const shownId = page.shown.conversationId;
    assert.deepEqual(notices(page), []);
    await page.post({
      type: "history-asked",
      text: "",
      isInBin: false,
      isThisWorkspace: false,
    });
    await page.until(() => page.shown.history?.isComplete === true);
    const [row] = page.shown.history?.rows ?? [];
    assert.ok(row?.id === id && row.isDamaged);
    await page.post({ type: "conversation-opened", conversationId: id });
    assert.equal(page.shown.conversationId, shownId);
    assert.deepEqual(notices(page), ["unreadable"]);
    await page.post({ type: "conversation-asked" });
    assert.deepEqual(notices(page), []);
  });

  it("shows the intact parts of a damaged file, and reports the damage", async () => {
    const { rig, id, repairDisk } = await afterReload();
    repairDisk();
    const path = pathOf(id);
    const bytes = rig.files.files.get(path)!;
    const text = new TextDecoder().decode(bytes).replace('"text":"kept"', '"text":"kepT"');
    rig.files.files.set(path, new TextEncoder().encode(text));
    const page = await rig.openPage();
    assert.equal(page.shown.messages[0]?.text, "precious");
    assert.deepEqual(notices(page), ["damaged"]);
  });

  it("does not replace a conversation that was opened later, even if reading is slow", async () => {
    const { rig, id, repairDisk } = await afterReload();
    repairDisk();
    const page = await rig.openPage(true);
    const opening = page.post({ type: "conversation-opened", conversationId: id });
    await Promise.all([opening, page.post({ type: "conversation-asked" })]);
    assert.notEqual(page.shown.conversationId, id);
    assert.deepEqual(page.shown.messages, []);
  });
});
