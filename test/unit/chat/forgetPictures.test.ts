/** Pictures that the user forgets are gone from the disk; the turns stay and name them. */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { filesWith } from "../../support/fakes/byteSearch";
import { ProcessDied } from "../../support/fakes/memoryFileSystem";
import { PanelRig, type Page } from "../../support/chat/panelRig";
import { offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

const PICTURE = madePng(40, 31, { isNoisy: true });
const PIXELS = PICTURE.subarray(100, 200);
const OTHER = madePng(50, 20, { isNoisy: true });

describe("forgotten pictures", () => {
  const service = suiteService();

  const attach = (page: Page, bytes = PICTURE, name = "plan.png") =>
    offerPicture(page, name, bytes);
  async function asked(): Promise<{ rig: PanelRig; page: Page }> {
    const { rig, page } = await openVisionChat(service.url);
    await attach(page);
    await service.exchange(page, "what is this?", "a plan");
    return { rig, page };
  }
  async function forget(rig: PanelRig, page: Page): Promise<void> {
    await rig.conversations.forgetPictures(await rig.conversations.get(page.conversationId));
  }
  /** Makes the pictures old enough to be removed at once. */
  function age({ files }: PanelRig): void {
    const before = files.nowMs;
    const earlier = before() - 60_000;
    files.nowMs = () => earlier;
  }

  it("leave the turn, its answer and the name of the picture, and no byte of it", async () => {
    const { rig, page } = await asked();
    age(rig);
    assert.equal(filesWith(rig.files.files, PIXELS).length, 1);
    await forget(rig, page);
    assert.deepEqual(filesWith(rig.files.files, PIXELS), []);
    const next = new PanelRig(service.url, rig);
    for (const shown of [page.shown, (await next.openPage()).shown]) {
      const [question, reply] = shown.messages;
      assert.ok(question?.role === "user" && reply?.text === "a plan");
      assert.equal(question.text, "what is this?");
      assert.deepEqual(
        question.chips.map(({ label, detail, picture }) => [label, detail, picture]),
        [["plan.png", "forgotten", undefined]],
      );
    }
  });

  it("are not sent again, and the conversation goes on", async () => {
    const { rig, page } = await asked();
    await forget(rig, page);
    const reply = await service.exchange(page, "and now?", "yes");
    assert.equal(reply.text, "yes");
    assert.equal(service.requests.at(-1)?.pictures.length, 0);
    service.script({ blocks: ["again"] });
    const first = page.shown.messages.find(({ role }) => role === "assistant");
    await page.regenerate(first?.id ?? "");
    await page.until(() => page.lastReply?.text === "again");
  });

  it("stay where another conversation or a later question uses them", async () => {
    const { rig, page } = await asked();
    age(rig);
    await page.session.startNew();
    await attach(page);
    await service.exchange(page, "another conversation", "the same");
    const second = page.conversationId;
    await attach(page, OTHER, "other.png");
    await service.exchange(page, "other", "other");
    await forget(rig, page);
    assert.equal(filesWith(rig.files.files, PIXELS).length, 1, "the first conversation has it");
    assert.deepEqual(filesWith(rig.files.files, OTHER.subarray(100, 200)), []);
    assert.equal(page.conversationId, second);
    await attach(page, OTHER, "other.png");
    await service.exchange(page, "attached again", "again");
    await rig.history.finishDeletions();
    assert.equal(filesWith(rig.files.files, OTHER.subarray(100, 200)).length, 1);
  });

  it("are gone after the next window, wherever the deletion is interrupted", async () => {
    const { rig, page } = await asked();
    age(rig);
    await rig.conversations.close();
    const { calls } = rig.files;
    const disk = rig.files.copy();
    await forget(rig, page);
    const total = rig.files.calls - calls;
    for (let at = 0; at < total; at++) {
      const files = disk.copy();
      const one = new PanelRig(service.url, { files });
      const live = await one.conversations.get(page.conversationId);
      files.fault = { atCall: files.calls + at, kind: "die", writtenBytes: 7 };
      let isInterrupted = false;
      await one.conversations.forgetPictures(live).catch((error: unknown) => {
        isInterrupted = error instanceof ProcessDied || error instanceof Error;
      });
      files.fault = undefined;
      const next = new PanelRig(service.url, { files });
      await next.history.finishDeletions();
      const hasPicture = filesWith(files.files, PIXELS).length > 0;
      const loaded = await next.history.journal.load(page.conversationId);
      const question = [...(loaded?.conversation.messages.values() ?? [])].find(
        ({ role }) => role === "user",
      );
      const isForgotten = JSON.stringify(question).includes("forgotten-picture");
      assert.equal(hasPicture, !isForgotten, `call ${at}, interrupted ${isInterrupted}`);
      assert.equal(loaded?.damagedRecords === 0 || isForgotten, true, `call ${at}`);
    }
  });
});
