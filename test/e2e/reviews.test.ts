/**
 * Clicks every button of a review in a window as users have it, with VS Code's own chat and with
 * messages: a single diff, several files, and the readings of an unclear inline edit.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

const CART = readFileSync("test/fixtures/sample-workspace/shop/cart.ts", "utf8");
const HALF = CART.slice(0, CART.lastIndexOf("\nexport function receipt"));

/** Two readings of equal right. */
const UNCLEAR = "Either of these:\n```python\ntwo = 2\n```\n```css\np { }\n```\n";

function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\`\`\`\n\n`;
}

describe("the buttons of a review", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({ settings: { "chat.disableAIFeatures": false } });
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    await window.openChat();
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const textOf = (name: string) => readFileSync(join(environment.workspace, name), "utf8");
  const tab = (name: RegExp) => window.page.getByRole("tab", { name });
  const row = (name: string) =>
    window.quickInput.locator(".monaco-list-row", { hasText: name }).first();
  const SEVERAL = /Changes of the reply/;

  /** Asks, and returns the reply. */
  async function ask(reply: string) {
    environment.service.script({ blocks: [reply] });
    const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
    const replies = window.panel.getByRole("article", { name: "Assistant", exact: true });
    const count = await replies.count();
    await composer.fill("Code, please");
    await composer.press("Enter");
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    await replies.nth(count).waitFor();
    return replies.nth(count);
  }

  it("keep and discard the diff of a single block", async () => {
    await window.openFile("cart.ts");
    const line = CART.replace("DISCOUNT_FROM = 10", "DISCOUNT_FROM = 20").split("\n")[8];
    const reply = await ask(block("ts", `${line}\n`));
    const apply = () => reply.getByRole("button", { name: "Apply in editor", exact: true }).click();
    const diff = tab(/Current ↔ Proposed/);
    await apply();
    await diff.waitFor();
    await window.press("editor/title", "Discard Changes");
    await diff.waitFor({ state: "detached" });
    assert.equal(textOf("shop/cart.ts"), CART);
    await apply();
    await diff.waitFor();
    await window.press("editor/title", "Keep Changes");
    await diff.waitFor({ state: "detached" });
    await environment.untilSaved("shop/cart.ts", "DISCOUNT_FROM = 20");
    await window.editor.click();
    await window.page.keyboard.press("Control+z");
    await environment.untilSaved("shop/cart.ts", "DISCOUNT_FROM = 10");
  });

  it("keep and discard several files, which are all that the review shows", async () => {
    const reply = await ask(
      block("ts shop/one.ts", "export const one = 1;\n") +
        block("ts shop/two.ts", "export const two = 2;\n") +
        block("sh", "npm test\n"),
    );
    const apply = reply.getByRole("button", { name: "Apply all" });
    await apply.click();
    await tab(/Changes of the reply \(2 files\)/).waitFor();
    await reply.getByText("1 block not used").waitFor();
    await window.press("editor/title", "Discard Changes");
    await tab(SEVERAL).waitFor({ state: "detached" });
    await apply.click();
    await tab(SEVERAL).waitFor();
    await window.press("editor/title", "Choose Files to Keep");
    await row("two.ts").waitFor();
    await window.page.keyboard.press("Escape");
    await window.press("editor/title", "Keep Changes");
    await tab(SEVERAL).waitFor({ state: "detached" });
    await environment.untilSaved("shop/one.ts", "one = 1");
    await environment.untilSaved("shop/two.ts", "two = 2");
    await reply.getByRole("button", { name: "Show", exact: true }).click();
    await window.editor.getByText("The block names no file.").waitFor();
  });

  it("keep the removal of lines that a whole file lacks, after a question", async () => {
    const reply = await ask(
      block("ts shop/cart.ts", HALF) + block("ts shop/three.ts", "export const three = 3;\n"),
    );
    await reply.getByRole("button", { name: "Apply all" }).click();
    await tab(/Changes of the reply \(2 files\)/).waitFor();
    await window.press("editor/title", "Keep Changes");
    await row("cart.ts")
      .getByText(/removes 4 lines/)
      .waitFor();
    await window.press("list", "Changes of the reply", "cart.ts");
    await window.page.keyboard.press("Enter");
    await tab(SEVERAL).waitFor({ state: "detached" });
    await environment.untilSaved("shop/three.ts", "three = 3");
    const cart = window.page.locator('.monaco-editor[data-uri$="/cart.ts"]');
    await cart.getByText("totalPrice").first().waitFor();
    await cart.getByText("receipt").waitFor({ state: "detached" });
  });

  it("show the other reading of an inline edit, and insert it", async () => {
    await window.openFile("cart.test.mjs");
    await window.editor.click();
    await window.page.keyboard.press("Control+Home");
    environment.service.script({ blocks: [UNCLEAR] });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.press("h");
    await window.answerBox("Shorter");
    await window.notification("may not be code").waitFor();
    const reading = tab(/Current ↔ Reply, Reading 1/);
    await reading.waitFor(); // Its group has the focus, so that its buttons are shown.
    await window.press("editor/title", "Show Other Reading");
    await tab(/Current ↔ Reply, Reading 2/).waitFor();
    await window.press("editor/title", "Insert Reading");
    await tab(/Current ↔ Reply/).waitFor({ state: "detached" });
    await environment.untilSaved("shop/cart.test.mjs", "p { }");
  });
});
