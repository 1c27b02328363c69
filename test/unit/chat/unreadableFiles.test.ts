/**
 * A conversation that cannot be read, or only in part: the user is notified, the file stays
 * unchanged and listed, and the conversation opens again once the disk recovers.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";

describe("an unreadable conversation", () => {
  const service = suiteService();

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
    const { rig: before, page } = await openChat(service.url);
    await service.exchange(page, "precious", "kept");
    await before.conversations.close();
    const id = page.conversationId;
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
    assert.notEqual(page.conversationId, id);
    assert.deepEqual(notices(page), ["unreadable"]);
    await service.exchange(page, "something else", "elsewhere");
    assert.equal(rig.files.files.get(pathOf(id))?.length, bytes);
    repairDisk();
    await page.open(id);
    assert.deepEqual(page.texts, ["precious", "kept"]);
    assert.deepEqual(notices(page), []);
  });

  it("is reported when it is opened from the list, which marks it; the current one stays", async () => {
    const { rig, id } = await afterReload();
    const page = await rig.openPage(true);
    const shownId = page.conversationId;
    assert.deepEqual(notices(page), []);
    await page.post({ type: "history-asked", text: "", isInBin: false, isThisWorkspace: false });
    await page.until(() => page.shown.history?.isComplete === true);
    const [row] = page.shown.history?.rows ?? [];
    assert.ok(row?.id === id && row.isDamaged);
    await page.open(id);
    assert.equal(page.conversationId, shownId);
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
    const opening = page.open(id);
    await Promise.all([opening, page.post({ type: "conversation-asked" })]);
    assert.notEqual(page.conversationId, id);
    assert.deepEqual(page.shown.messages, []);
  });
});
