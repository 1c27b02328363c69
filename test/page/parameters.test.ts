/**
 * The dialog for a conversation's parameters: by keyboard, within the ranges, in little room.
 */
import assert from "node:assert/strict";
import type { FakeHost, OpenOptions } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { readyPanel } from "./support/fakeHost";
import { violationsAround } from "../support/axe";

describe("the parameters of a conversation", () => {
  const open = usePanel();

  async function openDialog(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open(options);
    await host.page.locator(".parameters-button button").press("Enter");
    await host.page.getByRole("dialog").waitFor();
    return host;
  }

  it("are taken when a field is left, each for its conversation", async () => {
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

  it("outside of the range are named and not taken", async () => {
    const host = await openDialog();
    const field = host.page.getByLabel("Top P");
    await field.fill("0.95");
    await field.press("Tab");
    await host.page.getByRole("alert").getByText("Enter a value from 0.1 to 0.9").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.deepEqual(host.heardOf("parameters-chosen"), []);
  });

  it("go back to the defaults at once", async () => {
    const panel = { ...readyPanel, parameters: { topP: 0.5, systemPrompt: "Own" } };
    const host = await openDialog({ shown: { panel } });
    assert.equal(await host.page.getByLabel("Top P").inputValue(), "0.5");
    await host.page.getByRole("button", { name: "Reset to Default" }).press("Enter");
    assert.deepEqual((await host.waitFor("parameters-chosen")).parameters, {});
    assert.equal(await host.page.getByLabel("Top P").inputValue(), "");
    assert.equal(await host.page.getByLabel("System prompt").inputValue(), "");
  });

  it("show the system prompt of the settings, and send none where it is emptied", async () => {
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

  it("close with Escape, which stops no reply, and give the focus back", async () => {
    const host = await openDialog({ shown: { panel: { ...readyPanel, isRunning: true } } });
    await host.page.keyboard.press("Escape");
    await host.page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(host.heardOf("stop-asked"), []);
    await host.page.locator(".parameters-button button:focus").waitFor();
  });

  it("keep the focus inside while they are open", async () => {
    const { page } = await openDialog();
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      const isInside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement?.closest("dialog") !== null;
      });
      assert.ok(isInside, `after ${step + 1} steps`);
    }
  });

  for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const) {
    it(`have no axe violations in ${theme}`, async () => {
      const { page } = await openDialog({ theme });
      await page.getByLabel("Top P").fill("5");
      await page.getByLabel("Top P").press("Tab");
      await page.getByRole("alert").getByText("Enter a value").waitFor();
      assert.deepEqual(await violationsAround(page.locator("body")), []);
    });
  }

  it("fit into 250 px in Chinese", async () => {
    const { page } = await openDialog({ widthPx: 250, heightPx: 500, language: "zh-cn" });
    await page.getByText("此对话的参数").waitFor();
    const widths = await page.evaluate(() => {
      const dialog = document.querySelector("dialog");
      return [dialog?.scrollWidth, dialog?.clientWidth];
    });
    assert.equal(widths[0], widths[1]);
  });
});
