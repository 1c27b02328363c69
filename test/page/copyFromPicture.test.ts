/** Copying from a picture: the chosen area is sent, and Escape stops the request. */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/views";
import { madePng } from "../support/pictures/madePng";
import { chooseMore } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const SIZE = { widthPx: 400, heightPx: 200 };
const ATTACHED: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "bill.png",
  detail: "400×200 PNG, 12 KB",
  picture: { hash: "1".repeat(64), ...SIZE },
  fit: "whole",
};
const picture = {
  mediaType: "image/png",
  bytes: Uint8Array.from(madePng(SIZE.widthPx, SIZE.heightPx)),
};

describe("copying from a picture", () => {
  const open = usePanel();

  async function openCopier() {
    const shown = { attachments: [ATTACHED] };
    const host = await open({ widthPx: 500, answer: { isAccepted: true, picture }, shown });
    const { page } = host;
    await page.getByRole("button", { name: "Open bill.png as it will be sent" }).click();
    await chooseMore(page, "Copy from the picture");
    await page.getByRole("dialog", { name: "Copy from bill.png" }).waitFor();
    await page.getByRole("application").waitFor();
    return host;
  }

  it("sends the area that was dragged", async () => {
    const host = await openCopier();
    const { page } = host;
    const box = (await page.getByRole("application").boundingBox())!;
    const at = (x: number, y: number) =>
      [box.x + (x * box.width) / 400, box.y + (y * box.height) / 200] as const;
    await page.mouse.move(...at(40, 20));
    await page.mouse.down();
    await page.mouse.move(...at(240, 120), { steps: 4 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Copy as code" }).click();
    const asked = await host.waitFor("picture-content-asked");
    assert.equal(asked.content, "code");
    const [crop] = JSON.parse(asked.marks) as unknown[];
    assert.deepEqual(crop, { kind: "crop", x: 40, y: 20, width: 200, height: 100 });
  });

  it("stops with Escape, closes with the second, and returns to the viewer", async () => {
    const host = await openCopier();
    const { page } = host;
    host.answer = "none";
    await page.getByRole("button", { name: "Copy text" }).click();
    await page.getByText("Reading the picture. Escape stops.").waitFor();
    await page.keyboard.press("Escape");
    await host.waitFor("picture-content-stopped");
    await page.getByText("The whole picture is sent.").waitFor();
    host.answer = { isAccepted: true, picture };
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Picture", exact: true }).waitFor();
  });

  it("shows what was read with its uncertain parts, and opens the conversation", async () => {
    const host = await openCopier();
    const { page } = host;
    const text = "| a |\n| --- |\n| ⟦b⟧ |\n";
    const content = { conversationId: "c2", text, isCopied: true, uncertainCount: 1 };
    host.answer = { isAccepted: true, picture, content };
    await page.getByRole("button", { name: "Copy as table" }).click();
    await page.getByText("Copied. Uncertain, in ⟦ ⟧: 1").waitFor();
    const read = page.getByRole("group", { name: "Read from the picture" });
    assert.equal(await read.textContent(), text);
    await page.getByRole("button", { name: "Open conversation" }).click();
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "c2");
  });
});
