/**
 * Coordinates in replies, through the panel's logic and a real service: a reply stores the sent
 * pictures with the areas they show, and such an area can be attached to the next question.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import type { Page } from "../../support/chat/panelRig";
import {
  drawPicture as draw,
  markPicture,
  offerPicture,
  openVisionChat,
  type Piece,
} from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

const whole = (bytes: Uint8Array): Piece => ({ bytes, x: 0, y: 0 });

describe("replies with coordinates", () => {
  const service = suiteService();

  const open = () => openVisionChat(service.url);
  const offer = (page: Page, bytes: Uint8Array) => offerPicture(page, "page.png", bytes);

  /** Opens a chat whose pictures have at most 60 pixels on a side. */
  async function openLimited() {
    const opened = await open();
    opened.rig.pictureHost.limit = { maxSidePx: 60, maxBytes: 1_000_000 };
    return opened;
  }

  /** Opens a chat with a picture of 100 × 20 pixels that is sent with 60 × 12. */
  async function openScaled() {
    const opened = await openLimited();
    const { rig, page } = opened;
    rig.pictureHost.fit = () => "scaled";
    const offered = offer(page, madePng(100, 20));
    await draw(page, whole(madePng(60, 12)));
    await offered;
    return opened;
  }

  async function ask(page: Page) {
    await service.exchange(page, "Where?", "seen");
    const reply = page.shown.messages.at(-1);
    assert.ok(reply?.role === "assistant");
    return reply.seenPictures ?? [];
  }

  it("store a picture that was sent unchanged", async () => {
    const { page } = await open();
    await offer(page, madePng(64, 48));
    const [seen] = await ask(page);
    const { name, widthPx, heightPx, number, tile, area } = seen!;
    assert.deepEqual([name, widthPx, heightPx, number], ["page.png", 64, 48, 1]);
    assert.deepEqual([tile, area], [undefined, undefined]);
    await offer(page, madePng(30, 20));
    const both = await ask(page);
    assert.deepEqual(
      both.map(({ number, isOfQuestion }) => [number, isOfQuestion]),
      [
        [1, false],
        [2, true],
      ],
    );
  });

  it("store tiles with their areas of the original", async () => {
    const { page } = await openLimited();
    const offered = offer(page, madePng(100, 20));
    await draw(
      page,
      { bytes: madePng(60, 20), x: 0, y: 0 },
      { bytes: madePng(59, 20), x: 41, y: 0 },
    );
    await offered;
    const tiles = await ask(page);
    assert.deepEqual(
      tiles.map(({ number, tile, name, area }) => [number, tile, name, area?.x, area?.widthPx]),
      [
        [1, 1, "page.png", 0, 60],
        [1, 2, "page.png", 41, 59],
      ],
    );
    assert.deepEqual([tiles[0]?.area?.ofWidthPx, tiles[0]?.area?.ofHeightPx], [100, 20]);
    const original = await page.post({ type: "picture-asked", hash: tiles[0]!.area!.hash });
    assert.deepEqual(Buffer.from(original!.picture!.bytes), madePng(100, 20));
  });

  it("store an overview and its tiles under the same number if there are three or more tiles", async () => {
    const { rig, page } = await openLimited();
    const offered = offer(page, madePng(20, 158));
    // The page draws the overview before the last tile is accepted.
    const tiled = draw(
      page,
      ...[0, 50, 100].map((y) => ({ bytes: madePng(20, 60 - y / 50), x: 0, y })),
    );
    await page.until(() => page.last("picture-job")?.fit === "scaled");
    await draw(page, whole(madePng(8, 60)));
    await tiled;
    assert.deepEqual(await offered, { isAccepted: true });
    assert.equal(page.shown.attachments[0]?.sent?.length, 4);
    assert.equal(page.shown.attachments[0].tilesAfterOverview, 3);
    rig.settings = { ...rig.settings, describesPictures: true };
    const seen = await ask(page);
    assert.deepEqual(
      seen.map(({ number, tile, area }) => [number, tile, area?.y, area?.heightPx]),
      [
        [1, undefined, 0, 158],
        [1, 1, 0, 60],
        [1, 2, 50, 59],
        [1, 3, 100, 58],
      ],
    );
    const { bodyText } = service.requests[0]!;
    const overview = bodyText.indexOf(
      "20×158 px, overview of the whole picture, scaled down to 8×60 px",
    );
    assert.ok(overview > 0 && overview < bodyText.indexOf("tile 1 of 3"));
  });

  it("store the area of a scaled picture, and none of a cropped or marked picture", async () => {
    const { page } = await openScaled();
    const [scaled] = await ask(page);
    assert.deepEqual([scaled?.widthPx, scaled?.area?.x, scaled?.area?.widthPx], [60, 0, 100]);
    for (const change of ["crop", "marked"] as const) {
      await offer(page, madePng(50, 50));
      await markPicture(page, change, madePng(30, change === "crop" ? 20 : 21));
      const seen = (await ask(page)).at(-1);
      assert.deepEqual([seen?.widthPx, seen?.area], [30, undefined]);
    }
  });

  it("can be attached to the next question in their original resolution", async () => {
    const { page, conversationId } = await openScaled();
    const [seen] = await ask(page);
    const region = { hash: seen!.area!.hash, x: 40, y: 4, widthPx: 30, heightPx: 10 };
    const marks = { conversationId, marks: '["crop"]', ...region };
    const attached = page.post({ type: "picture-region-attached", ...marks });
    await draw(page, whole(madePng(30, 10)));
    await attached;
    const job = page.last("picture-job")!;
    assert.deepEqual([Buffer.from(job.bytes), job.marks], [madePng(100, 20), '["crop"]']);
    const sent = (await ask(page)).find(({ isOfQuestion }) => isOfQuestion);
    const { x, y, ofWidthPx } = sent!.area!;
    assert.deepEqual([sent?.widthPx, x, y, ofWidthPx], [30, 40, 4, 100]);
  });

  it("of the user go with the picture, in the notation of the model", async () => {
    const { rig, page, conversationId } = await open();
    rig.coordinates = { scales: ["thousandYFirst"], isChosen: true };
    await offer(page, madePng(64, 48));
    await page.post({
      type: "picture-notes-changed",
      conversationId,
      attachmentId: page.shown.attachments[0]!.id,
      notes: [{ number: 2, text: "Why?", x: 32, y: 12, width: 16, height: 24 }],
    });
    assert.equal(page.shown.attachments[0]?.notes?.length, 1);
    await ask(page);
    const sent = JSON.stringify(service.requests.at(-1)?.body);
    const order = ["Picture 1:", "image_url", "marked these numbered positions", "Why?"];
    const places = order.map((text) => sent.indexOf(text));
    const isInOrder = places.every((at, index) => at > (places[index - 1] ?? 0));
    assert.ok(isInOrder, sent);
    assert.match(sent, /2\. \{\\"box_2d\\": \[250, 500, 750, 750\]\}: Why\?/);
    const question = page.shown.messages[0];
    assert.equal(question?.role === "user" ? question.chips.at(-1)?.label : "", "in the picture");
  });

  it("are requested by a note in the question, in the notation of the model", async () => {
    const { rig, page, conversationId } = await open();
    rig.coordinates = { scales: ["thousandYFirst"], isChosen: true };
    await offer(page, madePng(64, 48));
    const switched = (isOn: boolean) =>
      page.post({ type: "show-where-switched", conversationId, isOn });
    await switched(true);
    await switched(true);
    assert.deepEqual(
      page.shown.attachments.map(({ kind }) => kind),
      ["picture", "pointing"],
    );
    await switched(false);
    assert.equal(page.shown.attachments.length, 1);
    await switched(true);
    await ask(page);
    const { bodyText } = service.requests[0]!;
    assert.match(bodyText, /box_2d.*ymin, xmin, ymax, xmax/);
    assert.match(bodyText, /Coordinates go from 0 to 1000/);
    // The size that the coordinates refer to, also if pictures are not described otherwise.
    assert.match(bodyText, /Picture 1: .*64×48 px/);
    const reply = page.shown.messages.at(-1);
    assert.ok(reply?.role === "assistant" && reply.isPointingAsked === true);
    const question = page.shown.messages.at(-2);
    assert.ok(question?.role === "user" && question.chips.some(({ kind }) => kind === "pointing"));
  });

  it("can use a scale that the user selects, which is saved", async () => {
    const { rig, page, conversationId } = await open();
    await page.post({ type: "coordinates-chosen", conversationId, scale: "thousand" });
    assert.deepEqual(rig.actions, ["coordinates thousand"]);
  });
});
