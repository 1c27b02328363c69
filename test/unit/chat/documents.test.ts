/** Documents in a chat: their pages are offered by the page, whatever the file is called. */
import assert from "node:assert/strict";
import { PanelRig } from "../../support/chat/panelRig";
import { madePdf } from "../../support/pictures/madePdf";

describe("a PDF in a chat", () => {
  it("is sent to the page, which draws the chosen pages", async () => {
    const page = await new PanelRig("http://127.0.0.1:1").openPage();
    const bytes = madePdf(2);
    await page.session.attachPictures([{ name: "report.pdf", bytes }]);
    const opened = page.last("document-opened");
    assert.equal(opened?.name, "report.pdf");
    assert.deepEqual(Buffer.from(opened.bytes), bytes);
    assert.deepEqual(page.shown.attachments, []);
    assert.equal(page.last("notice-shown"), undefined);
  });

  it("is refused as a picture if it only has the name", async () => {
    const page = await new PanelRig("http://127.0.0.1:1").openPage();
    await page.session.attachPictures([{ name: "report.pdf", bytes: Buffer.from("no document") }]);
    assert.equal(page.last("notice-shown")?.notice.text, "report.pdf: no-picture");
    assert.equal(page.last("document-opened"), undefined);
  });
});
