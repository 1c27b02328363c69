/**
 * The list of conversations as the view receives it: updates, search, and actions that can be
 * undone.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { turn } from "../history/turns";

describe("HistoryList", () => {
  const service = suiteService();
  let page: Page;
  beforeEach(async () => {
    service.reset();
    page = await new PanelRig(service.url).openPage();
    for (const text of ["Why does retry fail?", "What is in the picture?"]) {
      await page.post({ type: "conversation-asked" });
      await service.exchange(page, text, `About "${text}" there is nothing to say`);
    }
  });

  const all = { type: "history-asked", text: "", isInBin: false, isThisWorkspace: false } as const;
  const titles = () => page.shown.history?.rows.map(({ title }) => title);
  const idOf = (title: string) =>
    page.shown.history?.rows.find((row) => row.title === title)?.id ?? "";

  it("ends with an error when the conversations folder cannot be listed", async () => {
    const rig = new PanelRig(service.url);
    rig.files.list = () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
    const other = await rig.openPage();
    await other.post(all);
    await other.until(() => other.shown.history?.isUnavailable === true);
    assert.equal(other.shown.history?.isComplete, true);
  });

  it("lists all conversations, newest first, and marks the current one", async () => {
    await page.post(all);
    await page.until(() => titles()?.length === 2);
    assert.deepEqual(titles(), ["What is in the picture?", "Why does retry fail?"]);
    assert.deepEqual(
      page.shown.history?.rows.map(({ isShown }) => isShown),
      [true, false],
    );
  });

  it("lists the latest other conversations of the workspace in an empty conversation", async () => {
    await page.post({ type: "conversation-asked" });
    await page.post({ type: "recent-asked" });
    await page.until(() => page.shown.recent !== undefined);
    assert.deepEqual(
      page.shown.recent?.rows.map(({ title }) => title),
      ["What is in the picture?", "Why does retry fail?"],
    );
  });

  it("has what another window added, when it is opened again soon after a slow check of the files", async () => {
    const { rig, page: own } = await openChat(service.url);
    const list = rig.files.list.bind(rig.files);
    rig.files.list = async (folder) => {
      await delay(50);
      return list(folder);
    };
    await (await rig.conversations.index.list()).refresh();
    const created = { kind: "created", id: "other", atMs: 1 } as const;
    const { journal } = new PanelRig(service.url, rig).history;
    await journal.append("other", [created, ...turn("other", null, "There", "Yes.")]);
    await own.post(all);
    await own.until(() => own.shown.history?.rows.some(({ title }) => title === "There") === true);
  });

  it("lists the conversations of this workspace, and says how many others there are", async () => {
    const { rig, page: own } = await openChat(service.url);
    await service.exchange(own, "A needle of this workspace", "here");
    for (const workspace of ["other", undefined]) {
      const id = `in-${workspace}`;
      await rig.history.journal.append(id, [
        { kind: "created", id, atMs: 1, ...(workspace !== undefined && { workspace }) },
        ...turn(id, null, "A needle elsewhere", "Yes."),
      ]);
    }
    await (await rig.conversations.index.list()).refresh();
    const here = { ...all, isThisWorkspace: true };
    const { shown } = own;
    const listed = () => shown.history?.rows.map(({ title }) => title);

    await own.post(here);
    await own.until(() => shown.history?.isComplete === true && shown.history.hiddenCount === 2);
    assert.deepEqual(listed(), ["A needle of this workspace"]);
    assert.equal(shown.history?.workspace, "sample");
    await own.post({ ...here, text: "needle" });
    await own.until(() => shown.history?.text === "needle" && shown.history.isComplete);
    assert.deepEqual(listed(), ["A needle of this workspace"]);
    await own.post({ ...all, text: "needle" });
    await own.until(() => shown.history?.rows.length === 3);
    await own.post(all);
    await own.until(() => shown.history?.text === "" && shown.history.rows.length === 3);
    assert.equal(shown.history.hiddenCount, undefined);
  });

  it("finds text in replies and reports its position", async () => {
    await page.post({ ...all, text: "retry nothing" });
    await page.until(
      () => page.shown.history?.text === "retry nothing" && page.shown.history.isComplete,
    );
    assert.deepEqual(titles(), ["Why does retry fail?"]);
    const [row] = page.shown.history?.rows ?? [];
    const words = (row?.snippets ?? []).flatMap(({ text, ranges }) =>
      ranges.map(({ start, end }) => text.slice(start, end)),
    );
    assert.ok(words.includes("nothing"), words.join());
  });

  it("ends a search although the list changes with each text that is read", async () => {
    const { rig, page: other } = await openChat(service.url);
    await service.exchange(other, "Where is it?", "A reply with a needle");
    await (await rig.conversations.index.list()).refresh();
    const index = await rig.conversations.index.list();
    const read = rig.files.read.bind(rig.files);
    let readCount = 0;
    rig.files.read = async (path) => {
      const isText = path.startsWith("conversations/") && readCount++ < 100;
      if (isText) index["changed"].fire();
      return read(path);
    };
    await other.post({ ...all, text: "needle" });
    const { shown } = other;
    await other.until(() => shown.history?.text === "needle" && shown.history.isComplete);
    assert.equal(shown.history?.rows.length, 1);
    assert.ok(readCount < 10, `${readCount} reads`);
  });

  it("renames, pins, deletes and restores", async () => {
    await page.post(all);
    await page.until(() => titles()?.length === 2);
    const conversationId = idOf("Why does retry fail?");
    await page.post({ type: "conversation-renamed", conversationId, title: "Retries" });
    await page.post({ type: "conversation-pinned", conversationId, isPinned: true });
    await page.until(() => titles()?.[0] === "Retries");
    await page.post({ type: "conversation-deleted", conversationId });
    await page.until(() => titles()?.length === 1);
    await page.post({ ...all, isInBin: true });
    await page.until(() => page.shown.history?.isInBin === true && titles()?.[0] === "Retries");
    await page.post({ type: "conversation-restored", conversationId });
    await page.post(all);
    await page.until(() => page.shown.history?.isInBin === false && titles()?.length === 2);
  });

  it("opens another conversation, and replaces a deleted one with a new one", async () => {
    await page.post(all);
    await page.until(() => titles()?.length === 2);
    const conversationId = idOf("Why does retry fail?");
    await page.open(conversationId);
    assert.equal(page.shown.title, "Why does retry fail?");
    assert.equal(page.shown.messages.length, 2);
    await page.post({ type: "conversation-deleted", conversationId });
    assert.notEqual(page.conversationId, conversationId);
    assert.deepEqual(page.shown.messages, []);
  });

  describe("unsent questions", () => {
    let rig: PanelRig;
    let own: Page;
    const rows = () => own.shown.history?.rows.map(({ title }) => title);
    const listed = async (titles: string[], options: object = {}) => {
      await own.post({ ...all, ...options });
      await own.until(() => JSON.stringify(rows()) === JSON.stringify(titles));
    };

    /** Types in the open conversation and returns its id. */
    async function type(text: string): Promise<string> {
      const { conversationId } = own;
      await own.type(text);
      return conversationId;
    }

    beforeEach(async () => {
      rig = new PanelRig(service.url);
      own = await rig.openPage();
      await service.exchange(own, "A question that was sent", "answered");
      await own.post({ type: "conversation-asked" });
    });

    it("are listed immediately and after a restart, even if others were opened since", async () => {
      const draftId = await type("Why is the sky blue?");
      await listed(["draft: Why is the sky blue?", "A question that was sent"]);
      const sent = own.shown.history!.rows[1]!.id;
      await own.open(sent);
      await own.post({ type: "conversation-asked" });
      assert.equal(own.shown.draft, "");
      await listed(["draft: Why is the sky blue?", "A question that was sent"]);
      await rig.conversations.close();
      rig = new PanelRig(service.url, rig);
      own = await rig.openPage();
      await listed(["draft: Why is the sky blue?", "A question that was sent"]);
      await own.open(draftId);
      assert.equal(own.shown.draft, "Why is the sky blue?");
    });

    it("are found by their text, also in the middle of a long text", async () => {
      await type(`${"The owl 🦉 flew. ".repeat(40)}Café of the harbour. ${"More. ".repeat(40)}`);
      await own.post({ ...all, text: "HARBOUR cafe" });
      await own.until(() => own.shown.history?.rows.length === 1);
      const [snippet] = own.shown.history!.rows[0]!.snippets;
      assert.deepEqual(
        snippet?.ranges.map(({ start, end }) => snippet.text.slice(start, end)),
        ["Café", "harbour"],
      );
      await own.post({ ...all, text: "nowhere" });
      await own.until(() => own.shown.history?.foundCount === 0);
    });

    it("are found in conversations with messages, also after a restart", async () => {
      await listed(["A question that was sent"]);
      const conversationId = own.shown.history!.rows[0]!.id;
      await own.open(conversationId);
      await type("And what about the lighthouse?");
      await own.post({ type: "conversation-asked" });
      await listed(["A question that was sent"], { text: "lighthouse" });
      await rig.conversations.close();
      rig = new PanelRig(service.url, rig);
      own = await rig.openPage();
      await listed(["A question that was sent"], { text: "lighthouse" });
      const [row] = own.shown.history!.rows;
      assert.match(row!.snippets[0]!.text, /the lighthouse/);
      await listed(["A question that was sent"]);
      await own.open(conversationId);
      assert.equal(own.shown.draft, "And what about the lighthouse?");
    });

    it("are deleted to the bin and restored with their text", async () => {
      const conversationId = await type("Thrown away");
      await listed(["draft: Thrown away", "A question that was sent"]);
      await own.post({ type: "conversation-deleted", conversationId });
      assert.notEqual(own.conversationId, conversationId);
      await listed(["A question that was sent"]);
      await listed(["draft: Thrown away"], { isInBin: true });
      await listed(["draft: Thrown away"], { isInBin: true, text: "thrown" });
      await own.post({ type: "conversation-restored", conversationId });
      await listed(["draft: Thrown away", "A question that was sent"]);
      await own.open(conversationId);
      assert.equal(own.shown.draft, "Thrown away");
    });
  });
});
