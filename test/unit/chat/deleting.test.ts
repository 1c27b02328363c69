/**
 * Deleting in a chat: a conversation for ever, the content of one message, and the pictures from before
 * cropping and blacking out once the question is sent.
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import type { Page, PanelRig } from "../../support/chat/panelRig";
import { drawPicture, offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { filesWith } from "../../support/fakes/byteSearch";
import { madePng } from "../../support/pictures/madePng";

describe("deleting", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(() => service.reset());

  const open = () => openVisionChat(service.url);

  /** Resolves when the files no longer have the bytes; the page's messages do not wait for that. */
  async function untilGone(rig: PanelRig, bytes: Uint8Array): Promise<void> {
    const untilMs = Date.now() + 5_000;
    while (filesWith(rig.files.files, bytes).length > 0) {
      assert.ok(Date.now() < untilMs, "the picture is still on disk");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function askMarked(page: Page, change: "crop" | "marked", sent: Uint8Array) {
    const { conversationId } = page.shown;
    const attachmentId = page.shown.attachments.at(-1)!.id;
    const marked = page.post({
      type: "picture-marked",
      conversationId,
      attachmentId,
      change,
      marks: "[]",
      x: 5,
      y: 7,
      widthPx: 30,
      heightPx: 20,
    });
    await drawPicture(page, { bytes: sent, x: 0, y: 0 });
    await marked;
  }

  for (const change of ["crop", "marked"] as const) {
    it(`keeps only the sent picture after a question with a picture that was ${change}`, async () => {
      const { rig, page } = await open();
      const [original, firstTry, sent] = [madePng(50, 50), madePng(30, 22), madePng(30, 20)];
      await offerPicture(page, "secret.png", original);
      await askMarked(page, change, firstTry);
      await askMarked(page, change, sent);
      assert.notDeepEqual(filesWith(rig.files.files, original), [], "kept for another change");
      service.script({ blocks: ["seen"] });
      await page.askToEnd("?");
      await untilGone(rig, original);
      await untilGone(rig, firstTry);
      assert.notDeepEqual(filesWith(rig.files.files, sent), []);
      const question = page.shown.messages.at(-2);
      assert.ok(question?.role === "user");
      assert.equal(question.chips[0]?.original, undefined);
    });
  }

  for (const text of ["who is this?", ""]) {
    it(`leaves no original when the window dies at any write of a question with the text "${text}"`, async () => {
      const { rig, page, conversationId } = await open();
      const [original, sent] = [madePng(50, 50), madePng(30, 20)];
      await offerPicture(page, "secret.png", original);
      await askMarked(page, "crop", sent);
      if (text !== "") await page.post({ type: "draft-changed", conversationId, text });
      await rig.history.drafts.flush();
      const disks: PanelRig["files"][] = [];
      for (const method of ["append", "replace", "remove"] as const) {
        const write = rig.files[method].bind(rig.files) as (...args: unknown[]) => Promise<never>;
        rig.files[method] = async (...args: unknown[]) => {
          const result = await write(...args);
          disks.push(rig.files.copy());
          return result;
        };
      }
      service.script({ blocks: ["seen"] });
      await page.askToEnd(text);
      await untilGone(rig, original);
      const { PanelRig } = await import("../../support/chat/panelRig");
      let sentCount = 0;
      for (const files of disks) {
        const next = new PanelRig(
          service.url,
          Object.assign(Object.create(rig) as PanelRig, { files }),
        );
        const live = await next.conversations.get(conversationId);
        await next.history.finishDeletions();
        if (live.path().length === 0) {
          const [attached] = (await live.draft.load()).attached;
          assert.ok(attached?.picture?.marks !== undefined, "the draft lost its picture");
          assert.notDeepEqual(filesWith(files.files, original), [], "the draft lost its original");
        } else {
          sentCount++;
          await untilGone(next, original);
          assert.notDeepEqual(filesWith(files.files, sent), []);
        }
        next.conversations.dispose();
        await next.history.close();
      }
      assert.ok(sentCount > 2 && sentCount < disks.length, `${sentCount} of ${disks.length}`);
    });
  }

  it("keeps a picture that an earlier question has when a crop of it is sent", async () => {
    const { rig, page } = await open();
    const original = madePng(50, 50);
    await offerPicture(page, "page.png", original);
    service.script({ blocks: ["seen"] });
    await page.askToEnd("whole?");
    await offerPicture(page, "page.png", original);
    await askMarked(page, "crop", madePng(30, 20));
    service.script({ blocks: ["seen"] });
    await page.askToEnd("part?");
    await rig.history.cleanUp(new AbortController().signal);
    assert.notDeepEqual(filesWith(rig.files.files, original), []);
  });

  it("shows a placeholder for a forgotten question, and sends it as such from then on", async () => {
    const { rig, page, conversationId } = await open();
    const picture = madePng(50, 50);
    await offerPicture(page, "page.png", picture);
    service.script({ blocks: ["seen"] });
    await page.askToEnd("my password is hunter2");
    const live = await rig.conversations.get(conversationId);
    await rig.conversations.forgetMessage(live, live.path()[0]!.id);
    await page.until(() => page.shown.messages[0]?.text === "message forgotten");
    assert.deepEqual(filesWith(rig.files.files, "hunter2"), []);
    await untilGone(rig, picture);
    service.script({ blocks: ["yes"] });
    await page.askToEnd("still there?");
    const body = service.requests.at(-1)!.bodyText;
    assert.ok(!body.includes("hunter2") && !body.includes("data:image"));
    const { messages } = JSON.parse(body) as { messages: { role: string }[] };
    assert.deepEqual(
      messages.map(({ role }) => role).filter((role) => role !== "system"),
      ["user", "assistant", "user"],
    );
    await rig.history.close();
    const { conversation } = (await rig.history.journal.load(conversationId))!;
    assert.deepEqual(
      [...conversation.messages.values()].filter(({ isForgotten }) => isForgotten).length,
      1,
    );
  });

  it("shows a new conversation when the shown one is deleted for ever", async () => {
    const { rig, page, conversationId } = await open();
    service.script({ blocks: ["seen"] });
    await page.askToEnd("my password is hunter2");
    await page.post({ type: "conversation-removed", conversationId, title: "my password" });
    await page.until(() => page.shown.conversationId !== conversationId);
    assert.deepEqual(filesWith(rig.files.files, "hunter2"), []);
    assert.deepEqual(
      [...rig.files.files.keys()].filter((path) => path.includes(conversationId)),
      [],
    );
  });

  it("discards a draft that was sent when a sync program brings back its file", async () => {
    const { rig, page, conversationId } = await open();
    rig.history.drafts.save(conversationId, { text: "What is th" });
    await rig.history.drafts.flush();
    const [path, bytes] = [...rig.files.files].find(([name]) => name.startsWith("drafts/"))!;
    service.script({ blocks: ["seen"] });
    await page.askToEnd("What is this?");
    rig.history.drafts.save(conversationId, { text: "" });
    await rig.history.close();
    rig.files.files.set(path, bytes);
    const { PanelRig } = await import("../../support/chat/panelRig");
    const next = new PanelRig(service.url, rig);
    const live = await next.conversations.get(conversationId);
    assert.equal(live.draft.current.text, "");
    await next.history.close();
    assert.ok(!rig.files.files.has(path));
  });

  describe("everything of a workspace", () => {
    const TEXT = "Zwölfeinhalb";
    const [asked, unsent, shared] = [madePng(50, 50), madePng(31, 44), madePng(23, 29)];

    /** A workspace with conversations of each kind; `others` is one of another workspace. */
    async function fill() {
      const { rig, page, conversationId } = await open();
      const ask = async (text: string, ...pictures: Buffer[]) => {
        for (const picture of pictures) await offerPicture(page, `${TEXT}.png`, picture);
        service.script({ blocks: [`${TEXT} is a number`] });
        await page.askToEnd(text);
        return page.shown.conversationId;
      };
      await ask(`a question about ${TEXT}`, asked, shared);
      service.script({ blocks: [`aside: ${TEXT}`] });
      const messageId = page.shown.messages.at(-1)!.id;
      const aside = { conversationId, asideId: "aside", messageId, text: `why ${TEXT}?` };
      await page.post({ type: "aside-asked", ...aside });
      await page.until(() => page.shown.asides.at(-1)?.reply?.isStreaming === false);
      await page.post({ type: "conversation-pinned", conversationId, isPinned: true });
      await page.session.startNew();
      await rig.conversations.delete(await ask(`deleted, with ${TEXT}`));
      await page.session.startNew();
      await offerPicture(page, "unsent.png", unsent);
      const draft = { conversationId: page.shown.conversationId, text: `not sent: ${TEXT}` };
      await page.post({ type: "draft-changed", ...draft });
      const others = "conversation-of-another-workspace";
      const { hash } = await rig.history.pictures.store(shared);
      const size = { widthPx: 23, heightPx: 29, bytes: shared.length };
      const picture = { kind: "image", hash, mediaType: "image/png", name: "a", ...size } as const;
      const question = { id: "q", role: "user" as const, parentId: null, parts: [picture] };
      await rig.conversations.adopt(others, [
        { kind: "created", id: others, atMs: 1, workspace: "another" },
        { kind: "message-added", message: { ...question, sentAtMs: 1 } },
      ]);
      await rig.conversations.index.build();
      await rig.history.drafts.flush();
      return { rig, others };
    }

    const remove = async (rig: PanelRig) =>
      rig.conversations.removeForever(await rig.conversations.idsOf("sample"));

    async function isGone(rig: PanelRig, others: string): Promise<void> {
      await rig.history.close();
      const { files } = rig.files;
      assert.deepEqual(filesWith(files, TEXT), []);
      assert.deepEqual(filesWith(files, asked), []);
      assert.deepEqual(filesWith(files, unsent), []);
      assert.equal(filesWith(files, shared).length, 1, "the other workspace has this picture");
      const loaded = await rig.history.journal.load(others);
      assert.equal(loaded?.conversation.messages.size, 1);
    }

    it("leaves no byte of its texts and pictures, and all of another workspace", async () => {
      const { rig, others } = await fill();
      await rig.history.close();
      assert.ok(filesWith(rig.files.files, TEXT).length >= 3);
      assert.equal(filesWith(rig.files.files, asked).length, 1);
      assert.equal(filesWith(rig.files.files, unsent).length, 1);
      await remove(rig);
      await isGone(rig, others);
    });
  });
});
