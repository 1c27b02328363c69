/**
 * Clicks buttons that VS Code draws around a chat, in a window as users have it: the title of the view and
 * its lists, the item of the status bar, the question before an unsaved conversation is closed.
 */
import assert from "node:assert/strict";
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

  it("set an address, of which the path is chosen, and a key, and remove the key", async () => {
    const { window, service } = chat;
    await press("view/title", "Set Base URL…");
    await window.answerInput(`${service.url}/team`);
    await press("list", "Base URL of the service", "/team/chat/completions");
    await chat.ask("At the wrong path");
    await chat.notices(/Nothing was found at .*\/team\/chat\/completions/).waitFor();
    await press("view/title", "Set Base URL…");
    await window.answerInput(`${service.url}/maas/v1/chat/completions`);
    await press("view/title", "Set API Key…");
    await window.answerInput("sk-e2e-buttons-1234567890");
    await window.quickInput.waitFor({ state: "hidden" });
    await chat.askToEnd("With a key.");
    const { authorization } = service.requests.at(-1)!.headers;
    assert.equal(authorization, "Bearer sk-e2e-buttons-1234567890");
    await press("view/title", "Remove API Key…");
    await press("list", "Remove API Key", new URL(service.url).host);
    await window.quickInput.waitFor({ state: "hidden" });
    await chat.askToEnd("Without a key.");
    assert.equal(service.requests.at(-1)?.headers["authorization"], "Bearer local");
  });

  it("switch the service, in the title and in the status bar; headers are set and removed", async () => {
    const { window } = chat;
    await press("view/title", "Switch Service…");
    await press("list", "Switch Service", "Work");
    const status = window.page.locator('.statusbar-item[id$="coreChat.profile"]');
    await status.getByText("Work").waitFor();
    await window.runCommand("Core Chat: Set Secret Header");
    await press("list", "Set Secret Header", "x-one");
    await window.answerInput("a-secret-value");
    await window.quickInput.waitFor({ state: "hidden" });
    await window.runCommand("Core Chat: Remove Secret Header");
    await press("list", "Remove Secret Header", "x-one");
    await press("status bar", "item");
    await press("list", "Switch Service", "Default");
    await status.getByText("Default").waitFor();
    chat.environment.changeSettings({ "coreChat.profiles": [] });
    await status.waitFor({ state: "hidden" });
    await window.runCommand("Core Chat: Set Secret Header");
    await press("notification", "Open Settings");
    const settings = window.page.locator(".settings-editor");
    await settings.getByText("Profiles").first().waitFor();
    await window.page.keyboard.press("Escape");
    if (await settings.isVisible()) await window.runCommand("View: Close All Editors");
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
  });
});
