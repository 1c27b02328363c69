/** Tests the keys and the menu of a message in a real VS Code: outline, jumps, quotes, what is sent. */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

describe("a conversation of several questions", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    await window.openChat();
    const long = "A line of the answer.\n\n".repeat(40);
    for (const name of ["First", "Second", "Third"]) {
      environment.service.script({
        text: `## About ${name}\n\nThe **sum** of ${name}.\n\n${long}`,
      });
      await ask(`${name} question`);
    }
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const questions = () => window.panel.getByRole("article", { name: "You", exact: true });
  const replies = () => window.panel.getByRole("article", { name: "Assistant", exact: true });
  const lastBody = () => JSON.stringify(environment.service.requests.at(-1)?.body);

  async function ask(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press("Enter");
    await questions().getByText(text).waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  }

  it(`has an outline that opens with its keys and leads to a heading ${ALL}`, async () => {
    await composer().click();
    await window.page.keyboard.press("Control+Shift+O");
    const search = window.panel.getByRole("combobox", { name: "Search the outline" });
    await search.fill("about first");
    await search.press("Enter");
    await search.waitFor({ state: "detached" });
    await window.page.waitForTimeout(300);
    const box = await replies().first().getByText("About First").boundingBox();
    assert.ok(box !== null && box.y > 0 && box.y < 700, JSON.stringify(box));
  });

  it(`is walked through with the keys for questions ${ALL}`, async () => {
    await composer().click();
    for (let count = 0; count < 3; count++) await window.page.keyboard.press("Control+Alt+ArrowUp");
    await window.page.waitForTimeout(300);
    const box = await questions().first().boundingBox();
    assert.ok(box !== null && box.y + box.height > 0, JSON.stringify(box));
  });

  it("has marked text that becomes a quote with the entry of the context menu", async () => {
    const words = replies().first().getByText("The sum of First.");
    await words.scrollIntoViewIfNeeded();
    await words.click({ clickCount: 3 });
    await words.click({ button: "right" });
    await window.chooseInMenu("Ask About This");
    const chips = window.panel.getByRole("list", { name: "Attachments" }).getByRole("listitem");
    await chips.getByText("The sum of First.").waitFor();
    environment.service.script({ blocks: ["It is right."] });
    await ask("Is it right?");
    assert.match(lastBody(), /> The sum of First\./);
  });

  it("sends no message that is left out with its context menu, until its button sends it again", async () => {
    const words = questions().first().getByText("First question");
    const chooseForFirst = async (entry: string) => {
      await words.scrollIntoViewIfNeeded();
      await words.click({ button: "right" });
      await window.chooseInMenu(entry);
    };
    await chooseForFirst("Don't Send Again");
    await questions().first().getByText("not sent").waitFor();
    environment.service.script({ blocks: ["Without."] });
    await ask("Without it?");
    assert.doesNotMatch(lastBody(), /First question/);
    assert.match(lastBody(), /Second question/);
    await questions().first().hover();
    await questions().first().getByRole("button", { name: "Message menu" }).click();
    await window.chooseInMenu("Send Again");
    await questions().first().getByText("not sent").waitFor({ state: "detached" });
    environment.service.script({ blocks: ["With."] });
    await ask("With it?");
    assert.match(lastBody(), /First question/);
  });

  it(`is sent with Ctrl+Enter if the setting says so ${ALL}`, async () => {
    environment.changeSettings({ "coreChat.sendKey": "ctrlEnter" });
    await window.panel.getByPlaceholder(/^Ctrl\+Enter to ask/).waitFor();
    const before = environment.service.requests.length;
    environment.service.script({ blocks: ["Sent."] });
    await composer().fill("By key");
    await composer().press("Enter");
    await composer().press("Control+Enter");
    await environment.service.waitForRequest(before + 1);
    await replies().last().getByText("Sent.").waitFor();
  });
});
