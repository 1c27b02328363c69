/**
 * Tests access with screen readers and without a mouse, in a real VS Code: a reply as plain text,
 * the help, and axe violations of the panel in each kind of theme.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { violationsAround } from "../support/browser/axe";
import type { Workbench } from "../support/vscode/workbench.mjs";

const REPLY = "## Steps\n\n1. **Open** it\n\n```ts\nconst a = 1;\n```\n";

/**
 * A theme of each kind that both the newest and the oldest VS Code have, and its class in a page.
 */
const THEMES = {
  "Visual Studio Dark": "vscode-dark",
  "Visual Studio Light": "vscode-light",
  "Default High Contrast": "vscode-high-contrast",
  "Default High Contrast Light": "vscode-high-contrast-light",
};

describe("accessibility in VS Code", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const reply = () => window.panel.getByRole("article", { name: "Assistant", exact: true });
  /** Locates the lines of the active editor; VS Code renders spaces as no-break spaces. */
  const line = (text: string) => window.editor.getByText(text, { exact: true }).first();

  it("sends a question that is typed as soon as the message box appears", async () => {
    environment.service.script({ blocks: ["At once."] });
    await window.openChatByKeys();
    const text = "Are you there, although the panel is still loading?";
    await window.page.keyboard.type(text, { delay: 30 });
    await window.page.keyboard.press("Enter");
    const question = window.panel.getByRole("article", { name: "You", exact: true });
    await question.getByText(text, { exact: true }).waitFor();
    await reply().getByText("At once.").waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  });

  it("opens the last reply as plain text with Alt+F2, also while it streams", async () => {
    environment.service.script({ blocks: [REPLY, { gate: true }, "\nThe end."] });
    await composer().fill("How?");
    await composer().press("Enter");
    await reply().getByText("const a = 1;").waitFor();
    await composer().press("Alt+F2");
    await window.page.getByRole("tab", { name: "Reply.txt" }).waitFor();
    await line("Heading 2: Steps").waitFor();
    await line("1. Open it").waitFor();
    await line("Code, ts:").waitFor();
    await line("The reply is still in progress.").waitFor();
    environment.service.releaseGate();
    await line("The end.").waitFor();
    await line("The reply is still in progress.").waitFor({ state: "detached" });
  });

  it(`opens the clicked reply ${ALL}`, async () => {
    environment.service.script({ blocks: ["Another one."] });
    await composer().fill("And?");
    await composer().press("Enter");
    await reply().getByText("Another one.").waitFor();
    await window.runCommand("View: Close All Editors");
    await reply().nth(1).getByText("Steps").click({ button: "right" });
    await window.chooseInMenu("Open Reply as Text");
    await line("Heading 2: Steps").waitFor();
  });

  it(`opens the help with its keybinding ${ALL}`, async () => {
    // The text of the context meter appears after VS Code knows that the caret is in the chat.
    environment.changeSettings({
      "coreChat.baseUrl": environment.service.url,
      "coreChat.context.budget": 1_000,
    });
    await composer().fill("word ".repeat(600));
    await window.panel.locator("[role=meter]").waitFor();
    await composer().press("Alt+F1");
    await window.page.getByRole("tab", { name: "Core Chat Accessibility Help.txt" }).waitFor();
    await line("Core Chat: accessibility help").waitFor();
  });

  for (const [theme, mark] of Object.entries(THEMES)) {
    it(`has no axe violations in ${theme} ${ALL}`, async () => {
      environment.changeSettings({
        "coreChat.baseUrl": environment.service.url,
        "workbench.colorTheme": theme,
      });
      await window.panel.locator(`body.${mark}`).waitFor();
      // The page is transparent, and axe does not see VS Code's background below.
      await window.panel.locator(":root").evaluate(({ style }) => {
        style.background = "var(--vscode-sideBar-background)";
      });
      // The colors of the code change a moment after those of the page.
      for (const deadline = Date.now() + 15_000; ;) {
        const violations = await violationsAround(composer());
        if (violations.length > 0 && Date.now() < deadline) continue;
        assert.deepEqual(violations, []);
        break;
      }
    });
  }
});
