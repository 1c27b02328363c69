/**
 * Deleting in a chat: a conversation for ever, the content of one message, and the pictures from before
 * cropping and blacking out once the question is sent.
 */
import assert from "node:assert/strict";
import { lastMessages, suiteService } from "../../support/chat/chatSuite";
import { PanelRig } from "../../support/chat/panelRig";
import { markPicture, offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { filesWith } from "../../support/fakes/byteSearch";
import { madePng } from "../../support/pictures/madePng";

describe("deleting", () => {
  const service = suiteService();

  const open = () => openVisionChat(service.url);

  /** Resolves when the files no longer have the bytes; the page's messages do not wait for that. */
  async function untilGone(rig: PanelRig, bytes: Uint8Array): Promise<void> {
    const untilMs = Date.now() + 5_000;
    while (filesWith(rig.files.files, bytes).length > 0) {
      assert.ok(Date.now() < untilMs, "the picture is still on disk");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  for (const change of ["crop", "marked"] as const) {
    it(`keeps only the sent picture after a question with a picture that was ${change}`, async () => {
      const { rig, page } = await open();
      const [original, firstTry, sent] = [madePng(50, 50), madePng(30, 22), madePng(30, 20)];
      await offerPicture(page, "secret.png", original);
      await markPicture(page, change, firstTry);
      await markPicture(page, change, sent);
      assert.notDeepEqual(filesWith(rig.files.files, original), [], "kept for another change");
      await service.exchange(page, "?", "seen");
      await untilGone(rig, original);
      await untilGone(rig, firstTry);
      assert.notDeepEqual(filesWith(rig.files.files, sent), []);
    });
  }

  for (const text of ["who is this?", ""]) {
    it(`leaves no original when the window dies at any write of a question with the text "${text}"`, async () => {
      const { rig, page, conversationId } = await open();
      const [original, sent] = [madePng(50, 50), madePng(30, 20)];
      await offerPicture(page, "secret.png", original);
      await markPicture(page, "crop", sent);
      if (text !== "") await page.type(text);
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
      await service.exchange(page, text, "seen");
      await untilGone(rig, original);
      let sentCount = 0;
      for (const files of disks) {
        const next = new PanelRig(service.url, { files });
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
    await service.exchange(page, "whole?", "seen");
    await offerPicture(page, "page.png", original);
    await markPicture(page, "crop", madePng(30, 20));
    await service.exchange(page, "part?", "seen");
    await rig.history.cleanUp(new AbortController().signal);
    assert.notDeepEqual(filesWith(rig.files.files, original), []);
  });

  it("shows a placeholder for a forgotten question, and sends it as such from then on", async () => {
    const { rig, page, conversationId } = await open();
    const picture = madePng(50, 50);
    await offerPicture(page, "page.png", picture);
    await service.exchange(page, "my password is hunter2", "seen");
    const live = await rig.conversations.get(conversationId);
    await rig.conversations.forgetMessage(live, live.path()[0]!.id);
    await page.until(() => page.shown.messages[0]?.text === "message forgotten");
    assert.deepEqual(filesWith(rig.files.files, "hunter2"), []);
    await untilGone(rig, picture);
    await service.exchange(page, "still there?", "yes");
    const body = service.requests.at(-1)!.bodyText;
    assert.ok(!body.includes("hunter2") && !body.includes("data:image"));
    const roles = lastMessages(service).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "user"]);
    await rig.history.close();
    const { conversation } = (await rig.history.journal.load(conversationId))!;
    const forgotten = [...conversation.messages.values()].filter((one) => one.isForgotten);
    assert.equal(forgotten.length, 1);
  });

  it("shows a new conversation when the shown one is deleted for ever", async () => {
    const { rig, page, conversationId } = await open();
    await service.exchange(page, "my password is hunter2", "seen");
    await page.post({ type: "conversation-removed", conversationId, title: "my password" });
    await page.until(() => page.conversationId !== conversationId);
    assert.deepEqual(filesWith(rig.files.files, "hunter2"), []);
    assert.deepEqual(
      [...rig.files.files.keys()].filter((path) => path.includes(conversationId)),
      [],
    );
  });

  it("leaves no byte of the conversations of a workspace, and all of another workspace", async () => {
    const { rig, page, conversationId } = await open();
    const [asked, unsent, shared] = [madePng(50, 50), madePng(31, 44), madePng(23, 29)];
    for (const picture of [asked, shared]) await offerPicture(page, "Zwölf.png", picture);
    service.script({ blocks: ["Zwölf is a number"] }, { blocks: ["aside: Zwölf"] });
    const { id: messageId } = await page.askToEnd("a question about Zwölf");
    const aside = { conversationId, asideId: "aside", messageId, text: "why Zwölf?" };
    await page.post({ type: "aside-asked", ...aside });
    await page.until(() => page.shown.asides.at(-1)?.reply?.isStreaming === false);
    await page.post({ type: "conversation-pinned", conversationId, isPinned: true });
    await page.session.startNew();
    await page.askToEnd("deleted, with Zwölf");
    await rig.conversations.delete(page.conversationId);
    await page.session.startNew();
    await offerPicture(page, "unsent.png", unsent);
    await page.type("not sent: Zwölf");
    const { hash } = await rig.history.pictures.store(shared);
    const size = { widthPx: 23, heightPx: 29, bytes: shared.length };
    const picture = { kind: "image", hash, mediaType: "image/png", name: "a", ...size } as const;
    const question = { id: "q", role: "user" as const, parentId: null, parts: [picture] };
    await rig.conversations.adopt("other", [
      { kind: "created", id: "other", atMs: 1, workspace: "another" },
      { kind: "message-added", message: { ...question, sentAtMs: 1 } },
    ]);
    await rig.conversations.index.build();
    await rig.history.drafts.flush();
    const { files } = rig.files;
    assert.ok(filesWith(files, "Zwölf").length >= 3);
    await rig.conversations.removeForever(await rig.conversations.idsOf("sample"));
    await rig.history.close();
    for (const bytes of ["Zwölf", asked, unsent]) assert.deepEqual(filesWith(files, bytes), []);
    assert.equal(filesWith(files, shared).length, 1, "the other workspace has this picture");
    assert.equal((await rig.history.journal.load("other"))?.conversation.messages.size, 1);
  });
});
