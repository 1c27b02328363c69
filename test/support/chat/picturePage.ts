/** Steps with pictures in a chat of the vision model: opening it, attaching and drawing. */
import assert from "node:assert/strict";
import { openChat, type Page } from "./panelRig";

/** A drawn picture; `x` and `y` are its position in the original. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly x?: number;
  readonly y?: number;
}

/** Opens an empty conversation with the vision model. */
export async function openVisionChat(serviceUrl: string) {
  const opened = await openChat(serviceUrl);
  opened.rig.settings = { modelKind: "vl", modelCode: "core_vl" };
  return opened;
}

/** Offers a picture to the host, as the page does after a paste. */
export function offerPicture(page: Page, name: string, bytes: Uint8Array) {
  const { conversationId } = page;
  return page.post({ type: "picture-offered", conversationId, name, bytes });
}

/** Answers the host's last request to draw a picture with these pieces. */
export async function drawPicture(page: Page, ...pieces: Piece[]): Promise<void> {
  await page.until(() => page.received.at(-1)?.type === "picture-job");
  const job = page.received.at(-1);
  assert.ok(job?.type === "picture-job");
  for (const [index, piece] of pieces.entries()) {
    const { jobId } = job;
    await page.post({ type: "picture-drawn", jobId, index, count: pieces.length, ...piece });
  }
}

/** Marks or crops the last attachment; the page draws this picture of 30 × 20 pixels for it. */
export async function markPicture(page: Page, change: "crop" | "marked", drawn: Uint8Array) {
  const { conversationId, shown } = page;
  const attachmentId = shown.attachments.at(-1)!.id;
  const area = { x: 5, y: 7, widthPx: 30, heightPx: 20 };
  const marks = { conversationId, attachmentId, change, marks: "[]", ...area };
  const marked = page.post({ type: "picture-marked", ...marks });
  await drawPicture(page, { bytes: drawn, x: 0, y: 0 });
  await marked;
}
