/**
 * Pictures from the panel to a real service: attached pictures arrive byte for byte, unsupported
 * files are reported, and a conversation stays usable after a request was rejected because of its
 * pictures.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Attachment } from "../../../src/conversation/draft";
import type { Part } from "../../../src/conversation/message";
import type { ScriptedReply } from "../../service/script";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, type Page } from "../../support/chat/panelRig";
import { drawPicture, offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

/** Marks on a picture of 40×40 pixels, as the page sends them. */
const MARKS = { change: "marked" as const, marks: "[]", x: 0, y: 0, widthPx: 40, heightPx: 40 };

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("pictures in the chat", () => {
  const service = suiteService();

  const open = () => openVisionChat(service.url);
  const offer = offerPicture;
  const draw = (page: Page, ...pictures: Uint8Array[]) =>
    drawPicture(page, ...pictures.map((bytes) => ({ bytes })));

  it("are stored and sent without their metadata", async () => {
    const { rig, page } = await open();
    const secret = Buffer.from("Comment\0taken at home");
    await offer(page, "shot.png", madePng(8, 8, { extra: [["tEXt", secret]] }));
    await service.exchange(page, "?", "seen");
    assert.deepEqual(service.requests[0]?.pictures[0]?.metadata, []);
    await rig.history.close();
    for (const path of await rig.files.list("images")) {
      const bytes = await rig.files.read(`images/${path}`);
      assert.ok(!Buffer.from(bytes!).includes("taken at home"));
    }
  });

  it("above the limits are sent as tiles, or scaled down if chosen", async () => {
    const { rig, page, conversationId } = await open();
    rig.pictureHost.limit = { maxSidePx: 60, maxBytes: 1_000_000 };
    const offered = offer(page, "wide.png", madePng(100, 20));
    await draw(page, madePng(60, 20), madePng(59, 20));
    await offered;
    const [chip] = page.shown.attachments;
    assert.equal(chip?.detail, "100×20 tiles 2");
    const choice = { conversationId, attachmentId: chip.id, fit: "scaled" } as const;
    const chosen = page.post({ type: "picture-fit-chosen", ...choice });
    await draw(page, madePng(60, 12));
    await chosen;
    assert.equal(page.shown.attachments[0]?.detail, "100×20 scaled 1");
    await service.exchange(page, "?", "seen");
    assert.deepEqual(
      service.requests[0]?.pictures.map(({ widthPx }) => widthPx),
      [60],
    );
  });

  describe("whose marks are not applied", () => {
    /** Attaches a picture with marks that the page has not drawn yet. */
    async function marking() {
      const opened = await open();
      const { page, conversationId } = opened;
      await offer(page, "secret.png", madePng(40, 40));
      const attachmentId = page.shown.attachments[0]!.id;
      const marked = (marks: string) =>
        page.post({ type: "picture-marked", conversationId, attachmentId, ...MARKS, marks });
      const isMarked = marked("[1]");
      await page.until(() => page.received.at(-1)?.type === "picture-job");
      return { ...opened, attachmentId, isMarked, marked };
    }

    /** Sends a question and checks that nothing reaches the service. */
    async function expectNothingSent(page: Page): Promise<void> {
      const reply = await page.ask("What is this?");
      assert.equal(reply?.isAccepted, false);
      assert.equal(reply.notice?.text, "secret.png: unfinished");
      assert.equal(page.shown.draft, "");
      assert.equal(service.requests.length, 0);
    }

    const fail = async (page: Page) => {
      const job = page.last("picture-job")!;
      await page.post({ type: "picture-not-drawn", jobId: job.jobId });
    };

    it("are not sent unmarked, neither while they are drawn nor after drawing failed", async () => {
      const { page, isMarked } = await marking();
      assert.deepEqual(page.shown.attachments[0]?.sent, []);
      await expectNothingSent(page);
      await fail(page);
      assert.deepEqual(await isMarked, {
        isAccepted: false,
        notice: { tone: "warning", text: "secret.png: not-marked" },
      });
      await expectNothingSent(page);
      const [chip] = page.shown.attachments;
      assert.deepEqual([chip.sent, chip.marks], [[], "[1]"]);
    });

    it("are not sent unmarked by the next window either", async () => {
      const { rig } = await marking();
      await rig.history.close();
      const next = new PanelRig(service.url, rig);
      await expectNothingSent(await next.openPage());
    });

    it("are drawn by the next page", async () => {
      const { page, isMarked } = await marking();
      page.session.disconnect();
      await page.post({ type: "view-ready" });
      await draw(page, madePng(40, 41));
      assert.deepEqual(await isMarked, { isAccepted: true });
      await service.exchange(page, "?", "seen");
      assert.equal(service.requests[0]?.pictures[0]?.sha256, sha256(madePng(40, 41)));
    });

    it("have the last of several changes, even if an earlier one is drawn later", async () => {
      const { page, isMarked, marked } = await marking();
      const first = page.last("picture-job")!;
      const again = marked("[2]");
      await page.until(() => page.last("picture-job")?.marks === "[2]");
      await draw(page, madePng(40, 42));
      await again;
      const late = { index: 0, count: 1, bytes: madePng(40, 41) };
      await page.post({ type: "picture-drawn", jobId: first.jobId, ...late });
      await isMarked;
      assert.equal(page.shown.attachments[0]?.sent?.[0]?.hash, sha256(madePng(40, 42)));
    });

    it("are sent as originals or removed if the user chooses to", async () => {
      const { page, conversationId, attachmentId } = await marking();
      await fail(page);
      await page.post({ type: "picture-fit-chosen", conversationId, attachmentId, fit: "whole" });
      await service.exchange(page, "?", "seen");
      assert.equal(service.requests[0]?.pictures[0]?.sha256, sha256(madePng(40, 40)));
    });
  });

  it("above the limits are marked first and then split into tiles, as shown", async () => {
    const { rig, page, conversationId } = await open();
    rig.pictureHost.limit = { maxSidePx: 60, maxBytes: 1_000_000 };
    const offered = offer(page, "wide.png", madePng(100, 20));
    await draw(page, madePng(60, 20), madePng(59, 20));
    await offered;
    const [chip] = page.shown.attachments;
    const whole = { ...MARKS, widthPx: 100, heightPx: 20 };
    const attachmentId = chip!.id;
    const isMarked = page.post({ type: "picture-marked", conversationId, attachmentId, ...whole });
    const tiles = [madePng(60, 20, { isNoisy: true }), madePng(58, 20, { isNoisy: true })];
    await draw(page, ...tiles);
    assert.deepEqual(await isMarked, { isAccepted: true });
    const job = page.last("picture-job")!;
    assert.deepEqual([job.fit, job.marks], ["tiles", MARKS.marks]);
    const [marked] = page.shown.attachments;
    assert.equal(marked?.detail, "100×20 tiles 2");
    assert.deepEqual(
      marked.sent?.map(({ hash }) => hash),
      tiles.map(sha256),
    );
    for (const [index, { hash }] of marked.sent.entries()) {
      const answer = await page.post({ type: "picture-asked", hash });
      assert.deepEqual(Buffer.from(answer!.picture!.bytes), tiles[index]);
    }
    await service.exchange(page, "?", "seen");
    const arrived = service.requests[0]?.pictures.map(({ sha256: hash }) => hash);
    assert.deepEqual(arrived, tiles.map(sha256));
  });

  it("that the browser cannot decode are rejected, also from files", async () => {
    const { rig, page, conversationId } = await open();
    const bytes = madePng(9, 9);
    const offered = { conversationId, name: "bad.png", bytes, isReadable: false };
    const reply = await page.post({ type: "picture-offered", ...offered });
    assert.deepEqual(reply, { isAccepted: false });
    rig.context.files = { parts: [], pictures: [{ name: "file.png", bytes }] };
    const filesAttached = page.post({ type: "files-asked", conversationId });
    await page.until(() => page.last("picture-job")?.fit === "check");
    await page.post({ type: "picture-not-drawn", jobId: page.last("picture-job")!.jobId });
    await filesAttached;
    const notices = page.received.flatMap((message) =>
      message.type === "notice-shown" ? [message.notice.text] : [],
    );
    assert.deepEqual(notices, ["bad.png: not-drawn", "file.png: not-drawn"]);
    assert.deepEqual(page.labels, []);
  });

  it("show their differences from the file", async () => {
    const { page } = await open();
    const frame = [0x2c, ...Buffer.alloc(9), 2, 1, 0, 0];
    const animation = [...Buffer.from("GIF89a"), 9, 0, 9, 0, 0, 0, 0, ...frame, ...frame, 0x3b];
    const offered = offer(page, "film.gif", Uint8Array.from(animation));
    await draw(page, madePng(9, 9));
    await offered;
    const origin = JSON.stringify({ mediaType: "image/gif", frames: 2 });
    assert.equal(page.shown.attachments[0]?.detail, `9×9 whole ${origin}`);
  });

  it("that are rejected are reported and not replaced", async () => {
    const { page } = await open();
    const cut = madePng(50, 50).subarray(0, 200);
    assert.deepEqual(await offer(page, "cut.png", cut), { isAccepted: false });
    assert.equal(page.last("notice-shown")?.notice.text, "cut.png: damaged");
    assert.deepEqual(page.labels, []);
  });

  it("are not attached if together they exceed the size of a request", async () => {
    const { rig, page, conversationId } = await open();
    await offer(page, "small.png", madePng(9, 9));
    const { drafts } = rig.history;
    const [{ id, part }] = drafts.current(conversationId).attached as [Attachment];
    const huge = { ...part, bytes: 256 * 1024 ** 2 } as Part;
    drafts.save(conversationId, { attached: [{ id, part: huge }] });
    await offer(page, "another.png", madePng(8, 8));
    assert.equal(page.shown.attachments.length, 1);
    assert.equal(drafts.current(conversationId).attached.length, 1);
  });

  it("are available to the page by the hashes of its own conversation only", async () => {
    const { rig, page } = await open();
    await offer(page, "a.png", madePng(5, 5));
    const hash = page.shown.attachments[0]!.picture!.hash;
    const answer = await page.post({ type: "picture-asked", hash });
    assert.deepEqual(Buffer.from(answer!.picture!.bytes), madePng(5, 5));
    const other = await rig.openPage(true);
    assert.deepEqual(await other.post({ type: "picture-asked", hash }), { isAccepted: false });
  });

  /** Returns the last question of the page. */
  const lastQuestion = (page: Page) =>
    page.shown.messages.findLast((message) => message.role === "user");

  it("are counted in the sent request, including those of earlier questions", async () => {
    const { page } = await open();
    const [first, second] = [madePng(64, 48), madePng(31, 7)];
    assert.deepEqual(await offer(page, "first.png", first), { isAccepted: true });
    assert.equal(page.shown.attachments[0]?.detail, "64×48 whole");
    await service.exchange(page, "What is this?", "seen");
    await offer(page, "second.png", second);
    await service.exchange(page, "And this?", "seen");
    const arrived = service.requests[1]!.pictures;
    assert.deepEqual(
      lastQuestion(page)?.sentPictures?.map(({ label, picture }) => [label, picture]),
      arrived.map(({ sha256: hash, widthPx, heightPx }, index) => [
        ["first.png", "second.png"][index],
        { hash, widthPx, heightPx },
      ]),
    );
    assert.deepEqual(
      arrived.map(({ sha256: hash }) => hash),
      [sha256(first), sha256(second)],
    );
    const { sha256: hash } = arrived[0]!;
    const answer = await page.post({ type: "picture-asked", hash });
    assert.equal(sha256(answer!.picture!.bytes), hash);
  });

  it("are marked as left out if the model does not accept them", async () => {
    const { rig, page } = await open();
    rig.settings = { modelKind: "llm", modelCode: "core_llm" };
    await offer(page, "shot.png", madePng(9, 9));
    await service.exchange(page, "What is this?", "unseen");
    const question = lastQuestion(page);
    assert.deepEqual(
      question?.chips.map(({ label, isLeftOut }) => [label, isLeftOut]),
      [["shot.png", true]],
    );
    assert.equal(question.sentPictures, undefined);
    assert.deepEqual(service.requests[0]?.pictures, []);
  });

  describe("that are missing on disk", () => {
    const OTHER = Buffer.from("something else");

    /** Sends a picture once and then changes its file on disk. */
    async function changeSentPicture(loss: "missing" | "damaged" | "unreadable") {
      const opened = await open();
      const { rig, page } = opened;
      await offer(page, "shot.png", madePng(20, 20));
      await service.exchange(page, "What is this?", "seen");
      const hash = sha256(madePng(20, 20));
      const [name] = await rig.files.list("images");
      const path = `images/${name}`;
      if (loss === "missing") await rig.files.remove(path);
      else if (loss === "damaged") await rig.files.replace(path, OTHER);
      else rig.files.stat = () => Promise.reject(new Error("EIO"));
      return { ...opened, hash };
    }

    for (const loss of ["missing", "damaged", "unreadable"] as const) {
      it(`(${loss}) are reported where they would be shown`, async () => {
        const { page, hash } = await changeSentPicture(loss);
        assert.deepEqual(await page.post({ type: "picture-asked", hash }), {
          isAccepted: false,
          notice: { tone: "warning", text: `shot.png: ${loss}` },
        });
      });

      it(`(${loss}) are not replaced, and the question is sent without them`, async () => {
        const { page } = await changeSentPicture(loss);
        const { id, notice, pictureRetry } = await page.askToEnd("And now?");
        assert.equal(notice?.text, "picture-lost");
        assert.deepEqual(pictureRetry, { canShrink: false });
        assert.equal(service.requests.length, 1);
        service.script({ blocks: ["without"] });
        await page.post({ type: "picture-retry-asked", messageId: id, how: "without" });
        await page.until(() => page.lastReply?.text === "without");
        assert.deepEqual(service.requests[1]?.pictures, []);
      });
    }
  });

  it("that the budget leaves out are named and can be included again", async () => {
    const { rig, page, conversationId } = await open();
    await offer(page, "old.png", madePng(280, 280));
    await service.exchange(page, "What is this?", "seen");
    await offer(page, "new.png", madePng(281, 280));
    await service.exchange(page, "And this?", "seen, too");
    rig.settings = { ...rig.settings, budgetTokens: 20 };
    rig.meter.budgetTokens = 20;
    await page.type("And now?");
    const meter = page.last("meter-changed")!.meter;
    assert.equal(meter.olderPictures, 1);
    const [left] = meter.olderPicturesLeftOut;
    assert.equal(left?.label, "old.png");
    await service.exchange(page, "And now?", "unseen");
    const widths = service.requests[2]?.pictures.map(({ widthPx }) => widthPx);
    assert.deepEqual(widths, [281], "the picture of the last question that had one stays");
    const { messageId } = left;
    const { hash } = left.picture!;
    await page.post({ type: "picture-put-back", conversationId, messageId, hash });
    assert.equal(page.shown.attachments[0]?.label, "old.png");
    await service.exchange(page, "And with it?", "seen again");
    assert.deepEqual(
      service.requests[3]?.pictures.slice(1).map(({ sha256: sent }) => sent),
      [hash],
    );
  });

  describe("after a rejected request", () => {
    async function refused(status: number) {
      const opened = await open();
      await offer(opened.page, "a.png", madePng(40, 20));
      await offer(opened.page, "b.png", madePng(20, 20));
      service.script({ status, body: '{"error":{"message":"no"}}' });
      const reply = await opened.page.askToEnd("Compare.");
      assert.deepEqual(reply.pictureRetry, { canShrink: true });
      service.script({ blocks: ["seen"] });
      return { ...opened, messageId: reply.id };
    }

    const ended = (page: Page) => page.until(() => page.lastReply?.text === "seen");

    for (const status of [400, 413, 415, 422]) {
      it(`with ${status} the question is sent without pictures, and so are the next ones`, async () => {
        const { page, messageId } = await refused(status);
        await page.post({ type: "picture-retry-asked", messageId, how: "without" });
        await ended(page);
        assert.equal(service.requests.at(-1)?.pictures.length, 0);
        await service.exchange(page, "And now?", "more");
        assert.equal(service.requests.at(-1)?.pictures.length, 0);
      });
    }

    it("the question is sent with smaller pictures", async () => {
      const { page, messageId } = await refused(413);
      const retried = page.post({ type: "picture-retry-asked", messageId, how: "smaller" });
      const isJob = () => page.received.filter(({ type }) => type === "picture-job").length === 2;
      await page.until(isJob);
      for (const job of page.received.filter((message) => message.type === "picture-job")) {
        const bytes = madePng(job.maxSidePx, 10);
        const { jobId } = job;
        await page.post({ type: "picture-drawn", jobId, index: 0, count: 1, bytes });
      }
      await retried;
      await ended(page);
      assert.deepEqual(
        service.requests.at(-1)?.pictures.map(({ widthPx }) => widthPx),
        [20, 10],
      );
    });

    const hashesOf = (at: number) =>
      service.requests.at(at)?.pictures.map(({ sha256: hash }) => hash) ?? [];

    for (const status of [400, 413, 415, 422]) {
      it(`with ${status} the next question is sent without them, and they can be included again`, async () => {
        const { page, conversationId } = await refused(status);
        await page.type("hello?");
        const meter = page.last("meter-changed")!.meter;
        const left = meter.refusedPictures ?? [];
        assert.deepEqual(
          left.map(({ label }) => label),
          ["a.png", "b.png"],
        );
        assert.deepEqual([meter.olderPictures, meter.olderPicturesLeftOut], [0, []]);
        const good = madePng(30, 30);
        await offer(page, "good.png", good);
        await page.askToEnd("hello?");
        assert.deepEqual(hashesOf(-1), [sha256(good)]);
        const [{ messageId, picture }] = left as [(typeof left)[0]];
        const { hash } = picture!;
        await page.post({ type: "picture-put-back", conversationId, messageId, hash });
        await service.exchange(page, "And this?", "again");
        assert.deepEqual(hashesOf(-1), [sha256(good), hash]);
      });
    }

    const failing: Readonly<Record<string, ScriptedReply>> = {
      "status 500": { status: 500, body: '{"message":"图片无法解码"}' },
      "an error in the stream": {
        blocks: [{ raw: 'data: {"error":{"message":"cannot identify image file"}}\n\n' }],
        finishReason: null,
      },
      "a stream without text": { blocks: [], finishReason: null, done: false },
      "a closed connection": { fault: "fin-before-headers" },
      "a reset connection": { fault: "reset-before-headers" },
    };
    for (const [name, failure] of Object.entries(failing)) {
      it(`after ${name} the next question is sent without them, and a retry with them`, async () => {
        const { page } = await open();
        const picture = madePng(40, 20);
        await offer(page, "a.png", picture);
        service.script(failure, { blocks: ["fine"] }, { blocks: ["seen"] });
        const { id } = await page.askToEnd("What is this?");
        await page.askToEnd("hello?");
        assert.deepEqual(hashesOf(-1), []);
        await page.act("try-again", id);
        await ended(page);
        assert.deepEqual(hashesOf(-1), [sha256(picture)]);
      });
    }

    for (const [name, failure] of Object.entries({
      "an overloaded service": { status: 503, body: "" },
      "an unknown model": { status: 400, body: '{"error":{"code":"model_not_found"}}' },
      "a refused key": { status: 401, body: "" },
    })) {
      it(`after ${name} the next question is sent with them`, async () => {
        const { page } = await open();
        const picture = madePng(40, 20);
        await offer(page, "a.png", picture);
        service.script(failure, { blocks: ["fine"] });
        await page.askToEnd("What is this?");
        await page.askToEnd("hello?");
        assert.deepEqual(hashesOf(-1), [sha256(picture)]);
      });
    }

    it("retrying without pictures keeps the model, and the accepted pictures for later", async () => {
      const { rig, page } = await open();
      rig.settings = {};
      const good = madePng(30, 30);
      await page.post({ type: "model-chosen", model: "vl" });
      await offer(page, "good.png", good);
      await service.exchange(page, "What is this?", "seen");
      await page.post({ type: "model-chosen", model: "auto" });
      rig.settings = { modelKind: "vl", modelCode: "core_vl" };
      await offer(page, "bad.png", madePng(31, 31));
      service.script({ status: 400, body: "" });
      const { id } = await page.askToEnd("And this?");
      rig.settings = {};
      service.script({ blocks: ["done"] });
      await page.post({ type: "picture-retry-asked", messageId: id, how: "without" });
      await page.until(() => page.lastReply?.text === "done" && !page.shown.isRunning);
      assert.deepEqual([hashesOf(-1), page.lastReply?.modelKind], [[], "vl"]);
      rig.settings = { modelKind: "vl", modelCode: "core_vl" };
      await service.exchange(page, "And later?", "later");
      assert.deepEqual(hashesOf(-1), [sha256(good)]);
    });

    it("because of an older picture, the question is sent without that picture", async () => {
      const { page } = await open();
      await offer(page, "a.png", madePng(40, 20));
      await service.exchange(page, "What is this?", "first");
      service.script({ status: 413, body: "" });
      const { id, pictureRetry } = await page.askToEnd("And then?");
      assert.deepEqual(pictureRetry, { canShrink: false });
      service.script({ blocks: ["seen"] });
      await page.post({ type: "picture-retry-asked", messageId: id, how: "without" });
      await ended(page);
      assert.equal(service.requests.at(-1)?.pictures.length, 0);
    });
  });
});
