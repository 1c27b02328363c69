/**
 * Tests the viewer: moving through the pictures of a conversation, native pixels, and comparing two
 * pictures.
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { ALL } from "../support/depth";
import type { AttachmentView, ChipView } from "../../src/protocol/views";
import { madePng } from "../support/pictures/madePng";
import {
  chooseMore,
  holdPart,
  poll,
  question,
  reply,
  type FakeHost,
  type OpenOptions,
} from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

/** Pictures by the digit of their hash; the second differs from the first in 50 × 20 pixels. */
const PIXELS = { widthPx: 400, heightPx: 200 };
const hashOf = (digit: number) => String(digit).repeat(64);

function chip(digit: number, label: string, size = PIXELS): ChipView {
  return { kind: "picture", label, detail: "PNG", picture: { hash: hashOf(digit), ...size } };
}

const TALK = [
  question("q1", "Before", { chips: [chip(1, "before.png")] }),
  reply("r1", "Seen."),
  question("q2", "After", { chips: [chip(2, "after.png")] }),
  reply("r2", "Seen."),
];

const HALF: AttachmentView = {
  id: "a1",
  ...chip(1, "large.png"),
  fit: "scaled",
  sent: [{ hash: hashOf(3), widthPx: 200, heightPx: 100 }],
};

describe("the viewer", () => {
  const open = usePanel();

  async function openWith(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open({ widthPx: 500, ...options, shown: null });
    host.pictures.set(hashOf(1), new Uint8Array(madePng(400, 200)));
    host.pictures.set(hashOf(2), new Uint8Array(await changed(host.page, madePng(400, 200))));
    host.pictures.set(hashOf(3), new Uint8Array(madePng(200, 100)));
    await host.show(options.shown ?? { messages: TALK });
    return host;
  }

  async function openPicture(label: string, options?: OpenOptions) {
    const host = await openWith(options);
    await host.page.getByRole("button", { name: label, exact: true }).click();
    const dialog = host.page.getByRole("dialog", { name: "Picture", exact: true });
    await dialog.locator(".picture-area img[src]").first().waitFor();
    return { host, page: host.page, dialog };
  }

  async function compare(mode: string, label = "Open after.png as sent", options?: OpenOptions) {
    const opened = await openPicture(label, options);
    await chooseMore(opened.page, "Compare");
    await opened.dialog.getByRole("button", { name: mode, exact: true }).click();
    const areas = opened.dialog.locator(".picture-area");
    await areas.locator("img[src]").first().waitFor();
    return { ...opened, areas };
  }

  it("does not open after Escape before it was loaded, which stops no reply", async () => {
    let load = () => {};
    const host = await openWith({
      shown: { messages: TALK, panel: { isRunning: true } },
      early: async (page) => {
        load = await holdPart(page, "pictureViewer");
      },
    });
    const asked = host.page.waitForRequest("**/chunks/pictureViewer-*.js");
    await host.page.getByRole("button", { name: "Open after.png as sent" }).click();
    await asked;
    await host.page.keyboard.press("Escape");
    const loaded = host.page.waitForResponse("**/chunks/pictureViewer-*.js");
    load();
    await loaded;
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    assert.equal(await host.page.getByRole("dialog").count(), 0);
    assert.deepEqual(host.receivedOf("stop-asked"), []);
  });

  it("zooms with a key of its first frame", async () => {
    const zoomOf = (dialog: Locator) => dialog.locator(".picture-zoom").last().innerText();
    const before = await openPicture("Open after.png as sent");
    await before.page.keyboard.press("+");
    const wanted = await zoomOf(before.dialog);
    const host = await openWith();
    await host.page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const area = document.querySelector("dialog .picture-area");
        if (area === null) return;
        observer.disconnect();
        area.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
      }).observe(document, { subtree: true, childList: true });
    });
    await host.page.getByRole("button", { name: "Open after.png as sent" }).click();
    const dialog = host.page.getByRole("dialog", { name: "Picture", exact: true });
    await dialog.locator(".picture-area img[src]").first().waitFor();
    await poll(
      async () => (await zoomOf(dialog)) === wanted,
      `${wanted}, not ${await zoomOf(dialog)}`,
    );
  });

  it("shows the next and the previous picture of the conversation with keys and buttons", async () => {
    const { page, dialog } = await openPicture("Open before.png as sent");
    await dialog.getByTitle(`SHA-256 ${hashOf(1)}`).waitFor();
    await page.keyboard.press("PageDown");
    await dialog.getByTitle(`SHA-256 ${hashOf(2)}`).waitFor();
    await dialog.getByRole("img", { name: "after.png" }).waitFor();
    await page.keyboard.press("PageDown"); // The last picture is shown already.
    assert.ok(await dialog.getByRole("button", { name: "Next picture" }).isDisabled());
    await dialog.getByRole("button", { name: "Previous picture" }).click();
    await dialog.getByTitle(`SHA-256 ${hashOf(1)}`).waitFor();
  });

  it("compares a sent picture with the original that was attached", async () => {
    const original = { hash: hashOf(1), ...PIXELS };
    const half = { ...chip(3, "large.png", { widthPx: 200, heightPx: 100 }), original };
    const { dialog } = await openPicture("Open large.png as sent", {
      shown: { messages: [question("q1", "Look", { chips: [half] }), reply("r1", "Seen.")] },
    });
    await chooseMore(dialog.page(), "Compare");
    const areas = dialog.locator(".picture-area");
    await areas.nth(1).locator("img[src]").waitFor();
    const names = await areas.evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label")),
    );
    assert.deepEqual(names, ["large.png", "large.png (original)"]);
  });

  it(`shows a picture at the pixels of the display ${ALL}`, async () => {
    const { page, dialog } = await openPicture("Open before.png as sent", {
      shown: { messages: TALK },
    });
    const image = dialog.getByRole("img", { name: "before.png" });
    const width = async () => (await image.boundingBox())?.width;
    await page.keyboard.press("1");
    await poll(async () => (await width()) === 400, "400 pixels");
    await page.evaluate(() => Object.defineProperty(window, "devicePixelRatio", { value: 2 }));
    await page.keyboard.press("1");
    await poll(async () => (await width()) === 200, "200 CSS pixels");
    await dialog.getByText("100 %").waitFor();
    await page.keyboard.press("+");
    await dialog.getByText("150 %").waitFor();
  });

  it("zooms with the wheel and with two fingers, around their position", async () => {
    const { page, dialog } = await openPicture("Open before.png as sent");
    const image = dialog.getByRole("img", { name: "before.png" });
    const width = async () => (await image.boundingBox())?.width ?? 0;
    await page.keyboard.press("1");
    await poll(async () => (await width()) === 400, "400 pixels");
    const box = (await image.boundingBox())!;
    const [x, y] = [box.x + 200, box.y + 100];
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x - spread, y, id: 0 },
                { x: x + spread, y, id: 1 },
              ],
      });
    await touch("touchStart", 20);
    await touch("touchMove", 30);
    await touch("touchMove", 40);
    await touch("touchEnd", 0);
    await poll(async () => Math.abs((await width()) - 800) <= 2, "twice the size");
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 200);
    await page.keyboard.up("Control");
    await poll(async () => (await width()) < 700, "a smaller picture");
  });

  it("compares two pictures side by side that zoom and scroll together", async () => {
    const { page, areas } = await compare("Side by side");
    assert.equal(await areas.count(), 2);
    await areas.first().focus();
    await page.keyboard.press("1");
    for (const press of ["+", "+", "+", "+"]) await page.keyboard.press(press);
    const widths = () =>
      areas.locator("img").evaluateAll((all) => all.map((one) => one.clientWidth));
    await poll(async () => (await widths()).join() === "1600,1600", "two pictures at 400 %");
    await areas.first().evaluate((area) => area.scrollTo(90, 60));
    const scrolls = () =>
      areas.evaluateAll((all) => all.map((one) => `${one.scrollLeft},${one.scrollTop}`));
    await poll(async () => new Set(await scrolls()).size === 1, "the same part");
    assert.notEqual((await scrolls())[1], "0,0");
    await areas.last().evaluate((area) => area.scrollTo(20, 10));
    await poll(async () => (await scrolls())[0] === "20,10", "the other way round");
  });

  it("compares with a divider that the keyboard moves", async () => {
    const { page, dialog } = await compare("Swipe");
    const border = dialog.getByRole("slider", { name: "Border between the pictures" });
    await border.focus();
    await page.keyboard.press("Home");
    const layer = dialog.locator(".swipe-layer");
    const clip = () => layer.evaluate((one) => getComputedStyle(one).clipPath);
    await poll(async () => (await clip()) === "inset(0px 0px 0px 0%)", "only the other picture");
    await page.keyboard.press("End");
    await poll(async () => (await clip()) === "inset(0px 0px 0px 100%)", "only the first picture");
  });

  it("shows the picture to send next to the original", async () => {
    const { dialog, areas } = await compare("Side by side", "Open large.png as it will be sent", {
      shown: { attachments: [HALF] },
    });
    await areas.nth(1).waitFor();
    assert.equal(await areas.nth(1).getAttribute("aria-label"), "large.png (original)");
    assert.equal(await dialog.getByRole("combobox").count(), 0);
    const sizes = () =>
      areas.locator("img").evaluateAll((all) => all.map((one) => `${one.clientWidth}`));
    await poll(async () => new Set(await sizes()).size === 1, "the same size on the screen");
  });

  it("has no comparison for a single picture", async () => {
    const { dialog } = await openPicture("Open before.png as sent", {
      shown: { messages: TALK.slice(0, 2) },
    });
    await dialog.getByRole("button", { name: "More actions" }).click();
    const items = ["Fit to panel", "Copy from the picture", "Save picture"];
    const names = await dialog.getByRole("menu").getByRole("menuitem").allInnerTexts();
    assert.deepEqual(names, [...items, "Attach this picture again"]);
    assert.equal(await dialog.getByRole("menuitemcheckbox").count(), 0);
    assert.equal(await dialog.getByRole("button", { name: "Next picture" }).count(), 0);
  });
});

/** Returns the picture with an area of 50 × 20 pixels inverted, drawn by the browser. */
async function changed(page: Page, bytes: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(async (source) => {
    const data = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const area = context.getImageData(100, 50, 50, 20);
    for (let at = 0; at < area.data.length; at += 4) area.data[at] = area.data[at]! ^ 1;
    context.putImageData(area, 100, 50);
    const blob = await canvas.convertToBlob();
    const made = new Uint8Array(await blob.arrayBuffer());
    return btoa(String.fromCharCode(...made));
  }, bytes.toString("base64"));
  return Buffer.from(base64, "base64");
}
