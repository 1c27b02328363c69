/**
 * Tests `@core` in VS Code's own chat view as a user: the service's reply appears, and the
 * selection is part of the request.
 */
import assert from "node:assert/strict";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { testedVersion } from "../support/vscode/get.mjs";
import type { Workbench } from "../support/vscode/workbench.mjs";

describe("the participant in VS Code's chat view", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({ settings: { "chat.disableAIFeatures": false } });
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    // Opening the panel activates Core Chat, so that VS Code's chat lists its models.
    await window.openChat();
    await window.openFile("cart.ts");
    await window.page.keyboard.press("Control+Alt+I");
    await input().waitFor();
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const chat = () => window.page.locator(".interactive-session:visible");
  const inputPart = () => chat().locator(".interactive-input-part").first();
  const input = () => inputPart().locator(".monaco-editor").first();
  const said = (text: string) => chat().getByRole("listitem").filter({ hasText: text }).last();

  async function ask(text: string): Promise<void> {
    await input().click();
    // Inserts the text as a paste does: after single letters, the suggestion list would accept
    // Enter.
    await window.page.keyboard.insertText(text);
    await input().getByText("@core", { exact: true }).waitFor();
    await window.page.locator(".suggest-widget.visible").waitFor({ state: "hidden" });
    await window.page.keyboard.press("Enter");
  }

  // VS Code 1.106 lists no model and calls no participant unless Copilot provides a default model.
  if (testedVersion() === "oldest") {
    it("is not called without a model, and sends nothing", async () => {
      await ask("@core what is this?");
      await said("Language model unavailable").waitFor();
      assert.equal(environment.service.requests.length, 0);
    });
    return;
  }

  it("answers with the editor's selection", async () => {
    await inputPart().getByText("core_llm", { exact: true }).waitFor();
    environment.service.script({ blocks: ["An **answer** ", "in two blocks."] });
    await window.editor.click();
    await window.page.keyboard.press("Control+A");
    await inputPart().getByText(":1-29").first().waitFor();
    await ask("@core what is this?");
    await said("An answer in two blocks.").getByText("answer", { exact: true }).waitFor();
    const { body } = await environment.service.waitForRequest(1);
    const asked = JSON.stringify(body);
    assert.ok(asked.includes("what is this?") && !asked.includes("@core"), asked);
    assert.ok(
      asked.includes("shop/cart.ts") && asked.includes("export function totalPrice"),
      asked,
    );
  });
});
