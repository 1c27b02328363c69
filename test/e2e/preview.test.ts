/**
 * The preview of a page that a reply contains, in a real VS Code: its sizes, its scripts, the absence of
 * requests, and the comparison with the picture of the question.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Listener } from "../page/support/listener";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { madePng } from "../support/pictures/madePng";
import type { Workbench } from "../support/vscode/workbench.mjs";

/** Hostile pages of each way out: loading, navigation, links, WebRTC and scripts. */
const HOSTILE = ["img", "css-url", "link-preconnect", "meta-refresh", "iframe-srcdoc"];
const HOSTILE_WITH_SCRIPTS = ["script-fetch", "script-image", "webrtc-stun", "webrtc-child"];

describe("the preview of a reply", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;
  let asking: PictureAsking;
  const original = madePng(400, 300);

  before(async () => {
    environment = await E2eEnvironment.open();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    asking = new PictureAsking(environment, window);
    await window.openChat();
    await window.panel.getByRole("button", { name: "Set Base URL" }).waitFor({ state: "detached" });
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  /** Asks, and opens the preview of the first page in the reply. */
  async function preview(question: string, reply: string) {
    environment.service.script({ blocks: [reply] });
    await asking.composer.fill(question);
    await asking.composer.press("Enter");
    const replies = window.panel.getByRole("article", { name: "Assistant", exact: true });
    await asking.untilAnswered(question);
    await replies
      .last()
      .getByRole("button", { name: /^Preview/ })
      .first()
      .click();
    const tab = window.chatEditor;
    return { tab, document: tab.frameLocator(".preview-room iframe") };
  }

  it("shows the page in the size of the picture, and sends both back with one question", async () => {
    await asking.pasteOrDrop("paste", [["shop.png", original]]);
    await asking.chips.first().waitFor();
    const { tab, document } = await preview(
      "Build this page",
      "```html\n<h1>Built</h1>\n```\n\n```css\nh1 { color: rgb(1, 2, 3) }\n```\n",
    );
    const heading = document.getByRole("heading", { name: "Built" });
    await heading.waitFor();
    const shown = await heading.evaluate((one) => [
      getComputedStyle(one).color,
      innerWidth,
      origin,
    ]);
    assert.deepEqual(shown, ["rgb(1, 2, 3)", 400, "null"]);
    await tab.getByRole("button", { name: "Compare with the original" }).click();
    await tab.locator(".picture-area img[src]").nth(1).waitFor();
    await tab.getByRole("button", { name: "Ask about the differences" }).click();
    await asking.chips.nth(1).waitFor();
    const text = await asking.composer.inputValue();
    assert.match(text, /List the differences/);
    const { pictures } = await asking.send(text);
    const [first, second] = pictures.slice(-2);
    assert.equal(first?.sha256, createHash("sha256").update(original).digest("hex"));
    assert.deepEqual([second?.widthPx, second?.heightPx], [400, 300]);
  });

  it("sends no request for a hostile page, also with its scripts running", async () => {
    const listener = await Listener.start();
    const read = (name: string) =>
      listener.fillIn(readFileSync(`test/fixtures/previews/hostile/${name}.html`, "utf8"));
    const ran =
      '<p id="ran">waiting</p><script>document.getElementById("ran").textContent = "ran";</script>';
    const markup = [...HOSTILE, ...HOSTILE_WITH_SCRIPTS].map(read).join("\n") + ran;
    const { tab, document } = await preview("Another", "```html\n" + markup + "\n```\n");
    await document.getByText("waiting").waitFor();
    await tab.getByRole("button", { name: "Run scripts" }).click();
    await document.getByText("ran", { exact: true }).waitFor();
    await tab.getByRole("button", { name: "Stop scripts" }).click();
    await document.getByText("waiting").waitFor();
    assert.deepEqual([listener.received, listener.connections], [[], 0]);
    listener.close();
  });
});
