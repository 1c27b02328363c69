/** Tests the notices for common failures: a message, an action, and no loss of typed text. */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { freePort } from "../support/vscode/serve.mjs";
import type { Workbench } from "../support/vscode/workbench.mjs";

describe("a failure", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({ settings: { "coreChat.retries": 0 } });
    window = await environment.openWindow();
    await window.openChat();
  });
  after(() => environment.close());
  beforeEach(() => environment.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const alerts = () => window.panel.locator(".notice");

  async function ask(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press("Enter");
  }

  /** Asserts that the last notice with this text has at most this button, next to Dismiss. */
  async function expectNotice(text: RegExp, action: string | undefined): Promise<void> {
    const alert = alerts().filter({ hasText: text }).last();
    await alert.waitFor();
    const buttons = await alert.getByRole("button").allInnerTexts();
    // Dismiss is an icon without text.
    const names = buttons.map((name) => name.trim()).filter((name) => name !== "");
    assert.deepEqual(names, action === undefined ? [] : [action]);
  }

  async function useService(baseUrl: string): Promise<void> {
    await window.runCommand("Core Chat: Set Base URL");
    await window.answerInput(baseUrl);
    await window.quickInput.waitFor({ state: "hidden" });
  }

  it(`without a service keeps the text and shows Set Base URL`, async () => {
    await ask("precious words");
    await expectNotice(/No service is set/, "Set Base URL");
    assert.equal(await composer().inputValue(), "precious words");
  });

  it(`without a key keeps the text and shows Set API Key`, async () => {
    await useService("https://maas.invalid");
    await ask("precious words");
    await expectNotice(/no API key for https:\/\/maas\.invalid/, "Set API Key");
    assert.equal(await composer().inputValue(), "precious words");
  });

  it(`with an unreachable host keeps the question in the conversation`, async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    await useService(`http://${nobody}`);
    await ask("precious words");
    await expectNotice(new RegExp(`${nobody} refused the connection`), "Try again");
    await window.panel.getByRole("article").getByText("precious words").waitFor();
    assert.equal(await composer().inputValue(), "");
  });

  it(`does not appear again once the service is available`, async () => {
    await useService(environment.service.url);
    environment.service.script({ blocks: ["at last"] });
    await ask("precious words");
    await window.panel.getByRole("article").getByText("at last").waitFor();
    assert.equal(await window.panel.getByRole("article").getByText("precious words").count(), 1);
  });

  it("asks the question again by itself once the correct key was entered", async () => {
    const button = (name: string) => window.panel.getByRole("button", { name, exact: true });
    environment.service.script({ status: 401, body: "no" }, { blocks: ["welcome"] });
    await ask("Who is there?");
    await alerts()
      .getByText(/needs an API key/)
      .waitFor();
    await button("Set API Key").click();
    await window.answerInput("sk-e2e-right-1234567890");
    await window.panel.getByRole("article").getByText("welcome").waitFor();
    const { authorization } = environment.service.requests.at(-1)?.headers ?? {};
    assert.equal(authorization, "Bearer sk-e2e-right-1234567890");
  });

  describe(`caused by invalid settings ${ALL}`, () => {
    const alert = (text: RegExp) => alerts().filter({ hasText: text }).last();

    before(() => {
      environment.changeSettings({
        "coreChat.baseUrl": "maas.invalid",
        "coreChat.models.llm": "no_such_model",
        "coreChat.llm.temperature": 7,
      });
    });

    it("names them, with a button to the settings", async () => {
      const notice = alert(/coreChat\.llm\.temperature/);
      await notice.getByRole("button", { name: "Open Settings" }).waitFor();
    });

    it("keeps the text if the base URL is not valid", async () => {
      await composer().fill("precious words");
      await composer().press("Enter");
      const notice = alert(/base URL must start with https/);
      await notice.getByRole("button", { name: "Set Base URL" }).click();
      await window.answerInput(environment.service.url);
      await notice.waitFor({ state: "detached" });
      await window.panel.locator("textarea:focus").waitFor();
      assert.equal(await composer().inputValue(), "precious words");
    });

    it("shows the service's message about an unknown model", async () => {
      await composer().press("Enter");
      const notice = alert(/does not know this model.*no_such_model/);
      await notice.getByRole("button", { name: "Set Model ID" }).waitFor();
    });

    it("shows Try again after the model ID was changed", async () => {
      environment.service.script({ blocks: ["settled"] });
      environment.changeSettings({ "coreChat.models.llm": "core_llm" });
      await alert(/^Settings saved\./)
        .getByRole("button", { name: "Try again" })
        .click();
      await window.panel.getByRole("article").getByText("settled").waitFor();
    });
  });
});
