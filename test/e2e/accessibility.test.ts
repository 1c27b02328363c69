/**
 * Tests access with screen readers and without a mouse, in a real VS Code: a reply as plain text,
 * the help, and axe violations of the panel in each kind of theme.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { violationsAround } from "../support/browser/axe";

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
  const chat = suiteWithWindow();

  const composer = () => chat.composer();
  const reply = () => chat.replies();
  /** Locates the lines of the active editor; VS Code renders spaces as no-break spaces. */
  const line = (text: string) => chat.window.editor.getByText(text, { exact: true }).first();

  it("opens the last reply as plain text with Alt+F2, also while it streams", async () => {
    chat.service.script({ blocks: [REPLY, { gate: true }, "\nThe end."] });
    await chat.ask("How?");
    await reply().getByText("const a = 1;").waitFor();
    await composer().press("Alt+F2");
    await chat.window.page.getByRole("tab", { name: "Reply.txt" }).waitFor();
    await line("Heading 2: Steps").waitFor();
    await line("1. Open it").waitFor();
    await line("Code, ts:").waitFor();
    await line("The reply is still in progress.").waitFor();
    chat.service.releaseGate();
    await line("The end.").waitFor();
    await line("The reply is still in progress.").waitFor({ state: "detached" });
  });

  it(`opens the help with its keybinding ${ALL}`, async () => {
    // The text of the context meter appears after VS Code knows that the caret is in the chat.
    await chat.environment.changeSettings({
      "coreChat.baseUrl": chat.service.url,
      "coreChat.context.budget": 1_000,
    });
    await composer().fill("word ".repeat(600));
    await chat.window.panel.locator("[role=meter]").waitFor();
    await composer().press("Alt+F1");
    await chat.window.page.getByRole("tab", { name: "Core Chat Accessibility Help.txt" }).waitFor();
    await line("Core Chat: accessibility help").waitFor();
  });

  for (const [theme, mark] of Object.entries(THEMES)) {
    it(`has no axe violations in ${theme} ${ALL}`, async () => {
      await chat.environment.changeSettings({
        "coreChat.baseUrl": chat.service.url,
        "workbench.colorTheme": theme,
      });
      await chat.window.panel.locator(`body.${mark}`).waitFor();
      // The page is transparent, and axe does not see VS Code's background below.
      await chat.window.panel.locator(":root").evaluate(({ style }) => {
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

describe("the message box of a new window", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({ isConnected: false, window: {} });

  it(`sends a question that is typed as soon as it appears ${ALL}`, async () => {
    await chat.environment.changeSettings({ "coreChat.baseUrl": chat.service.url });
    chat.service.script({ blocks: ["At once."] });
    await chat.window.openChatByKeys();
    const text = "Are you there, although the panel is still loading?";
    await chat.window.page.keyboard.type(text, { delay: 30 });
    await chat.window.page.keyboard.press("Enter");
    await chat.questions().getByText(text, { exact: true }).waitFor();
    await chat.replies().getByText("At once.").waitFor();
    await chat.untilQuiet();
  });
});
