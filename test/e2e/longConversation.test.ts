/** Tests the keys and the menu of a message in a real VS Code: outline, jumps, quotes, what is sent. */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

describe("a conversation of several questions", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();

  before(async () => {
    const long = "A line of the answer.\n\n".repeat(40);
    for (const name of ["First", "Second", "Third"]) {
      const text = `## About ${name}\n\nThe **sum** of ${name}.\n\n${long}`;
      await chat.askToEnd(text, `${name} question`);
    }
  });

  const composer = () => chat.composer();

  it(`has an outline that opens with its keys and leads to a heading ${ALL}`, async () => {
    await composer().click();
    await chat.window.page.keyboard.press("Control+Shift+O");
    const search = chat.window.panel.getByRole("combobox", { name: "Search the outline" });
    await search.fill("about first");
    await search.press("Enter");
    await search.waitFor({ state: "detached" });
    await chat.window.page.waitForTimeout(300);
    const box = await chat.replies().first().getByText("About First").boundingBox();
    assert.ok(box !== null && box.y > 0 && box.y < 700, JSON.stringify(box));
  });

  it(`is walked through with the keys for questions ${ALL}`, async () => {
    await composer().click();
    for (let count = 0; count < 3; count++)
      await chat.window.page.keyboard.press("Control+Alt+ArrowUp");
    await chat.window.page.waitForTimeout(300);
    const box = await chat.questions().first().boundingBox();
    assert.ok(box !== null && box.y + box.height > 0, JSON.stringify(box));
  });

  it(`is sent with Ctrl+Enter if the setting says so ${ALL}`, async () => {
    chat.environment.changeSettings({ "coreChat.sendKey": "ctrlEnter" });
    await chat.window.panel.getByPlaceholder(/^Ctrl\+Enter to ask/).waitFor();
    const before = chat.service.requests.length;
    chat.service.script({ blocks: ["Sent."] });
    await composer().fill("By key");
    await composer().press("Enter");
    await composer().press("Control+Enter");
    await chat.service.waitForRequest(before + 1);
    await chat.replies().last().getByText("Sent.").waitFor();
  });
});
