/**
 * What a person sees when something is wrong: one sentence, one action, and nothing typed is lost.
 */
import assert from "node:assert/strict";
import { Desk } from "../support/e2e/window";
import type { Workbench } from "../support/workbench.mjs";

describe("a person meets a failure", function () {
  this.timeout(120_000);
  let desk: Desk;
  let window: Workbench;

  before(async () => {
    desk = await Desk.open({ settings: { "coreChat.retries": 0 } });
    window = await desk.openWindow();
    await window.openChat();
  });
  after(() => desk.close());
  beforeEach(() => desk.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const alerts = () => window.panel.getByRole("alert");

  async function ask(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press("Enter");
  }

  /** The last alert has this text and at most one button, named as given. */
  async function expectNotice(text: RegExp, action: string | undefined): Promise<void> {
    const alert = alerts().filter({ hasText: text }).last();
    await alert.waitFor();
    const buttons = await alert.getByRole("button").allInnerTexts();
    assert.deepEqual(
      buttons.map((name) => name.trim()),
      action === undefined ? [] : [action],
    );
  }

  function useService(baseUrl: string): void {
    desk.changeSettings({ "coreChat.baseUrl": baseUrl });
  }

  async function untilServiceIs(text: string): Promise<void> {
    await window.panel.getByText(text).first().waitFor();
  }

  it("without a service: the words stay, and the way there is offered", async () => {
    await ask("precious words");
    await expectNotice(/No service is set/, "Set Base URL");
    assert.equal(await composer().inputValue(), "precious words");
  });

  it("without a key", async () => {
    useService("https://maas.invalid");
    await untilServiceIs("https://maas.invalid");
    await ask("precious words");
    await expectNotice(/no API key for https:\/\/maas\.invalid/, "Set API Key");
    assert.equal(await composer().inputValue(), "precious words");
  });

  it("with a base URL that is none", async () => {
    useService("maas.invalid");
    await untilServiceIs("The base URL");
    await ask("precious words");
    await expectNotice(/base URL has no https/, "Set Base URL");
    assert.equal(await composer().inputValue(), "precious words");
  });

  it("with a host that nobody listens on: the words come back", async () => {
    useService("http://127.0.0.1:9");
    await untilServiceIs("http://127.0.0.1:9");
    await ask("precious words");
    await expectNotice(/127\.0\.0\.1:9 refused the connection/, "Try again");
    assert.equal(await composer().inputValue(), "precious words");
  });

  const cases: [string, RegExp, string | undefined][] = [
    ["status-401", /key was refused/, "Set API Key"],
    ["status-401-html", /key was refused/, "Set API Key"],
    ["status-404", /Nothing was found at/, "Set Base URL"],
    ["status-413", /too large/, undefined],
    ["always-503", /service is failing \(503\)/, "Try again"],
    ["html-200", /sent a web page, not a reply/, "Set Base URL"],
    ["empty-200", /Empty reply/, "Try again"],
    ["cut-clean", /reply was cut off.*What arrived is kept/, "Continue"],
  ];
  for (const [fault, text, action] of cases) {
    it(`when the service does "${fault}", and the next question works`, async () => {
      useService(desk.service.url);
      if ((await window.panel.getByRole("article").count()) === 0) {
        await untilServiceIs(desk.service.url);
      }
      await window.runCommand("Core Chat: New Conversation");
      await ask(`/fault ${fault}`);
      await expectNotice(text, action);
      desk.service.script({ blocks: ["works again"] });
      await ask("And now?");
      await window.panel.getByText("works again").waitFor();
    });
  }

  it("with a model the service does not know", async () => {
    desk.changeSettings({ "coreChat.models.llm": "no_such_model" });
    await window.panel
      .getByRole("option", { name: "no_such_model" })
      .waitFor({ state: "attached" });
    await ask("Who are you?");
    await expectNotice(/rejected the request \(400\).*no_such_model/, "Try again");
    desk.changeSettings({ "coreChat.models.llm": "core_llm" });
  });

  it("with a setting that cannot be used, which is named", async () => {
    desk.changeSettings({ "coreChat.llm.temperature": 7 });
    await expectNotice(/coreChat\.llm\.temperature/, "Open Settings");
  });
});
