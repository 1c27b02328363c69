/** Clicks the buttons of an edit: in the editor's menu, the box at the code, code lenses and the editor's title. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

/** Two changes that are apart, so that each has its own row. */
const TWO_CHANGES =
  "```ts\nexport interface Changed {\n  name: string;\n  /** Price of one piece, in cents. */\n" +
  "  priceCents: number;\n  count: number;\n}\n```\n";

describe("the buttons of an edit", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({
    settings: {
      "files.autoSave": "off",
      "coreChat.timeouts.silence": 300,
    },
  });
  /** The first line by its text: VS Code uses the elements of lines again, in another order. */
  const line = () => chat.window.editor.locator(".view-line", { hasText: /^export\sinterface/ });
  const lens = (label: string) =>
    chat.window.page.locator(".codelens-decoration a").getByText(label, { exact: true }).first();

  before(() => chat.window.openFile("cart.ts"));
  afterEach(revert);

  async function revert(): Promise<void> {
    const dirty = chat.window.page.locator(".tab.active.dirty");
    if (await dirty.isVisible()) {
      await chat.start("workbench.action.files.revert");
      await dirty.waitFor({ state: "detached" });
    }
    await line().getByText("Item").waitFor();
    await lens("Compare").waitFor({ state: "detached" });
  }

  /** Selects lines, and opens the editor's menu over them. */
  async function openMenu(lines: number): Promise<void> {
    await chat.selectFirstLines(lines);
    if (lines > 0) await chat.window.editor.locator(".selected-text").first().waitFor();
    await chat.window.openContextMenu(line(), { x: 20, y: 8 });
  }

  /** Asks for an edit of the first lines. */
  async function ask(lines = 1): Promise<void> {
    await chat.selectFirstLines(lines);
    await chat.chord("Control+k", "h");
    await chat.window.answerBox("rename it");
  }

  /** Edits the first lines; resolves when the reply has ended. */
  async function edit(reply: string, lines = 1): Promise<void> {
    chat.service.script({ text: reply });
    await ask(lines);
    await lens("Compare").waitFor();
  }

  async function closeComparison(): Promise<void> {
    const comparison = chat.tab(/cart\.ts: Before ↔ After Edit/);
    await comparison.waitFor();
    await chat.start("workbench.action.closeActiveEditor");
    await comparison.waitFor({ state: "detached" });
  }

  it("begin, stop and continue it", async () => {
    await openMenu(1);
    await chat.window.press("editor/context", "Edit Selection…");
    await chat.window.press("comments/comment/context", "Cancel");
    await chat.window.instructionBox.waitFor({ state: "detached" });
    await chat.window.page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await chat.selectFirstLines(2);
    await chat.chord("Control+k", "h");
    chat.service.script(
      { blocks: ["```ts\nexport interface Stopped {\n", { gate: true }] },
      { text: "```ts\nexport interface Changed {\n  na", finishReason: "length" },
      { text: "me: string;\n```\n" },
    );
    await chat.window.instructionBox.locator(".edit-textarea .monaco-editor.focused").waitFor();
    await chat.window.page.keyboard.type("rename it");
    await chat.window.press("comments/comment/context", "Edit");
    await line().getByText("Stopped").waitFor();
    await chat.window.press("code lens", "Stop");
    await chat.window.press("code lens", "Try Again");
    await chat.window.page.locator(".codelens-decoration").getByText("length limit").waitFor();
    await chat.window.press("code lens", "Continue");
    await lens("Continue").waitFor({ state: "detached" });
    await chat.window.press("editor/title", "Keep Edit");
    await lens("Compare").waitFor({ state: "detached" });
    await line().getByText("Changed").waitFor();
  });

  it("stop, compare and discard it from the title", async () => {
    chat.service.script({ blocks: ["```ts\nexport interface Changed {\n", { gate: true }] });
    await ask();
    await line().getByText("Changed").waitFor();
    await chat.window.press("editor/title", "Stop Edit");
    await chat.window.press("editor/title", "Compare Edit");
    await closeComparison();
    await chat.window.press("code lens", "Compare");
    await closeComparison();
    await chat.window.press("editor/title", "Discard Edit");
    await line().getByText("Item").waitFor();
  });

  it("keep and discard each change, and refine it", async () => {
    await edit(TWO_CHANGES, 6);
    await chat.window.press("code lens", "Keep This Change");
    await lens("Keep This Change").waitFor({ state: "detached" });
    await chat.window.press("code lens", "Discard");
    await lens("Compare").waitFor({ state: "detached" }); // A write during a revert leaves the file changed.
    await revert();
    await edit(TWO_CHANGES, 6);
    await chat.window.press("code lens", "Discard This Change");
    await lens("Discard This Change").waitFor({ state: "detached" });
    chat.service.script({ text: TWO_CHANGES });
    await chat.window.press("code lens", "Refine…");
    await chat.window.instructionBox.locator(".edit-textarea .monaco-editor.focused").waitFor();
    await chat.window.page.keyboard.press("ArrowUp");
    await chat.window.instructionBox.getByText("rename it").waitFor();
    await chat.window.press("comments/comment/context", "Edit");
    await chat.service.waitForRequest(3);
    await chat.window.press("code lens", "Keep All");
    await lens("Compare").waitFor({ state: "detached" });
    await revert();
    await edit(TWO_CHANGES, 6);
    await chat.window.press("code lens", "Discard All");
    await lens("Compare").waitFor({ state: "detached" });
  });

  it("ask about the selection, explain and fix it, and write at the cursor", async () => {
    await openMenu(2);
    await chat.window.press("editor/context", "Ask About Selection");
    await chat.composer().and(chat.window.panel.locator(":focus")).waitFor();
    await chat.ask("What is it?");
    await chat.untilQuiet();
    await openMenu(2);
    await chat.window.press("editor/context", "Explain Selection");
    await chat.service.waitForRequest(2);
    await chat.untilQuiet();
    await openMenu(6);
    await chat.window.press("editor/context", "Fix Selection");
    await chat.service.waitForRequest(3);
    await chat.untilQuiet();
    await openMenu(0);
    await chat.window.press("editor/context", "Generate at Cursor…");
    await chat.window.press("comments/comment/context", "Cancel");
    await chat.window.instructionBox.waitFor({ state: "detached" });
  });

  it("add a file from the menus of the editor, its tab and the explorer", async () => {
    await openMenu(0);
    await chat.window.press("editor/context", "Add File to Core Chat");
    await chat.chips().getByText("cart.ts").waitFor();
    await chat.window.openContextMenu(chat.tab("cart.ts"));
    await chat.window.press("editor/title/context", "Add File to Core Chat");
    await chat.window.openContextMenu(
      chat.window.page.getByRole("treeitem", { name: "README.md" }),
    );
    await chat.window.press("explorer/context", "Add File to Core Chat");
    await chat.chips().getByText("README.md").waitFor();
    assert.equal(await chat.chips().count(), 2);
  });

  it("edit from the light bulb", async () => {
    await chat.selectFirstLines(2);
    await chat.window.press("light bulb", "Edit with Core Chat…");
    await chat.window.press("comments/comment/context", "Cancel");
    await chat.window.instructionBox.waitFor({ state: "detached" });
  });

  it("open a reply that is not code, insert it, or ask again", async () => {
    chat.service.script({ text: "I would not change that." });
    await ask();
    await chat.window.press("notification", "Open Reply");
    await chat.window.editor.getByText("I would not change that.").waitFor();
    await chat.start("workbench.action.revertAndCloseActiveEditor");
    await line().getByText("Item").waitFor();
    await chat.start("notifications.clearAll");
    chat.service.script({ text: "Nothing to do." }, { text: TWO_CHANGES });
    await ask(6);
    await chat.window.press("notification", "Ask for the Whole Block");
    await lens("Compare").waitFor();
    await revert();
    chat.service.script({ text: "two" });
    await ask();
    await chat.window.press("notification", "Insert Anyway");
    await chat.window.editor.locator(".view-line").getByText("two", { exact: true }).waitFor();
    await lens("Compare").waitFor();
  });

  it("open the reply around its code, and discard it with the user's own change", async () => {
    await edit("Why: the name is old.\n" + TWO_CHANGES, 6);
    await chat.window.press("code lens", "Open Reply");
    await chat.window.editor.getByText("Why: the name is old.").waitFor();
    await chat.start("workbench.action.revertAndCloseActiveEditor");
    await line().getByText("Changed").waitFor();
    await line().click({ position: { x: 2, y: 8 } });
    await chat.window.page.keyboard.press("End");
    await chat.window.page.keyboard.type(" // mine");
    await line().getByText("// mine").waitFor();
    await chat.window.press("editor/title", "Discard Edit");
    await chat.window.press("dialog", "Discard Both");
    await line().getByText("Item").waitFor();
    await line().getByText("// mine").waitFor({ state: "detached" });
  });

  it(`open the original lines of an edit whose file changed after a crash ${ALL}`, async () => {
    await edit(TWO_CHANGES, 6);
    await chat.window.runCommand("File: Save without Formatting");
    await chat.environment.untilSaved("shop/cart.ts", "Changed");
    const path = join(chat.environment.workspace, "shop/cart.ts");
    await chat.environment.crash(() => writeFileSync(path, "export interface Item {}\n"));
    await chat.window.press("notification", "Open Original Lines");
    await chat.window.editor.getByText("/** Price of one piece, in cents. */").waitFor();
    await chat.start("workbench.action.revertAndCloseActiveEditor");
  });
});
