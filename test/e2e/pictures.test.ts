/**
 * Pictures in a real VS Code, each way in: what arrives at the service has the source's own pixels.
 */
import assert from "node:assert/strict";
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

  async function putOnClipboard(png: Buffer): Promise<void> {
    await window.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const blob = new Blob([bytes], { type: "image/png" });
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    }, png.toString("base64"));
  }

  async function textOf(locator: Locator): Promise<string> {
    await locator.waitFor();
    return (await locator.innerText()).replaceAll(/\s+/g, " ");
  }

  it("pastes a screenshot, sees what will go, and its pixels arrive", async () => {
    await putOnClipboard(source);
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
    await window.panel.getByRole("article", { name: "You" }).getByRole("img").first().waitFor();
    assert.ok(await button("Send").isDisabled());
  });
});
