/**
 * Tests the viewer: moving through the pictures of a conversation, and native pixels.
 */
import assert from "node:assert/strict";
import type { ChipView } from "../../src/protocol/views";
import { madePng } from "../support/pictures/madePng";
import {
  holdPart,
  poll,
  question,
  reply,
  type FakeHost,
  type OpenOptions,
} from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

/** Pictures by the digit of their hash. */
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

describe("the viewer", () => {
  const open = usePanel();

  async function openWith(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open({ widthPx: 500, ...options, shown: null });
    host.pictures.set(hashOf(1), new Uint8Array(madePng(400, 200)));
    host.pictures.set(hashOf(2), new Uint8Array(madePng(400, 200, { isNoisy: true })));
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

  it("has no neighbors for a single picture", async () => {
    const { dialog } = await openPicture("Open before.png as sent", {
      shown: { messages: TALK.slice(0, 2) },
    });
    await dialog.getByRole("button", { name: "More actions" }).click();
    const items = ["Fit to panel", "Copy from the picture", "Save picture"];
    const names = await dialog.getByRole("menu").getByRole("menuitem").allInnerTexts();
    assert.deepEqual(names, [...items, "Attach this picture again"]);
    assert.equal(await dialog.getByRole("button", { name: "Next picture" }).count(), 0);
  });
});
