/**
 * A draft that is edited in two views of a window is the same in both; a draft edited in two
 * windows keeps both texts.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";

const NOTE = { kind: "note", source: "problems", label: "Problems", text: "unused" } as const;

describe("a draft edited in two places", () => {
  const service = suiteService();

  async function type(rig: PanelRig, page: Page, text: string): Promise<void> {
    await page.type(text);
    await rig.history.drafts.flush();
  }

  const offers = (page: Page) => page.shown.notices.map(({ text }) => text);

  /** Opens two windows with the same conversation. */
  async function twoWindows() {
    const { rig: firstRig, page: firstPage } = await openChat(service.url);
    await firstPage.askToEnd("a question");
    const { rig: secondRig, page: secondPage } = await openChat(service.url, firstRig);
    assert.equal(secondPage.conversationId, firstPage.conversationId);
    return { firstRig, firstPage, secondRig, secondPage };
  }

  it("is the same in every view of a window", async () => {
    const { rig, page: panel } = await openChat(service.url);
    await panel.askToEnd("a question");
    const tab = await rig.openPage(true);
    await tab.open(panel.conversationId);
    await type(rig, panel, "typed in the panel");
    assert.equal(tab.shown.draft, "typed in the panel");
    await type(rig, tab, "typed in the panel and the tab");
    assert.equal(panel.shown.draft, "typed in the panel and the tab");
    assert.deepEqual(offers(panel), []);
    await tab.ask("typed in the panel and the tab");
    assert.equal(panel.shown.draft, "");
  });

  it("has the fields of its prompts in every view and in the next window, until it is empty", async () => {
    const { rig, page: panel } = await openChat(service.url);
    await panel.askToEnd("a question");
    const { conversationId } = panel;
    const tab = await rig.openPage(true);
    await tab.session.open(conversationId);
    const fields = ["${input:port}"];
    const change = { type: "draft-changed" as const, conversationId };
    await panel.post({ ...change, text: "Ship to ${input:port}", fields });
    assert.deepEqual(tab.last("draft-shown")?.fields, fields);
    await tab.post({ ...change, text: "Ship it to ${input:port}" });
    await rig.history.drafts.flush();
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.last("snapshot")?.fields, fields);
    await panel.post({ ...change, text: "" });
    await panel.post({ ...change, text: "typed: ${input:port}" });
    assert.equal(tab.last("draft-shown")?.fields, undefined);
  });

  it("is one of the texts of two windows, and the text that it replaced can be restored", async () => {
    const { firstRig, firstPage, secondRig, secondPage } = await twoWindows();
    await type(firstRig, firstPage, "typed here");
    await type(secondRig, secondPage, "typed there");
    await firstPage.post({ type: "focus-moved", isInside: true });
    // Both may be of the same millisecond.
    const texts = ["typed here", "typed there"];
    const [shown = "", other = ""] =
      firstPage.shown.draft === texts[0] ? texts : texts.toReversed();
    assert.equal(firstPage.shown.draft, shown);
    assert.deepEqual(offers(firstPage), [`other draft: ${other}`]);
    await firstPage.act("swap-draft");
    assert.equal(firstPage.shown.draft, other);
    assert.deepEqual(offers(firstPage), [`other draft: ${shown}`]);
    await firstRig.history.drafts.flush();
    await secondPage.post({ type: "focus-moved", isInside: true });
    assert.equal(secondPage.shown.draft, other);
    await firstPage.ask(other);
    assert.deepEqual(offers(firstPage), [`other draft: ${shown}`]);
    await firstPage.act("swap-draft");
    assert.equal(firstPage.shown.draft, shown);
    assert.deepEqual(offers(firstPage), [], "the sent text is not offered");
  });

  it("follows another window if nothing was typed here since", async () => {
    const { firstRig, firstPage, secondRig } = await twoWindows();
    await type(firstRig, firstPage, "started");
    const secondPage = await secondRig.openPage();
    assert.equal(secondPage.shown.draft, "started");
    await type(secondRig, secondPage, "started, and continued");
    await secondPage.attach(NOTE);
    await secondRig.history.drafts.flush();
    await firstPage.post({ type: "focus-moved", isInside: true });
    assert.equal(firstPage.shown.draft, "started, and continued");
    assert.equal(firstPage.shown.attachments.length, 1);
    assert.deepEqual(offers(firstPage), []);
  });

  describe("with a text set aside for an edit", () => {
    const parkedText = "a follow-up";

    async function editing() {
      const opened = await openChat(service.url);
      const { page } = opened;
      await page.askToEnd("a question");
      const messageId = page.shown.messages[0]!.id;
      await page.type(parkedText);
      await page.edit(messageId, { parkedText, text: "a better question" });
      return { ...opened, messageId };
    }

    it("keeps that text while other conversations are opened", async () => {
      const { rig, page, conversationId, messageId } = await editing();
      await page.post({ type: "conversation-asked" });
      await rig.history.drafts.flush();
      const next = await new PanelRig(service.url, rig).openPage();
      await next.open(conversationId);
      const { draft, editing: edited } = next.shown;
      assert.deepEqual(
        [draft, edited?.messageId, edited?.parkedText],
        ["a better question", messageId, parkedText],
      );
    });

    it("restores that text once the edited question is accepted", async () => {
      const { rig, page, messageId } = await editing();
      await page.ask("a better question", { replacesId: messageId });
      const next = await rig.openPage();
      assert.deepEqual([next.shown.draft, next.shown.editing], [parkedText, undefined]);
    });

    it("offers that text when the edited question is no longer shown", async () => {
      const { rig, page, conversationId } = await editing();
      await page.edit();
      assert.equal(rig.history.drafts.current(conversationId).text, "a better question");
      assert.deepEqual(offers(page), ["other draft: a follow-up"]);
    });
  });

  it("notifies the page once its text is on disk", async () => {
    const { rig, page, conversationId } = await openChat(service.url);
    const saved = () => page.received.filter(({ type }) => type === "draft-saved");
    await page.post({ type: "draft-changed", conversationId, text: "wor", edit: 1 });
    await page.post({ type: "draft-changed", conversationId, text: "words", edit: 2 });
    assert.deepEqual(saved(), []);
    await rig.history.drafts.flush();
    assert.deepEqual(
      saved().map((message) => message.type === "draft-saved" && message.edit),
      [2],
    );
  });

  it("keeps the draft that the page's own text replaced", async () => {
    const { rig, page, conversationId } = await openChat(service.url);
    await type(rig, page, "on the disk");
    await page.post({
      type: "draft-changed",
      conversationId,
      text: "kept by the page",
      edit: 1,
      isRestored: true,
    });
    assert.deepEqual(offers(page), ["other draft: on the disk"]);
  });
});
