/** Tests the key that sends a question, with Enter and with Ctrl+Enter, and the commands for own keys. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { SendKey } from "../../src/protocol/views";
import { poll, type FakeHost, compose } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { PANEL_SETTINGS } from "../support/fakes/panelSettings";

const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

describe("the send key", () => {
  const openPanel = usePanel();
  const open = (sendKey: SendKey, early?: (page: Page) => Promise<void>) =>
    openPanel({
      shown: { panel: { settings: { ...PANEL_SETTINGS, sendKey } } },
      sendKey,
      ...(early && { early }),
    });
  const asked = (host: FakeHost) => host.receivedOf("question-asked").map(({ text }) => text);

  it("starts a new line with Enter and sends with Ctrl+Enter if the setting says so", async () => {
    const host = await open("ctrlEnter");
    await box(host.page).focus();
    await host.page.keyboard.type("first");
    await host.page.keyboard.press("Enter");
    await host.page.keyboard.type("second");
    await host.page.keyboard.press("Shift+Enter");
    await host.page.keyboard.type("third");
    assert.deepEqual(asked(host), []);
    await host.page.keyboard.press("Control+Enter");
    await host.waitFor("question-asked");
    assert.deepEqual(asked(host), ["first\nsecond\nthird"]);
  });

  for (const [sendKey, name] of [
    ["enter", "Enter"],
    ["ctrlEnter", "Ctrl+Enter"],
  ] as const) {
    it(`names ${name} in the placeholder and in the tooltip, with ${sendKey}`, async () => {
      const host = await open(sendKey);
      const placeholder = await box(host.page).getAttribute("placeholder");
      const text = "# for context, / for prompts";
      assert.equal(placeholder, name === "Enter" ? `Ask, ${text}` : `${name} to ask, ${text}`);
      const send = host.page.getByRole("button", { name: "Send", exact: true });
      assert.equal(await send.getAttribute("title"), `Send (${name})`);
    });

    it(`leaves the keys of an input method alone, with ${sendKey}`, async () => {
      const host = await open(sendKey);
      await box(host.page).focus();
      const client = await compose(host.page, "zhong wen");
      for (const ctrlKey of [false, true]) {
        const of = { key: "Enter", ctrlKey };
        await box(host.page).dispatchEvent("keydown", { ...of, isComposing: true });
        await box(host.page).dispatchEvent("keydown", { ...of, keyCode: 229 });
      }
      await client.send("Input.insertText", { text: "中文" });
      await host.page.keyboard.press(sendKey === "enter" ? "Enter" : "Control+Enter");
      await host.waitFor("question-asked");
      assert.deepEqual(asked(host), ["中文"]);
    });
  }

  it("sends before the panel is built with Ctrl+Enter", async () => {
    const host = await open("ctrlEnter", async (page) => {
      await page.keyboard.type("early");
      await page.keyboard.press("Control+Enter");
    });
    await host.waitFor("question-asked");
    assert.deepEqual(asked(host), ["early"]);
  });

  it("follows a change of the setting while the panel is open", async () => {
    const host = await open("enter");
    await host.show({ panel: { settings: { ...PANEL_SETTINGS, sendKey: "ctrlEnter" } } });
    await host.page.getByPlaceholder("Ctrl+Enter to ask").waitFor();
    await box(host.page).fill("a");
    await box(host.page).press("Enter");
    assert.equal(await box(host.page).inputValue(), "a\n");
  });

  it("sends and breaks lines by the commands that other keys are bound to", async () => {
    const host = await open("enter");
    await box(host.page).fill("ab");
    await box(host.page).press("ArrowLeft");
    await host.send({ type: "composer-command", command: "insert-new-line" });
    await poll(async () => (await box(host.page).inputValue()) === "a\nb", "the line break");
    await host.page.keyboard.press("Control+z");
    assert.equal(await box(host.page).inputValue(), "ab");
    await host.send({ type: "composer-command", command: "send" });
    await host.waitFor("question-asked");
    assert.deepEqual(asked(host), ["ab"]);
  });

  it("sends once if the bound key also sends in the page", async () => {
    const host = await open("enter");
    host.answer = "none";
    await host.show({
      attachments: [{ id: "a1", kind: "file", label: "a.ts", detail: "1" }],
      draft: "why",
    });
    await box(host.page).press("Control+Enter");
    await host.waitFor("question-asked");
    await host.send({ type: "composer-command", command: "send" });
    await host.send({ type: "composer-command", command: "insert-new-line" });
    await poll(async () => (await box(host.page).inputValue()) === "\n", "the last command");
    assert.equal(asked(host).length, 1);
  });

  it("reports when the caret enters and leaves the message box, for key bindings", async () => {
    const host = await open("enter");
    await box(host.page).focus();
    await host.page.keyboard.press("Tab");
    await poll(
      () => host.receivedOf("composer-focus-moved").at(-1)?.isInside === false,
      "the focus to leave",
    );
    assert.equal(host.receivedOf("composer-focus-moved").at(0)?.isInside, true);
  });
});
