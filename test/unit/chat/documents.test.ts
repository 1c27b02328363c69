/**
 * PDF documents in a chat: the page shows their pages, and a file is detected by its content, not
 * its name.
 */
import assert from "node:assert/strict";
import { PanelRig } from "../../support/chat/panelRig";
import { madePdf } from "../../support/pictures/madePdf";

describe("a PDF in a chat", () => {
  it("is sent to the page, which draws the selected pages", async () => {
    const page = await new PanelRig("http://127.0.0.1:1").openPage();
    const bytes = madePdf(2);
    await page.session.attachPictures([{ name: "report.pdf", bytes }]);
    const opened = page.last("document-opened");
    assert.equal(opened?.name, "report.pdf");
    assert.deepEqual(Buffer.from(opened.bytes), bytes);
    assert.deepEqual(page.shown.attachments, []);
    assert.equal(page.last("notice-shown"), undefined);
  });

  it("is rejected if only its name ends with .pdf", async () => {
    const page = await new PanelRig("http://127.0.0.1:1").openPage();
    await page.session.attachPictures([{ name: "report.pdf", bytes: Buffer.from("no document") }]);
    assert.equal(page.last("notice-shown")?.notice.text, "report.pdf: no-picture");
    assert.equal(page.last("document-opened"), undefined);
  });
});
