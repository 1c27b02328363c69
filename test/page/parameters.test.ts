/**
 * Tests the dialog for a conversation's parameters: by keyboard, within the ranges, in a narrow
 * panel.
 */
import assert from "node:assert/strict";
import type { FakeHost, OpenOptions } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { readyPanel } from "./support/fakeHost";

describe("the parameters of a conversation", () => {
  const open = usePanel();

  async function openDialog(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open(options);
    await host.page.locator(".parameters-button button").press("Enter");
    await host.page.getByRole("dialog").waitFor();
    return host;
  }

  it("are applied when a field loses focus, each for its conversation", async () => {
    const host = await openDialog();
    const { page } = host;
    await page.getByLabel("Temperature").fill("0.3");
    await page.getByLabel("Temperature").press("Tab");
    const first = await host.waitFor("parameters-chosen");
    assert.deepEqual(first.parameters, { temperature: 0.3 });
    await page.getByLabel("System prompt").fill("Briefly.");
    await page.getByLabel("System prompt").press("Escape");
    const second = await host.waitFor("parameters-chosen", 2);
    assert.deepEqual(second.parameters, { temperature: 0.3, systemPrompt: "Briefly." });
    assert.equal(second.conversationId, first.conversationId);
  });

  it("outside the range are reported and not applied", async () => {
    const host = await openDialog();
    const field = host.page.getByLabel("Top P");
    await field.fill("0.95");
    await field.press("Tab");
    await host.page.getByRole("alert").getByText("Enter a value from 0.1 to 0.9").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.deepEqual(host.receivedOf("parameters-chosen"), []);
  });

  it("reset to the defaults immediately", async () => {
    const panel = { ...readyPanel, parameters: { topP: 0.5, systemPrompt: "Own" } };
    const host = await openDialog({ shown: { panel } });
    assert.equal(await host.page.getByLabel("Top P").inputValue(), "0.5");
    await host.page.getByRole("button", { name: "Reset to default" }).press("Enter");
    assert.deepEqual((await host.waitFor("parameters-chosen")).parameters, {});
    assert.equal(await host.page.getByLabel("Top P").inputValue(), "");
    assert.equal(await host.page.getByLabel("System prompt").inputValue(), "");
  });

  it("show the system prompt of the settings, and send none when it is cleared", async () => {
    const panel = { ...readyPanel, systemPrompt: "From the settings." };
    const host = await openDialog({ shown: { panel } });
    const prompt = host.page.getByLabel("System prompt");
    assert.equal(await prompt.inputValue(), "From the settings.");
    await prompt.fill("");
    await prompt.press("Tab");
    assert.deepEqual((await host.waitFor("parameters-chosen")).parameters, { systemPrompt: "" });
    await prompt.fill("From the settings.");
    await prompt.press("Tab");
    assert.deepEqual((await host.waitFor("parameters-chosen", 2)).parameters, {});
  });

  it("close with Escape, which stops no reply, and restore the focus", async () => {
    const host = await openDialog({ shown: { panel: { ...readyPanel, isRunning: true } } });
    await host.page.keyboard.press("Escape");
    await host.page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(host.receivedOf("stop-asked"), []);
    await host.page.locator(".parameters-button button:focus").waitFor();
  });

  it("show in an empty field the value that applies instead", async () => {
    const settingParameters = { llm: { temperature: 0.3 }, vl: { topP: 0.9 } };
    const placeholders = async (model: "auto" | "llm" | "vl", parameters = {}) => {
      const host = await openDialog({ shown: { panel: { settingParameters, model, parameters } } });
      return host.page
        .getByRole("spinbutton")
        .evaluateAll((fields) => fields.map((field) => field.getAttribute("placeholder")));
    };
    assert.deepEqual(await placeholders("auto"), ["0.3", "0.9", "3000"]);
    const ofOtherModel = { repetitionPenalty: 1.2 };
    assert.deepEqual(await placeholders("llm", ofOtherModel), ["0.3", "0.9", "3000", ""]);
    assert.deepEqual(await placeholders("llm"), ["0.3", "0.9", "3000"]);
    assert.deepEqual(await placeholders("vl"), ["1", "0.9", "1"]);
  });
});
