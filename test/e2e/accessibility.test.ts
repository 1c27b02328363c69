/**
 * Tests access with screen readers and without a mouse, in a real VS Code: a reply as plain text,
 * and the help.
 */
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

const REPLY = "## Steps\n\n1. **Open** it\n\n```ts\nconst a = 1;\n```\n";

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
});
