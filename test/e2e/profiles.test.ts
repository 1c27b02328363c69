/**
 * Tests several services in a real window: switching in the picker and with the command, the
 * service of each conversation after a reload, and a service removed from the settings.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

describe("profiles", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();

  before(() =>
    chat.environment.changeSettings({
      "coreChat.profiles": [
        { name: "Work", baseUrl: chat.service.url, headers: { "x-profile": "work" } },
      ],
    }),
  );

  const picker = () => chat.window.panel.getByRole("combobox", { name: "Model", exact: true });
  const shown = (model: string) =>
    picker()
      .and(chat.window.panel.getByTitle(`Model and service: ${model}`))
      .waitFor();

  /** Selects a model of a service in the panel's model picker. */
  async function pick(profile: string, model: string): Promise<void> {
    const option = picker().locator(`optgroup[label="${profile}"] option`, { hasText: model });
    await option.waitFor({ state: "attached" });
    await picker().selectOption((await option.getAttribute("value")) ?? "");
  }

  /** Asks, waits for the end of the reply and returns the header that identifies the profile. */
  async function profileHeaderOf(text: string): Promise<unknown> {
    const composer = chat.composer();
    await composer.fill(`/echo ${text}`);
    await composer.press("Enter");
    const reply = chat.window.panel
      .getByRole("article", { name: "Assistant" })
      .filter({ hasText: text })
      .and(chat.window.panel.locator("[aria-busy=false]"));
    await reply.waitFor();
    return chat.service.requests.at(-1)?.headers["x-profile"];
  }

  async function pickInList(label: string): Promise<void> {
    await chat.window.quickInput.getByRole("option", { name: label }).first().click();
    await chat.window.quickInput.waitFor({ state: "hidden" });
  }

  it(`are switched in the model picker ${ALL}`, async () => {
    await shown("Auto · Default");
    assert.equal(await profileHeaderOf("by default"), undefined);
    await pick("Work", "core_llm");
    await shown("core_llm · Work");
    assert.equal(await profileHeaderOf("at work"), "work");
    await chat.window.screenshot("profiles-at-work");
  });

  it(`are stored per conversation, independently of other conversations ${ALL}`, async () => {
    await chat.startConversation();
    await shown("core_llm · Work");
    await chat.window.runCommand("Core Chat: Service");
    await pickInList("Default");
    await shown("core_llm · Default");
    assert.equal(await profileHeaderOf("back by default"), undefined);

    await chat.window.reload();
    await chat.window.openChat();
    assert.equal(await profileHeaderOf("after the reload"), undefined);
    await chat.window.runCommand("Core Chat: Show History");
    await chat.window.panel
      .getByRole("option", { name: /by default/ })
      .last()
      .click();
    await chat.window.panel
      .getByRole("article", { name: "Assistant" })
      .getByText("at work")
      .waitFor();
    await shown("core_llm · Work");
    assert.equal(await profileHeaderOf("still at work"), "work");
  });

  it(`that no longer exist are reported, with a button to switch ${ALL}`, async () => {
    chat.environment.changeSettings({ "coreChat.profiles": [] });
    const alert = chat.window.panel.locator(".notice").filter({
      hasText: 'The service "Work" of this conversation is no longer in the settings.',
    });
    await alert.waitFor();
    const before = chat.service.requests.length;
    const composer = chat.composer();
    await composer.fill("/echo is kept");
    await composer.press("Enter");
    await alert.getByRole("button", { name: "Switch Service" }).click();
    await pickInList("Default");
    await alert.waitFor({ state: "detached" });
    await chat.window.panel.locator("textarea:focus").waitFor();
    assert.equal(chat.service.requests.length, before);
    assert.equal(await composer.inputValue(), "/echo is kept");
    assert.equal(await profileHeaderOf("is kept"), undefined);
  });
});
