/** Tests the setting for the size of the text. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { poll, question, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { PANEL_SETTINGS } from "../support/fakes/panelSettings";

const sizeOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));

describe("the text size", () => {
  const open = usePanel();
  const messages = [question("q1", "Why?"), reply("r1", "Text `code`\n\n```ts\nlet a = 1;\n```")];
  const SELECTORS = ["textarea", "article p", "article p code", "article pre"];

  it("enlarges text and code in proportion, and goes back to the size of VS Code", async () => {
    const { page } = await open({ shown: { messages } });
    await page.locator("article pre").waitFor();
    const read = () => Promise.all(SELECTORS.map((selector) => sizeOf(page, selector)));
    const normal = await read();
    assert.deepEqual([normal[0], normal.at(-1)], [13, 14], "sizes of VS Code's text and code");
    const settings = { ...PANEL_SETTINGS, fontSize: 26 };
    const large = await open({ shown: { messages, panel: { settings } } });
    await large.page.locator("article pre").waitFor();
    const sizes = await Promise.all(SELECTORS.map((selector) => sizeOf(large.page, selector)));
    assert.deepEqual(
      sizes,
      normal.map((size) => size * 2),
    );
    await large.show({ messages });
    await poll(async () => (await sizeOf(large.page, "textarea")) === 13, "the size of VS Code");
  });
});
