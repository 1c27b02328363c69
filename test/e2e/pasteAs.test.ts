/**
 * Tests "Paste As…" with a picture on the clipboard of a real VS Code: one request after a kind was
 * chosen, only the thing itself is inserted, and one undo removes it.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { madePng } from "../support/pictures/madePng";
import type { Workbench } from "../support/vscode/workbench.mjs";

const TABLE = "| Part | Price |\n| --- | --- |\n| Bolt | 0.20 |\n";

describe("Paste As with a picture", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    for (const name of ["parts.md", "parts.csv", "plain.md"]) {
      writeFileSync(join(environment.workspace, name), "");
    }
    window = await environment.openWindow();
    await window.openChat();
  });
  after(() => environment.close());
  beforeEach(() => environment.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  /** Opens an empty file and chooses a kind of "Paste As" for a picture on the clipboard. */
  async function pasteAs(file: string, kind: string): Promise<void> {
    await window.openFile(file);
    await window.editor.click();
    // A browser does not let VS Code paste a picture by a command, so the event is dispatched while the
    // command waits for the clipboard.
    const png = madePng(120, 80).toString("base64");
    await window.page.evaluate((base64) => {
      navigator.clipboard.readText = () => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], "shot.png", { type: "image/png" }));
        const event = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new ClipboardEvent("paste", event));
        return Promise.resolve("");
      };
    }, png);
    await window.runCommand("Paste As...");
    const option = window.quickInput.getByRole("option", { name: kind });
    await option.waitFor({ timeout: 15_000 });
    // A tooltip of the list can lie over the option.
    await window.quickInput.locator("input.input").fill(kind);
    await window.page.keyboard.press("Enter");
  }

  it("inserts the table alone, in the form of the document, and one undo removes it", async () => {
    const { service } = environment;
    service.script({ blocks: ["Here is the table:\n\n", TABLE, "\nAnything else?"] });
    await pasteAs("parts.md", "Picture as Table");
    await environment.untilSaved("parts.md", TABLE);
    assert.equal(readFileSync(join(environment.workspace, "parts.md"), "utf8"), TABLE);
    const [request, ...others] = service.requests;
    assert.deepEqual(others, []);
    assert.equal((request?.body as { model: string }).model, "core_vl");
    assert.deepEqual(
      request?.pictures.map(({ widthPx, heightPx }) => [widthPx, heightPx]),
      [[120, 80]],
    );
    await window.editor.click();
    await window.page.keyboard.press("Control+Z");
    await window.editor.getByText("Bolt").waitFor({ state: "detached" });
    service.script({ blocks: [TABLE] });
    await pasteAs("parts.csv", "Picture as Table");
    await environment.untilSaved("parts.csv", "Part,Price\nBolt,0.20\n");
  });

  it("sends nothing for a normal paste", async () => {
    await window.openFile("plain.md");
    await window.putPictureOnClipboard(madePng(120, 80));
    await window.editor.click();
    await window.page.keyboard.press("Control+V");
    // VS Code's own edit for Markdown.
    await environment.untilSaved("plain.md", "![");
    assert.deepEqual(environment.service.requests, []);
  });

  it("stops with Escape and inserts nothing", async () => {
    const { service } = environment;
    service.script({ blocks: ["```\nint", { gate: true }, " a;\n```"] });
    writeFileSync(join(environment.workspace, "stop.c"), "");
    await pasteAs("stop.c", "Picture as Code");
    while (service.requests.length === 0) await window.page.waitForTimeout(50);
    await window.page.keyboard.press("Escape");
    while (service.requests[0]?.closedByClientAtMs === undefined) {
      await window.page.waitForTimeout(50);
    }
    assert.equal(readFileSync(join(environment.workspace, "stop.c"), "utf8"), "");
  });
});
