/**
 * Tests context added by key, menu, palette, light bulb or "#", from the editor to the service:
 * each addition is a chip in the panel and part of the question. Also tests keeping an inline edit
 * with a click.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

const WORKSPACE = "test/fixtures/sample-workspace";
const FILE = "shop/cart.ts";

describe("asking about the editor's content", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  const lines = readFileSync(`${WORKSPACE}/${FILE}`, "utf8").split("\n");

  before(() => chat.window.openFile("cart.ts"));

  const composer = () => chat.composer();
  const chips = () => chat.chips();
  /** The first line by its text: VS Code uses the elements of lines again, in another order. */
  const first = () => chat.window.editor.locator(".view-line", { hasText: /^export\sinterface/ });

  /** Sends the question; returns its content as the service received it, as text. */
  async function send(question: string): Promise<string> {
    await chat.ask(question);
    await chat.untilQuiet();
    await chips().first().waitFor({ state: "detached" });
    const { messages } = chat.service.requests.at(-1)?.body as {
      messages: { content: unknown }[];
    };
    const content = messages.at(-1)?.content;
    return typeof content === "string" ? content : JSON.stringify(content);
  }

  /** Asserts that the question contains the lines once, with their position. */
  function assertContains(asked: string, count: number): void {
    assert.ok(asked.includes(`${FILE} (lines 1-${count})`), asked);
    assert.equal(asked.split(lines.slice(0, count).join("\n")).length, 2, asked);
  }

  it(`adds the selection with a key and stays in the editor; a second key focuses the message box ${ALL}`, async () => {
    await chat.selectFirstLines(2);
    await chat.chord("Control+k", "b");
    await chips().getByText("cart.ts").waitFor();
    assert.match(await chips().innerText(), /1.?2/);
    assert.ok(
      await chat.window.page.evaluate(
        () => document.activeElement?.closest(".monaco-editor") !== null,
      ),
      "the caret left the editor",
    );
    await chat.chord("Control+k", "a");
    await composer().and(chat.window.panel.locator(":focus")).waitFor();
    assert.equal(await chips().count(), 1, "the same lines are attached once");
    assertContains(await send("What is an item?"), 2);
  });

  it("adds the selection from the editor's context menu", async () => {
    await chat.selectFirstLines(3);
    await chat.window.editor.locator(".view-line").nth(1).click({ button: "right" });
    await chat.window.press("editor/context", "Add Selection");
    await chips().getByText("cart.ts").waitFor();
    assertContains(await send("And from the menu?"), 3);
  });

  it("explains the selection from the light bulb", async () => {
    await chat.selectFirstLines(2);
    await chat.window.press("light bulb", "Explain with Core Chat");
    await chat.service.waitForRequest(1);
    const asked = JSON.stringify(chat.service.requests[0]?.body);
    assert.match(asked, /Explain this code/);
    // The whole declaration, once VS Code's TypeScript extension names it.
    assert.match(asked, /cart\.ts \(lines (?:1-2\)|1-6\), asked about lines 1-2:)/);
    await chat.untilQuiet();
  });

  it("adds the lines that a pasted error names, one by a click and all with Tab", async () => {
    const trace = [
      "TypeError: Cannot read properties of undefined (reading 'priceCents')",
      "    at totalPrice (/app/shop/cart.ts:16:24)",
      "    at receipt (/app/shop/cart.ts:27:30)",
      "    at Object.<anonymous> (/app/shop/cart.test.mjs:5:1)",
      "    at Module._compile (node:internal/modules/cjs/loader:1356:14)",
      "    at next (/app/node_modules/express/lib/router/index.js:12:3)",
    ].join("\n");
    const paste = async (text: string) => {
      await chat.window.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await composer().click();
      await chat.window.page.keyboard.press("Control+V");
    };
    await paste("./shop/cart.ts:16:24");
    while ((await composer().inputValue()) !== "./shop/cart.ts:16:24") await delay(20);
    await composer().fill("");
    await paste(trace);
    await chips().getByText("TypeError · 3 places").waitFor();
    const offered = chat.window.panel.locator(".attachment.is-off");
    await offered.getByText("cart.ts:27").waitFor();
    await offered.getByText("cart.ts:16").click();
    await chips().getByText("cart.ts").waitFor();
    await composer().press("Tab");
    await offered.first().waitFor({ state: "detached" });
    const asked = await send("Why?");
    for (const part of ["let price = item.priceCents", "join(", trace]) {
      assert.ok(asked.includes(part), asked);
    }
  });

  it("adds the terminal selection from the terminal's context menu", async () => {
    // Output can be read from the DOM renderer; the canvas renderer has no text.
    await chat.environment.changeSettings({
      "coreChat.baseUrl": chat.service.url,
      "terminal.integrated.gpuAcceleration": "off",
      "terminal.integrated.profiles.linux": { plain: { path: "/bin/sh" } },
      "terminal.integrated.defaultProfile.linux": "plain",
      "terminal.integrated.shellIntegration.enabled": false,
    });
    await chat.window.runCommand("Terminal: Create New Terminal");
    const terminal = chat.window.page.locator(".terminal-wrapper.active");
    await terminal.locator(".xterm-rows > div").getByText(/\S/).first().waitFor();
    await terminal.click();
    await terminal.locator("textarea:focus").waitFor({ state: "attached" });
    // The typed command does not contain this word; only its output does.
    await chat.window.page.keyboard.type("echo out-of-$((40+2))-cheese");
    await chat.window.page.keyboard.press("Enter");
    const word = terminal.locator(".xterm-rows > div").getByText("out-of-42-cheese");
    await word.waitFor();
    const row = await word.boundingBox();
    assert.ok(row !== null);
    const middle = { x: row.x + 30, y: row.y + row.height / 2 };
    await chat.window.page.mouse.dblclick(middle.x, middle.y);
    await terminal.locator(".xterm-selection > div").first().waitFor();
    await chat.window.page.mouse.click(middle.x, middle.y, { button: "right" });
    await chat.window.press("terminal/context", "Add Terminal Selection to Core Chat");
    await chips().getByText("Terminal", { exact: true }).waitFor();
    const asked = await send("What went wrong there?");
    assert.match(asked, /From the terminal:(\n|\\n)out-of-42-cheese/);
    assert.ok(!asked.includes("echo"), asked);
    await chat.window.runCommand("Terminal: Kill All Terminals");
    // VS Code may have opened a second one with the view, and gives the next one the focus late.
    await chat.window.page.locator(".terminal-wrapper").first().waitFor({ state: "detached" });
  });

  it(`offers a pending edit again after a reload, and discards it ${ALL}`, async () => {
    await chat.selectFirstLines(1);
    chat.service.script({ text: "```ts\nexport interface Reloaded {\n```\n" });
    await chat.chord("Control+k", "h");
    await chat.window.answerBox("rename it");
    await chat.window.editor.getByText("Keep", { exact: true }).waitFor();
    await chat.environment.untilSaved(FILE, "interface Reloaded");
    await chat.window.reload();
    await first().getByText("Reloaded").waitFor();
    // A code lens is plain text until VS Code has resolved its command.
    await chat.window.editor.getByRole("button", { name: "Discard", exact: true }).click();
    await chat.window.editor.getByText("Discard", { exact: true }).waitFor({ state: "detached" });
    await first().getByText("Item").waitFor();
  });

  it("asks for an edit below the lines: several lines, what is sent, earlier texts with Up", async () => {
    const { keyboard } = chat.window.page;
    const field = chat.window.instructionBox.locator(".edit-textarea .monaco-editor.focused");
    await chat.selectFirstLines(2);
    await chat.chord("Control+k", "h");
    await field.waitFor();
    await chat.window.instructionBox.getByText(/shop\/cart\.ts:1-\d+ .*tokens/).waitFor();
    assert.match(
      await chat.window.instructionBox.innerText(),
      /Edit lines 1 to 2 of shop\/cart\.ts/,
    );
    await keyboard.type("first line");
    await keyboard.press("Shift+Enter");
    await keyboard.type("second line");
    await keyboard.press("Escape");
    await chat.window.instructionBox.waitFor({ state: "detached" });
    await chat.chord("Control+k", "h");
    await field.waitFor();
    await keyboard.press("ArrowUp");
    await field.getByText("second line").waitFor();
    chat.service.script({
      text: "```ts\nexport interface Changed {\n  name: string;\n```\n",
    });
    await keyboard.press("Enter");
    await chat.window.editor.getByText("Keep", { exact: true }).waitFor();
    const body = JSON.stringify(chat.service.requests.at(-1)?.body);
    assert.ok(body.includes("first line\\nsecond line"), body);
    await chat.window.editor.getByText("name: string;", { exact: false }).first().waitFor();
    await chat.window.press("code lens", "Discard");
    await chat.window.editor.getByText("Discard", { exact: true }).waitFor({ state: "detached" });
  });

  it("edits the selection in place, keeps the edit with a click, and undoes it with one key", async () => {
    await chat.selectFirstLines(1);
    chat.service.script({ text: "```ts\nexport interface Changed {\n```\n" });
    await chat.chord("Control+k", "h");
    await chat.window.answerBox("rename it");
    await chat.window.page.getByRole("button", { name: "Keep", exact: true }).last().waitFor();
    await first().getByText("Changed").waitFor();
    await chat.window.press("code lens", "Keep");
    await chat.window.editor.getByText("Keep", { exact: true }).waitFor({ state: "detached" });
    await first().click();
    await chat.window.page.keyboard.press("Control+z");
    await first().getByText("Item").waitFor();
  });
});
