/** Copying from a picture: the chosen area is sent with the marks on it, and Escape stops the request. */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/views";
import { madePng } from "../support/pictures/madePng";
import { usePanel } from "./support/panelSuite";

const SIZE = { widthPx: 400, heightPx: 200 };
const MARKED: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "bill.png",
  detail: "400×200 PNG, 12 KB, marked up",
  picture: { hash: "1".repeat(64), ...SIZE },
  fit: "marked",
  marks: JSON.stringify([{ kind: "redaction", x: 0, y: 0, width: 100, height: 50 }]),
};
const picture = {
  mediaType: "image/png",
  bytes: Uint8Array.from(madePng(SIZE.widthPx, SIZE.heightPx)),
};

describe("copying from a picture", () => {
  const open = usePanel();

  async function openCopier() {
    const shown = { attachments: [MARKED] };
    const host = await open({ widthPx: 500, answer: { isAccepted: true, picture }, shown });
    const { page } = host;
    await page.getByRole("button", { name: "Mark up bill.png", exact: true }).click();
    await page.getByRole("application").waitFor();
    await page.keyboard.press("t");
    await page.getByRole("dialog", { name: "Copy from bill.png" }).waitFor();
    await page.getByRole("application").waitFor();
    return host;
  }

  it("sends the area that was dragged, under the black box of the editor", async () => {
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
    const marks = JSON.parse(asked.marks) as { kind: string; width: number }[];
    assert.deepEqual(
      marks.map(({ kind }) => kind),
      ["redaction", "crop"],
    );
    assert.deepEqual(marks[1], { kind: "crop", x: 40, y: 20, width: 200, height: 100 });
  });

  it("stops with Escape, closes with the second, and returns to the editor", async () => {
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
    await page.getByRole("dialog", { name: "Mark up bill.png" }).waitFor();
  });

  it("copies the other formats of a table from the result", async () => {
    const host = await openCopier();
    const { page } = host;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const cell = (text: string, isUncertain = false) => ({ text, isUncertain });
    const content = {
      conversationId: "c2",
      copies: [
        { format: "markdown" as const, text: "| a |" },
        { format: "cells" as const, text: "a\tb\n", html: "<table></table>" },
      ],
      pieces: [],
      tables: [[[cell("a")], [cell("b", true)]]],
    };
    host.answer = { isAccepted: true, picture, content };
    await page.getByRole("button", { name: "Copy as table" }).click();
    const uncertain = page.getByRole("cell").getByRole("img", { name: "Uncertain" });
    await uncertain.waitFor();
    await page.getByRole("button", { name: "Copy for spreadsheets" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "a\tb\n");
    await page.getByRole("button", { name: "Open conversation" }).click();
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "c2");
  });
});
