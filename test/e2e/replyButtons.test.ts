/**
 * Clicks the buttons of questions about a reply in a window as users have it: where its code goes, what is
 * hidden in it, what it would run, what is exported and imported, and who else may use the models.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { madePng } from "../support/pictures/madePng";

/** Text with a character that changes the order of what is shown. */
const HIDDEN = "const a = 1; // \u202Eend";

describe("the buttons of questions about a reply", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  const inWorkspace = (name: string) => join(chat.environment.workspace, name);
  const press = (...button: [place: string, label: string, row?: string]) =>
    chat.window.press(...button);
  const diff = () => chat.tab(/Current ↔ Proposed/);

  /** Clicks a button of the code block in the last reply, or an entry of its menu. */
  async function onCode(name: string): Promise<void> {
    const reply = chat.replies().last();
    const button = reply.getByRole("button", { name, exact: true });
    if (!(await button.isVisible())) {
      await reply.getByRole("button", { name: "More actions" }).first().click();
      await chat.window.panel.getByRole("menuitem", { name, exact: true }).click();
    } else await button.click();
  }

  it("remove what is hidden in copied code, or keep it", async () => {
    await chat.askToEnd(`\`\`\`ts\n${HIDDEN}\n\`\`\`\n`);
    await onCode("Copy code");
    await press("dialog", "Remove and Use");
    await chat.window.untilClipboard((text) => text.trim() === HIDDEN.replace("\u202E", ""));
    await onCode("Copy code");
    await press("dialog", "Use As Is");
    await chat.window.untilClipboard((text) => text.trim() === HIDDEN);
  });

  it("apply a diff, insert it as it is, and choose where other code goes", async () => {
    await chat.window.openFile("cart.ts");
    await chat.askToEnd(
      "```diff\n-const DISCOUNT_FROM = 10;\n+const DISCOUNT_FROM = 20;\n const DISCOUNT_PERCENT = 5;\n```\n",
    );
    await onCode("Insert at cursor");
    await press("dialog", "Apply");
    await diff().waitFor();
    await press("editor/title", "Discard Changes");
    await diff().waitFor({ state: "detached" });
    await onCode("Insert at cursor");
    await press("dialog", "Insert Anyway");
    await chat.window.editor.getByText("+const DISCOUNT_FROM = 20;").waitFor();
    await chat.start("workbench.action.files.revert");
    await chat.askToEnd("```ts\nannounce(1);\n```\n");
    await onCode("Apply in editor");
    await press("list", "Where should this code go in {0}?", "Insert at the cursor");
    await diff().waitFor();
    await press("editor/title", "Discard Changes");
    await diff().waitFor({ state: "detached" });
  });

  it("review again what changed meanwhile, and keep a file that runs code", async () => {
    const text = chat.textOf("shop/cart.ts");
    const line = "const DISCOUNT_FROM = 10;";
    await chat.askToEnd(`\`\`\`ts\n${line.replace("10", "20")}\n\`\`\`\n`);
    await onCode("Apply in editor");
    await diff().waitFor();
    writeFileSync(inWorkspace("shop/cart.ts"), text.replace(line, line.replace("10", "30")));
    await press("editor/title", "Keep Changes");
    await press("notification", "Review Again");
    await press("editor/title", "Keep Changes");
    await diff().waitFor({ state: "detached" });
    await chat.environment.untilSaved("shop/cart.ts", "DISCOUNT_FROM = 20");
    await chat.askToEnd('```json .vscode/tasks.json\n{ "version": "2.0.0" }\n```\n');
    await onCode("Apply in editor");
    await press("editor/title", "Keep Changes");
    await press("list", "Changes from the reply", "tasks.json");
    await chat.window.page.keyboard.press("Enter");
    await press("dialog", "Keep Anyway");
    await chat.environment.untilSaved(".vscode/tasks.json", "2.0.0");
    await chat.start("workbench.action.closeAllEditors");
  });

  it("delete the pictures of a conversation", async () => {
    const asking = new PictureAsking(chat.environment, chat.window);
    await chat.startConversation();
    await asking.pasteOrDrop("paste", [["a.png", madePng(40, 30)]]);
    await asking.chips.first().waitFor();
    await asking.send("What is it?");
    const thumbnail = chat.window.panel.locator(".question .thumbnail img").first();
    await thumbnail.waitFor();
    await chat.window.runCommand("Core Chat: Delete Pictures");
    await press("dialog", "Delete Pictures");
    await thumbnail.waitFor({ state: "detached" });
  });

  it("export a conversation and open the file; ask about the system prompt of an imported one", async () => {
    const asking = new PictureAsking(chat.environment, chat.window);
    await chat.startConversation();
    const thinking = { delta: { reasoning_content: "I think." } };
    await chat.askToEnd({ blocks: [thinking, "An answer."] }, "A question");
    await press("view/title", "Export Conversation…");
    await asking.enterFile("talk.json", "OK");
    await press("list", "Export Conversation", "With the model's thinking");
    await press("notification", "Open File");
    await chat.tab("talk.json").waitFor();
    const path = inWorkspace("talk.json");
    const exported = JSON.parse(readFileSync(path, "utf8")) as object;
    const parameters = { systemPrompt: "Speak like the file." };
    writeFileSync(path, JSON.stringify({ ...exported, parameters }));
    for (const isUsed of [true, false]) {
      await chat.window.runCommand("Core Chat: Import Conversations");
      await asking.enterFile("talk.json", "OK");
      if (isUsed) await press("dialog", "Use System Prompt");
      else await press("dialog", "Don't Use");
      await chat.replies().getByText("An answer.").waitFor();
      await chat.askToEnd("Yes.", `Is it used? ${String(isUsed)}`);
      assert.equal(chat.lastBody().includes("Speak like the file."), isUsed);
    }
    await chat.start("workbench.action.closeAllEditors");
  });

  it("allow an extension to use the models, and revoke it", async () => {
    const ask = () => chat.window.runCommand("Ask a Model");
    const result = (text: string) => chat.window.notification(text).waitFor();
    await ask();
    await press("dialog", "Don't Allow");
    await result("Result 1: Model Caller (someone.model-caller) may not use the models");
    assert.equal(chat.service.requests.length, 0);
    await chat.window.runCommand("Core Chat: Manage Model Access");
    await press("list", "Manage Model Access", "Model Caller");
    await press("dialog", "Allow");
    chat.service.script({ blocks: ["To the other extension."] });
    await ask();
    await result("Result 2: To the other extension.");
    await chat.window.runCommand("Core Chat: Manage Model Access");
    await press("list", "Manage Model Access", "Model Caller");
    await press("dialog", "Revoke");
    await ask();
    await result("Result 3: Model Caller (someone.model-caller) may not use the models");
    assert.equal(chat.service.requests.length, 1);
  });
});
