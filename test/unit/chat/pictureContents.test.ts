/**
 * Copying from a picture, through the panel's logic and a real service: one request about the drawn
 * area alone, in a conversation of its own, which Escape stops.
 */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import type { Page } from "../../support/chat/panelRig";
import { drawPicture, offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

describe("copying from a picture", () => {
  const service = suiteService();

  async function openWithPicture() {
    const opened = await openVisionChat(service.url);
    await offerPicture(opened.page, "bill.png", madePng(200, 100));
    return opened;
  }

  /** Asks for the table in the picture; the page draws an area of 40 × 20 pixels. */
  async function copyTable(page: Page) {
    const { conversationId, attachments } = page.shown;
    const hash = attachments[0]?.picture?.hash ?? "";
    const marks = JSON.stringify([{ kind: "crop", x: 10, y: 10, width: 40, height: 20 }]);
    const area = { conversationId, hash, content: "table", marks } as const;
    const asked = page.post({ type: "picture-content-asked", ...area });
    await drawPicture(page, { bytes: madePng(40, 20), x: 0, y: 0 });
    return { asked };
  }

  it("sends the area alone to the vision model and keeps the exchange as a conversation", async () => {
    const { rig, page } = await openWithPicture();
    rig.settings = {};
    service.script({ blocks: ["| a | b |\n| - | - |\n| 1 | 2 |\n"] });
    const { asked } = await copyTable(page);
    const reply = await asked;
    assert.deepEqual(rig.actions, ["copy table of | a | b |\n| - | - |\n| 1 | 2 |\n"]);
    const [request, ...others] = service.requests;
    assert.deepEqual(others, []);
    assert.equal((request?.body as { model?: unknown } | undefined)?.model, "core_vl");
    assert.deepEqual(
      request?.pictures.map(({ widthPx, heightPx }) => [widthPx, heightPx]),
      [[40, 20]],
    );
    const { conversationId = "" } = reply?.content ?? {};
    assert.notEqual(conversationId, page.conversationId);
    await page.open(conversationId);
    assert.deepEqual(
      page.shown.messages.map(({ role }) => role),
      ["user", "assistant"],
    );
  });

  it("stops with Escape and copies nothing", async () => {
    const { rig, page } = await openWithPicture();
    service.script({ blocks: ["| a |", { gate: true }, "\n| - |\n"] });
    const { asked } = await copyTable(page);
    await service.waitForRequest(1);
    await page.post({ type: "picture-content-stopped" });
    const reply = await asked;
    assert.equal(reply?.isAccepted, false);
    assert.equal(reply.content, undefined);
    assert.deepEqual(rig.actions, []);
  });
});
