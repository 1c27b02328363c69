/**
 * Clicks every button of a review in a window as users have it, with VS Code's own chat and with
 * messages: a single diff, several files, and the readings of an unclear inline edit.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suiteWithWindow } from "../support/e2e/chatSuite";

const CART = readFileSync("test/fixtures/sample-workspace/shop/cart.ts", "utf8");
const HALF = CART.slice(0, CART.lastIndexOf("\nexport function receipt"));

/** Two readings of equal right. */
const UNCLEAR = "Either of these:\n```python\ntwo = 2\n```\n```css\np { }\n```\n";

function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\`\`\`\n\n`;
}

describe("the buttons of a review", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();

  const row = (name: string) =>
    chat.window.quickInput.locator(".monaco-list-row", { hasText: name }).first();
  const SEVERAL = /Changes from the reply/;

  it("keep and discard the diff of a single block", async () => {
    await chat.window.openFile("cart.ts");
    const line = CART.replace("DISCOUNT_FROM = 10", "DISCOUNT_FROM = 20").split("\n")[8];
    const reply = await chat.askToEnd(block("ts", `${line}\n`));
    const apply = () => reply.getByRole("button", { name: "Apply in editor", exact: true }).click();
    const diff = chat.tab(/Current ↔ Proposed/);
    await apply();
    await diff.waitFor();
    await chat.window.press("editor/title", "Discard Changes");
    await diff.waitFor({ state: "detached" });
    assert.equal(chat.textOf("shop/cart.ts"), CART);
    await apply();
    await diff.waitFor();
    await chat.window.press("editor/title", "Keep Changes");
    await diff.waitFor({ state: "detached" });
    await chat.environment.untilSaved("shop/cart.ts", "DISCOUNT_FROM = 20");
    await chat.window.editor.click();
    await chat.window.page.keyboard.press("Control+z");
    await chat.environment.untilSaved("shop/cart.ts", "DISCOUNT_FROM = 10");
  });

  it("keep and discard several files, which are all that the review shows", async () => {
    const reply = await chat.askToEnd(
      block("ts shop/one.ts", "export const one = 1;\n") +
        block("ts shop/two.ts", "export const two = 2;\n") +
        block("sh", "npm test\n"),
    );
    const apply = reply.getByRole("button", { name: "Review 2 files" });
    await apply.click();
    await chat.tab(/Changes from the reply \(2 files\)/).waitFor();
    await reply.getByText("1 block not used").waitFor();
    await chat.window.press("editor/title", "Discard Changes");
    await chat.tab(SEVERAL).waitFor({ state: "detached" });
    await apply.click();
    await chat.tab(SEVERAL).waitFor();
    await chat.window.press("editor/title", "Choose Files to Keep");
    await row("two.ts").waitFor();
    await chat.window.page.keyboard.press("Escape");
    await chat.window.press("editor/title", "Keep Changes");
    await chat.tab(SEVERAL).waitFor({ state: "detached" });
    await chat.environment.untilSaved("shop/one.ts", "one = 1");
    await chat.environment.untilSaved("shop/two.ts", "two = 2");
    await reply.getByRole("button", { name: "Show", exact: true }).click();
    await chat.window.editor.getByText("The block names no file.").waitFor();
    await chat.start("workbench.action.revertAndCloseActiveEditor");
  });

  it("keep the removal of lines that a whole file lacks, after a question", async () => {
    const reply = await chat.askToEnd(
      block("ts shop/cart.ts", HALF) + block("ts shop/three.ts", "export const three = 3;\n"),
    );
    await reply.getByRole("button", { name: "Review 2 files" }).click();
    await chat.tab(/Changes from the reply \(2 files\)/).waitFor();
    await chat.window.press("editor/title", "Keep Changes");
    await row("cart.ts")
      .getByText(/removes 4 lines/)
      .waitFor();
    await chat.window.press("list", "Changes from the reply", "cart.ts");
    await chat.window.page.keyboard.press("Enter");
    await chat.tab(SEVERAL).waitFor({ state: "detached" });
    await chat.environment.untilSaved("shop/three.ts", "three = 3");
    const cart = chat.window.page.locator('.monaco-editor[data-uri$="/cart.ts"]');
    await cart.getByText("totalPrice").first().waitFor();
    await cart.getByText("receipt").waitFor({ state: "detached" });
  });

  const reading = () => chat.tab(/Current ↔ Reply, Reading 1/);

  async function editUnclear(): Promise<void> {
    await chat.window.openFile("cart.test.mjs");
    await chat.window.editor.click();
    await chat.window.page.keyboard.press("Control+Home");
    chat.service.script({ blocks: [UNCLEAR] });
    await chat.window.page.keyboard.press("Control+k");
    await chat.window.page.keyboard.press("h");
    await chat.window.answerBox("Shorter");
    await chat.window.notification("may not be code").waitFor();
    await reading().waitFor(); // Its group has the focus, so that its buttons are shown.
  }

  it("insert from the message of an unclear reply, open the reply, and ask for the whole block", async () => {
    await editUnclear();
    await chat.window.press("notification", "Insert");
    await chat.environment.untilSaved("shop/cart.test.mjs", "two = 2");
    await chat.window.press("editor/title", "Discard Edit");
    await chat.window.editor.getByText("import assert").waitFor();
    await editUnclear();
    await chat.window.press("editor/title", "Open Reply", "…");
    const reply = chat.window.editor.getByText("Either of these:");
    await reply.waitFor();
    await chat.start("workbench.action.revertAndCloseActiveEditor");
    await reply.waitFor({ state: "detached" });
    chat.service.script({ blocks: ["```js\nimport assert from 'node:assert';\n```\n"] });
    await chat.window.press("editor/title", "Ask for the Whole Block", "…");
    await chat.environment.untilSaved("shop/cart.test.mjs", "from 'node:assert'");
    await chat.window.runCommand("Core Chat: Discard Edit");
    await chat.environment.untilSaved("shop/cart.test.mjs", 'from "node:assert/strict"');
    await chat.start("notifications.clearAll");
    await chat.window.notifications.first().waitFor({ state: "detached" });
  });

  it("show the other reading of an inline edit, and insert it", async () => {
    await editUnclear();
    await chat.window.press("editor/title", "Show Other Reading");
    await chat.tab(/Current ↔ Reply, Reading 2/).waitFor();
    await chat.window.press("editor/title", "Insert Reading");
    await chat.tab(/Current ↔ Reply/).waitFor({ state: "detached" });
    await chat.environment.untilSaved("shop/cart.test.mjs", "p { }");
  });
});
