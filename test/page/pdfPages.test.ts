/**
 * Tests PDFs in the panel's page: users choose pages, which are rendered and sent to the host as
 * pictures.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { pictureSize } from "../../src/pictures/pictureSize";
import { madePdf } from "../support/pictures/madePdf";
import { addedIf } from "../support/depth";
import { poll, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

/** Fires a paste or a drop of a file with the browser's own events. */
async function give(page: Page, type: "paste" | "drop", name: string, bytes: Buffer) {
  await page.evaluate(
    ({ kind, fileName, base64 }) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([content], fileName, { type: "application/pdf" }));
      const shared = { bubbles: true, cancelable: true };
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { ...shared, clipboardData: data })
          : new DragEvent("drop", { ...shared, dataTransfer: data });
      document.querySelector("textarea")!.dispatchEvent(event);
    },
    { kind: type, fileName: name, base64: bytes.toString("base64") },
  );
}

const dialogOf = (host: FakeHost, name = "report.pdf") =>
  host.page.getByRole("dialog", { name: `Pages of ${name}` });

describe("a PDF", () => {
  const open = usePanel();

  for (const type of ["paste", "drop"] as const) {
    it(`offers its pages after a ${type}, and attaches the chosen ones as pictures${addedIf(type === "drop")}`, async () => {
      const host = await open();
      await give(host.page, type, "report.pdf", madePdf(5));
      const dialog = dialogOf(host);
      await dialog.getByRole("checkbox", { name: "Page 5" }).waitFor();
      await dialog.getByRole("checkbox", { name: "Page 3" }).check();
      assert.equal(await dialog.getByRole("textbox", { name: "Pages" }).inputValue(), "1, 3");
      await dialog.getByRole("button", { name: "Attach 2 pages" }).click();
      await host.waitFor("picture-offered", 2);
      await dialog.waitFor({ state: "detached" });
      const offered = host.receivedOf("picture-offered");
      assert.deepEqual(
        offered.map(({ name }) => name),
        ["report.pdf, page 1.png", "report.pdf, page 3.png"],
      );
      // A4 at 144 dpi.
      for (const { bytes } of offered) {
        assert.deepEqual(pictureSize(Buffer.from(bytes)), { widthPx: 1190, heightPx: 1684 });
      }
    });
  }

  it("is rendered with its texts and colors", async () => {
    const host = await open();
    await host.send({
      type: "document-opened",
      name: "report.pdf",
      bytes: new Uint8Array(madePdf(1)),
    });
    await dialogOf(host).getByRole("button", { name: "Attach 1 page" }).click();
    const { bytes } = await host.waitFor("picture-offered");
    const { red, dark } = await host.page.evaluate(async (base64) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([content], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const square = context.getImageData(180, bitmap.height - 180, 1, 1).data;
      const line = context.getImageData(80, 260, 500, 30).data;
      const dark = line.filter((value, at) => at % 4 === 0 && value < 128).length;
      return { red: [...square], dark };
    }, Buffer.from(bytes).toString("base64"));
    assert.deepEqual(red, [255, 0, 0, 255]);
    assert.ok(dark > 100, `${dark} dark pixels of the small print`);
  });

  it("of a hundred pages renders only the visible pages, and attaches the typed page numbers", async () => {
    const host = await open();
    await give(host.page, "drop", "report.pdf", madePdf(100));
    const dialog = dialogOf(host);
    const drawn = dialog.locator(".pdf-preview img");
    await drawn.first().waitFor();
    assert.ok((await drawn.count()) < 30, `${await drawn.count()} pages are drawn`);
    await dialog.getByRole("checkbox", { name: "Page 100" }).scrollIntoViewIfNeeded();
    await dialog.getByRole("listitem").nth(99).locator("img").waitFor();
    await poll(async () => (await drawn.count()) < 30, "pages far away to be released");
    await dialog.getByRole("textbox", { name: "Pages" }).fill("2, 98-100, 400");
    await dialog.getByRole("textbox", { name: "Pages" }).press("Enter");
    await host.waitFor("picture-offered", 4);
  });

  it("that is damaged or protected is reported with its name", async () => {
    const host = await open();
    await give(host.page, "drop", "broken.pdf", Buffer.from("%PDF-1.4\nnothing else"));
    await dialogOf(host, "broken.pdf")
      .getByText(/broken\.pdf could not be opened/)
      .waitFor();
    await host.page.keyboard.press("Escape");
    await dialogOf(host, "broken.pdf").waitFor({ state: "detached" });
    await give(host.page, "drop", "secret.pdf", madePdf(1, true));
    await dialogOf(host, "secret.pdf")
      .getByText(/secret\.pdf is protected by a password/)
      .waitFor();
    assert.deepEqual(host.receivedOf("picture-offered"), []);
  });
});
