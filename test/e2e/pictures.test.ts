/**
 * Pictures in a real VS Code, each way in: what arrives at the service has the source's own pixels.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { Desk } from "../support/e2e/window";
import { madePng } from "../support/pictures/madePng";
import { samePixels } from "../support/pictures/samePixels";
import type { Workbench } from "../support/workbench.mjs";

const WIDTH = 2560;
const HEIGHT = 1440;

describe("a person asks about pictures", function () {
  this.timeout(120_000);
  let desk: Desk;
  let window: Workbench;
  const source = madePng(WIDTH, HEIGHT);

  before(async () => {
    desk = await Desk.open();
    desk.changeSettings({ "coreChat.baseUrl": desk.service.url });
    window = await desk.openWindow();
    await window.openChat();
  });
  after(() => desk.close());
  beforeEach(() => desk.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const chips = () => window.panel.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  const button = (name: string) => window.panel.getByRole("button", { name, exact: true });

  /** Sends what is composed, waits for the reply's end and gives what pictures arrived. */
  async function send(text: string) {
    desk.service.script({ blocks: ["seen"] });
    await composer().fill(text);
    await composer().press("Enter");
    await window.panel.getByRole("article", { name: "You" }).last().getByText(text).waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    const request = desk.service.requests.at(-1);
    return { model: (request?.body as { model: string }).model, request: request! };
  }

  async function textOf(locator: Locator): Promise<string> {
    await locator.waitFor();
    return (await locator.innerText()).replaceAll(/\s+/g, " ");
  }

  it("pastes a screenshot, sees what will go, and its pixels arrive", async () => {
    await window.putPictureOnClipboard(source);
    await composer().click();
    await window.page.keyboard.press("Control+V");
    assert.match(await textOf(chips().first()), /2560×1440 PNG, [\d.]+ [KM]B, as it is/);
    const { model, request } = await send("What is this?");
    assert.equal(model, "core_vl");
    const [picture] = request.pictures;
    assert.deepEqual(
      [picture?.widthPx, picture?.heightPx, picture?.format],
      [WIDTH, HEIGHT, "PNG"],
    );
    assert.ok(await samePixels(window.context, request.body, source));
    assert.equal(await chips().count(), 0);
    await window.panel.locator(".question .thumbnail img[src^='blob:']").first().waitFor();
    assert.ok(await button("Send").isDisabled());
  });

  /** The picture of the sample workspace, as the file has it. */
  const file = readFileSync("test/fixtures/sample-workspace/pictures/checkout.png");
  const hash = createHash("sha256").update(file).digest("hex");

  /** Sends what is attached and checks that it is the file itself. */
  async function sendsTheFile(text: string): Promise<void> {
    await chips().getByText("checkout.png").waitFor();
    const { request } = await send(text);
    assert.deepEqual(request.pictures.map(({ sha256 }) => sha256).slice(-1), [hash]);
  }

  const inExplorer = (name: string) =>
    window.page.locator(".explorer-folders-view").getByRole("treeitem", { name });

  it("asks about a picture in the explorer", async () => {
    await window.runCommand("View: Show Explorer");
    await inExplorer("pictures").click();
    await inExplorer("checkout.png").click({ button: "right" });
    // A menu takes no click in its first moment: then it is still open and clicked again.
    const item = window.page.getByRole("menuitem", { name: "Ask Image" });
    await item.waitFor();
    while (await item.isVisible()) await item.click({ timeout: 1_000 }).catch(() => undefined);
    await sendsTheFile("From the explorer?");
  });

  it("asks about the picture in the image editor's title", async () => {
    await inExplorer("checkout.png").dblclick();
    await window.page.getByRole("tab", { name: "checkout.png" }).waitFor();
    await window.page.locator(".editor-actions").getByRole("button", { name: "Ask Image" }).click();
    await sendsTheFile("From the title?");
  });

  it("asks about a picture that a document links to", async () => {
    await inExplorer("README.md").dblclick();
    const editor = window.page.locator('.monaco-editor[data-uri$="README.md"]');
    await editor.locator(".view-lines").click();
    await window.page.locator('.monaco-editor.focused[data-uri$="README.md"]').waitFor();
    await window.page.keyboard.press("Control+End");
    await window.page.keyboard.type("![it](pictures/checkout.png)");
    await window.page.keyboard.press("ArrowLeft");
    const action = window.page
      .locator(".action-widget")
      .getByText("Ask Core Chat About This Picture");
    // The list closes by itself while VS Code still takes in what was typed: then it is opened again.
    for (let isOpen = false; !isOpen;) {
      await window.page.keyboard.press("Control+.");
      isOpen = await action.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    }
    await action.click();
    await sendsTheFile("From a link?");
  });

  it("asks about the picture on the clipboard", async () => {
    await window.putPictureOnClipboard(source);
    await window.runCommand("Core Chat: Ask Clipboard Image");
    assert.match(await textOf(chips().first()), /2560×1440 PNG/);
    await button("Remove attachment Pasted picture").click();
    await chips().first().waitFor({ state: "detached" });
  });

  it("drops a file from the system", async () => {
    await composer().evaluate((box, base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "checkout.png", { type: "image/png" }));
      box.dispatchEvent(
        new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    }, file.toString("base64"));
    await sendsTheFile("Dropped?");
  });

  it("goes on with the conversation after a request was too large", async () => {
    desk.service.script({ status: 413, body: "" });
    await composer().fill("And now?");
    await composer().press("Enter");
    await button("Retry without pictures").click();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    await window.panel.getByRole("article", { name: "You" }).last().getByText("And now?").waitFor();
    assert.equal(desk.service.requests.at(-1)?.pictures.length, 0);
  });

  it("opens what was sent", async () => {
    await window.panel
      .getByRole("button", { name: "Open checkout.png as it was sent" })
      .last()
      .click();
    await window.panel.getByRole("dialog").getByText(`SHA-256 ${hash}`).waitFor();
    const image = window.panel.getByRole("dialog").getByRole("img", { name: "checkout.png" });
    await window.panel.locator(".picture-area img[src^='blob:']").waitFor();
    assert.equal(
      await image.evaluate(async (one: HTMLImageElement) => {
        await one.decode();
        return one.naturalWidth;
      }),
      720,
    );
    await window.panel.getByRole("button", { name: "Close", exact: true }).click();
  });
});
