/**
 * Tests several services in a real window: switching in the picker and in the status bar, the
 * service of each conversation after a reload, and a service removed from the settings.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

describe("profiles", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    environment.changeSettings({
      "coreChat.baseUrl": environment.service.url,
      "coreChat.profiles": [
        { name: "Work", baseUrl: environment.service.url, headers: { "x-profile": "work" } },
      ],
    });
    window = await environment.openWindow();
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const picker = () => window.panel.getByRole("combobox", { name: "Model", exact: true });
  const statusItem = () => window.page.locator('.statusbar-item[id$="coreChat.profile"]');

  /** Selects a model of a service in the panel's model picker. */
  async function pick(profile: string, model: string): Promise<void> {
    const option = picker().locator(`optgroup[label="${profile}"] option`, { hasText: model });
    await option.waitFor({ state: "attached" });
    await picker().selectOption((await option.getAttribute("value")) ?? "");
  }

  /** Asks, waits for the end of the reply and returns the header that identifies the profile. */
  async function profileHeaderOf(text: string): Promise<unknown> {
    const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
    await composer.fill(`/echo ${text}`);
    await composer.press("Enter");
    const reply = window.panel
      .getByRole("article", { name: "Assistant" })
      .filter({ hasText: text })
      .and(window.panel.locator("[aria-busy=false]"));
    await reply.waitFor();
    return environment.service.requests.at(-1)?.headers["x-profile"];
  }

  async function pickInList(label: string): Promise<void> {
    await window.quickInput.getByRole("option", { name: label }).first().click();
    await window.quickInput.waitFor({ state: "hidden" });
  }

  it(`are switched in the model picker; the status bar shows the active one ${ALL}`, async () => {
    await window.openChat();
    await statusItem().getByText("Default · Auto").waitFor();
    assert.equal(await profileHeaderOf("by default"), undefined);
    await pick("Work", "core_llm");
    await statusItem().getByText("Work · core_llm").waitFor();
    const said = "Core Chat uses core_llm of Work. Click to switch services.";
    assert.equal(await statusItem().getByRole("button").getAttribute("aria-label"), said);
    assert.equal(await profileHeaderOf("at work"), "work");
    await window.screenshot("profiles-at-work");
  });

  it(`are stored per conversation, independently of other conversations ${ALL}`, async () => {
    await window.runCommand("Core Chat: New Conversation");
    await window.panel.getByRole("article").first().waitFor({ state: "detached" });
    await statusItem().getByText("Work · core_llm").waitFor();
    await statusItem().getByRole("button").click();
    await pickInList("Default");
    await statusItem().getByText("Default · core_llm").waitFor();
    assert.equal(await profileHeaderOf("back by default"), undefined);

    await window.reload();
    await window.openChat();
    assert.equal(await profileHeaderOf("after the reload"), undefined);
    await window.runCommand("Core Chat: Show History");
    await window.panel
      .getByRole("option", { name: /by default/ })
      .last()
      .click();
    await window.panel.getByRole("article", { name: "Assistant" }).getByText("at work").waitFor();
    await statusItem().getByText("Work · core_llm").waitFor();
    assert.equal(await profileHeaderOf("still at work"), "work");
  });

  it(`that no longer exist are reported, with a button to switch ${ALL}`, async () => {
    environment.changeSettings({ "coreChat.profiles": [] });
    const alert = window.panel.locator(".notice").filter({
      hasText: 'The service "Work" of this conversation is no longer in the settings.',
    });
    await alert.waitFor();
    await statusItem().waitFor({ state: "hidden" });
    const before = environment.service.requests.length;
    const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
    await composer.fill("/echo is kept");
    await composer.press("Enter");
    await alert.getByRole("button", { name: "Switch Service" }).click();
    await pickInList("Default");
    await alert.waitFor({ state: "detached" });
    await window.panel.locator("textarea:focus").waitFor();
    assert.equal(environment.service.requests.length, before);
    assert.equal(await composer.inputValue(), "/echo is kept");
    assert.equal(await profileHeaderOf("is kept"), undefined);
  });
});
