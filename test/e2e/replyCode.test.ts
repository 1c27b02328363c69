/**
 * Tests code in a reply: the colors of VS Code's current color theme, diagrams, applying code to a
 * file with VS Code's diff editor, and the preview of a page: its sizes, its scripts, the absence
 * of requests, and the comparison with the picture of the question.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ALL } from "../support/depth";
import { Listener } from "../support/listener";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { madePng } from "../support/pictures/madePng";

/** Built-in themes of every supported VS Code, with the color of `return` in each. */
const DARK = { theme: "Visual Studio Dark", keyword: "rgb(86, 156, 214)" };
const LIGHT = { theme: "Visual Studio Light", keyword: "rgb(0, 0, 255)" };
const OWN = "rgb(18, 52, 86)";

/** Hostile pages of each way out: loading, navigation, links, WebRTC and scripts. */
const HOSTILE = ["img", "css-url", "link-preconnect", "meta-refresh", "iframe-srcdoc"];
const HOSTILE_WITH_SCRIPTS = [
  "script-fetch",
  "script-image",
  "webrtc-stun",
  "webrtc-child",
  "script-iframe",
  "script-link-ways",
];

describe("code in a reply", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();

  /** Resolves when the word `return` has this color. */
  async function untilKeywordIs(color: string): Promise<void> {
    const keyword = chat.window.panel.locator("pre code span", { hasText: /^return\s*$/ });
    await keyword.waitFor();
    await keyword.evaluate(async (element, wanted) => {
      while (getComputedStyle(element).color !== wanted) await new Promise(requestAnimationFrame);
    }, color);
  }

  async function ask(reply: string): Promise<void> {
    chat.service.script({ blocks: [reply] });
    await chat.ask("Code, please");
  }

  it("has the colors of the theme, of another theme, and of the user's own rules", async () => {
    await chat.environment.changeSettings({ "workbench.colorTheme": DARK.theme });
    await ask("```ts\nreturn 1;\n```\n");
    await untilKeywordIs(DARK.keyword);
    await chat.environment.changeSettings({ "workbench.colorTheme": LIGHT.theme });
    await untilKeywordIs(LIGHT.keyword);
    const own = {
      textMateRules: [{ scope: "keyword.control", settings: { foreground: "#123456" } }],
    };
    await chat.environment.changeSettings({ "editor.tokenColorCustomizations": own });
    await untilKeywordIs(OWN);
  });

  it(`is rendered as a diagram ${ALL}`, async () => {
    await ask("```mermaid\nflowchart LR\n  A[Start] --> B[End]\n```\n");
    const image = chat.window.panel.getByRole("img", { name: "Diagram" });
    await image.waitFor();
    const width = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode();
      return element.naturalWidth;
    });
    assert.ok(width > 50, `it is ${width} wide`);
  });

  describe("in a preview", () => {
    const original = madePng(400, 300);
    let asking: PictureAsking;
    before(() => {
      asking = new PictureAsking(chat.environment, chat.window);
    });

    /** Asks, and opens the preview of the first page in the reply. */
    async function preview(question: string, reply: string) {
      chat.service.script({ blocks: [reply] });
      await asking.composer.fill(question);
      await asking.composer.press("Enter");
      await asking.untilAnswered(question);
      await chat
        .replies()
        .last()
        .getByRole("button", { name: /^Preview/ })
        .first()
        .click();
      const tab = chat.window.chatEditor;
      return { tab, document: tab.frameLocator(".preview-container iframe") };
    }

    it(`has the size of the picture, and sends both back with one question ${ALL}`, async () => {
      await asking.pasteOrDrop("paste", [["shop.png", original]]);
      await asking.chips.first().waitFor();
      const { tab, document } = await preview(
        "Build this page",
        "```html\n<script src=https://cdn.tailwindcss.com></script><link rel=stylesheet href=https://fonts.googleapis.com/css2><h1 class=w-24>Built</h1>\n```\n\n```css\nh1 { color: rgb(1, 2, 3) }\n```\n",
      );
      const heading = document.getByRole("heading", { name: "Built" });
      await heading.waitFor();
      const shown = await heading.evaluate((one) => [
        getComputedStyle(one).color,
        getComputedStyle(one).width,
        innerWidth,
        origin,
      ]);
      assert.deepEqual(shown, ["rgb(1, 2, 3)", "96px", 400, "null"]);
      await tab.getByRole("button", { name: "Compare with the original" }).click();
      await tab.locator(".picture-area img[src]").nth(1).waitFor();
      await tab.getByRole("button", { name: "Fix the differences" }).click();
      await asking.chips.nth(1).waitFor();
      const text = await asking.composer.inputValue();
      assert.match(text, /List the differences[^]*fonts\.googleapis\.com/);
      const { pictures } = await asking.send(text);
      const [first, second] = pictures.slice(-2);
      assert.equal(first?.sha256, createHash("sha256").update(original).digest("hex"));
      assert.deepEqual([second?.widthPx, second?.heightPx], [400, 300]);
    });

    it("sends no request for a hostile page, and runs none of its scripts", async () => {
      const listener = await Listener.start();
      const read = (name: string) =>
        listener.fillIn(readFileSync(`test/fixtures/previews/hostile/${name}.html`, "utf8"));
      const script =
        '<p id="ran">waiting</p><script>document.getElementById("ran").textContent = "ran";</script>' +
        "<p>after the script</p>";
      const markup = [...HOSTILE, ...HOSTILE_WITH_SCRIPTS].map(read).join("\n") + script;
      const { document } = await preview("Another", "```html\n" + markup + "\n```\n");
      await document.getByText("after the script").waitFor();
      assert.equal(await document.locator("#ran").textContent(), "waiting");
      assert.deepEqual([listener.received, listener.connections], [[], 0]);
      listener.close();
    });
  });
});
