/**
 * Clicks the buttons that VS Code draws around a chat, in a window as users have it: the title of the view
 * and its lists, and the menus of messages.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suiteWithWindow } from "../support/e2e/chatSuite";

describe("the buttons around a chat", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({
    settings: {
      "coreChat.retries": 0,
      "coreChat.profiles": [
        {
          name: "Work",
          baseUrl: "https://work.invalid",
          headers: { "x-one": "${secret}", "x-two": "${secret}" },
        },
      ],
    },
  });
  const panel = () => chat.window.panel;
  const press = (...button: [place: string, label: string, row?: string]) =>
    chat.window.press(...button);

  /** Selects a row of the services; the focus that returns late from an input box closes the list. */
  async function chooseService(row: string): Promise<void> {
    const list = chat.window.quickInput.getByText("Service", { exact: true });
    for (let isShown = false; !isShown;) {
      await press("view/title", "Service…");
      isShown = await list.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    }
    await press("list", "Service", row);
  }

  it("set an address, of which the path is chosen, and a key, and remove the key", async () => {
    const { window, service } = chat;
    await chooseService("Set Address…");
    await window.answerInput(`${service.url}/team`);
    await press("list", "Address of the service", "/team/chat/completions");
    await chat.ask("At the wrong path");
    await chat.notices(/Nothing was found at .*\/team\/chat\/completions/).waitFor();
    await chat.button("Send").waitFor(); // The focus moves no more, which would close a list.
    await chooseService("Set Address…");
    await window.answerInput(`${service.url}/maas/v1/chat/completions`);
    await window.quickInput.waitFor({ state: "hidden" });
    await chooseService("Set API Key…");
    await window.answerInput("sk-e2e-buttons-1234567890");
    await window.quickInput.waitFor({ state: "hidden" });
    await chat.askToEnd("With a key.");
    const { authorization } = service.requests.at(-1)!.headers;
    assert.equal(authorization, "Bearer sk-e2e-buttons-1234567890");
    await chooseService("Remove API Key…");
    await press("list", "Remove API Key", new URL(service.url).host);
    await window.quickInput.waitFor({ state: "hidden" });
    await chat.askToEnd("Without a key.");
    assert.equal(service.requests.at(-1)?.headers["authorization"], "Bearer local");
  });

  it("switch the service; headers are set and removed", async () => {
    const { window } = chat;
    await chooseService("Work");
    const picker = panel().getByRole("combobox", { name: "Model", exact: true });
    await picker.and(panel().getByTitle(/ · Work$/)).waitFor();
    await chooseService("Set Secret Header…");
    await press("list", "Set Secret Header", "x-one");
    await window.answerInput("a-secret-value");
    await window.quickInput.waitFor({ state: "hidden" });
    await chooseService("Remove Secret Header…");
    await press("list", "Remove Secret Header", "x-one");
    await chooseService("Default");
    await picker.and(panel().getByTitle(/ · Default$/)).waitFor();
    const folder = join(chat.environment.workspace, ".vscode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), '{ "coreChat.systemPrompt": "Hello." }');
    await chat.notices("This workspace sets the system prompt.").waitFor();
    rmSync(join(folder, "settings.json"));
    await chat.notices("This workspace sets the system prompt.").waitFor({ state: "detached" });
    await chat.environment.changeSettings({ "coreChat.profiles": [] });
    await picker.and(panel().locator(':not([title*=" "])')).waitFor();
    await press("view/title", "Open Settings");
    const settings = window.page.locator(".settings-editor");
    await settings.getByText("Profiles").first().waitFor();
    await window.page.keyboard.press("Escape");
    if (await settings.isVisible()) await window.runCommand("View: Close All Editors");
  });

  it("test the connection, list the requests, and show the log and the help", async () => {
    const { window } = chat;
    await press("view/title", "Test Connection");
    await press("notification", "Copy Report");
    await window.untilClipboard((text) => /connection works/.test(text));
    await press("view/title", "Show Requests");
    await press("list", "Show Requests");
    await chat
      .tab(/^\d+\.md/)
      .last()
      .waitFor();
    await press("view/title", "Show Log");
    const log = window.page.locator(".part.panel .monaco-editor .view-lines");
    await log.getByText("connection test").first().waitFor();
    await press("view/title", "Open Accessibility Help");
    await chat.tab("Core Chat Accessibility Help.txt").waitFor();
    await window.runCommand("View: Close All Editors");
  });

  it("start, list and open conversations, and ask before an unsaved one is closed", async () => {
    const { window } = chat;
    await press("view/title", "New Conversation");
    await panel().getByRole("article").first().waitFor({ state: "detached" });
    await chat.askToEnd("First answer.", "First question");
    await press("view/title", "Open in Editor");
    await chat.replies(window.chatEditor).getByText("First answer.").waitFor();
    await window.runCommand("View: Close All Editors");
    await press("view/title", "Show History");
    const search = panel().getByRole("searchbox", { name: "Search conversations" });
    await search.waitFor();
    await panel()
      .getByRole("option", { name: /First question/ })
      .first()
      .click({ position: { x: 12, y: 8 } });
    for (const isSaved of [false, true]) {
      await press("view/title", "New Unsaved Conversation");
      await panel().getByText("Not saved. This conversation").waitFor();
      await chat.askToEnd("Unsaved answer.", "Unsaved question");
      await press("view/title", "New Conversation");
      if (isSaved) await press("dialog", "Save");
      else await press("dialog", "Don't Save");
      await panel().getByRole("article").first().waitFor({ state: "detached" });
    }
    await chat.environment.untilStored("Unsaved question");
    await press("view/title", "Show Outline");
    await window.page.keyboard.press("Escape");
    await window.runCommand("Core Chat: Manage History");
    await press("list", "Manage History", "Delete Everything");
    await press("dialog", "Delete Everything");
    await press("view/title", "Show History");
    await search.waitFor();
    await panel()
      .getByRole("option", { name: /question/ })
      .first()
      .waitFor({ state: "detached" });
    await window.page.keyboard.press("Escape");
  });

  it("act on the message that is clicked with the right button", async () => {
    const { window } = chat;
    await chat.startConversation();
    await chat.askToEnd("The **sum** of it.", "First question");
    await chat.askToEnd("Another.", "Second question");
    const marked = chat.replies().first().locator("p", { hasText: "The sum of it." });
    const openMenu = async (at = marked) => {
      await at.scrollIntoViewIfNeeded();
      await at.click({ button: "right" });
    };
    await marked.click({ clickCount: 3 });
    await openMenu();
    await press("webview/context", "Ask About This");
    await chat.chips().getByText("The sum of it.").waitFor();
    await chat.askToEnd("Right.", "Is it right?");
    assert.match(chat.lastBody(), /> The sum of it\./);
    await marked.click({ clickCount: 3 });
    await openMenu();
    await press("webview/context", "Ask Aside");
    chat.service.script({ blocks: ["Because it is."] });
    const box = panel().getByRole("textbox", { name: "Question about the quote" });
    await box.fill("Why?");
    await box.press("Enter");
    await panel().locator("p", { hasText: "Because it is." }).waitFor();
    await panel().locator(".aside-actions").getByRole("button", { name: "Remove" }).click();
    await press("dialog", "Remove");
    await panel().locator("p", { hasText: "Because it is." }).waitFor({ state: "detached" });
    await openMenu();
    await press("webview/context", "Open Reply as Text");
    await chat.tab("Reply.txt").waitFor();
    const first = chat.questions().first().getByText("First question");
    await openMenu(first);
    await press("webview/context", "Don't Send Again");
    await chat.questions().first().getByText("not sent").waitFor();
    await chat.askToEnd("Without.", "Without it?");
    assert.doesNotMatch(chat.lastBody(), /First question/);
    await openMenu(first);
    await press("webview/context", "Send Again");
    await chat.questions().first().getByText("not sent").waitFor({ state: "detached" });
    await openMenu(first);
    await press("webview/context", "Delete Message…");
    await press("dialog", "Delete Message");
    await panel().getByText("First question").first().waitFor({ state: "detached" });
    await openMenu(chat.replies().nth(1).getByText("Another."));
    await press("webview/context", "Fork Conversation");
    await chat.replies().getByText("Without.").waitFor({ state: "detached" });
    chat.service.script({ status: 400, body: "no" }, { blocks: ["Now."] });
    await chat.ask("Does it fail?");
    await chat.notices(/400/).waitFor();
    const failed = panel().getByRole("article", { name: "Assistant" }).last();
    const more = failed.getByRole("button", { name: "Message menu" });
    await more.press("Enter");
    await window.page.getByRole("menuitem", { name: "Regenerate" }).waitFor();
    await window.page.keyboard.press("Escape");
    await more.and(panel().locator(":focus")).waitFor();
    await more.press("Enter");
    await press("webview/context", "Regenerate");
    await chat.replies().getByText("Now.").waitFor();
    await window.runCommand("View: Close All Editors");
  });
});
