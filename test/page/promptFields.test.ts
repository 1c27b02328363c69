/** Tests the fields of prompts in the message box: `${input:name:hint}`. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsAround } from "../support/browser/axe";
import { poll, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const PORT =
  "Write a ${input:kind:letter or note} to ${input:person} about ${input:topic:the topic}.";
const TWICE = "Rename ${input:old} to ${input:new}; tell me where ${input:old} is used.";
const prompts = [
  { name: "letter", text: PORT },
  { name: "rename", text: TWICE },
];

const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

describe("the fields of a prompt", () => {
  const open = usePanel();

  const selection = (page: Page) =>
    box(page).evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
  const reads = (page: Page, text: string) =>
    poll(async () => (await box(page).inputValue()) === text, `"${text}"`);
  const marked = (page: Page) => page.locator(".field-marks mark").allInnerTexts();

  async function withPrompt(name: string): Promise<FakeHost> {
    const host = await open({ shown: { panel: { prompts } } });
    await box(host.page).pressSequentially(`/${name}`);
    await box(host.page).press("Enter");
    await poll(async () => (await selection(host.page)).startsWith("${input:"), "a field");
    return host;
  }

  it("are marked; typing replaces the selected one and Tab goes to the next", async () => {
    const { page } = await withPrompt("letter");
    assert.deepEqual(await marked(page), [
      "${input:kind:letter or note}",
      "${input:person}",
      "${input:topic:the topic}",
    ]);
    await page.keyboard.type("note");
    await page.keyboard.press("Tab");
    assert.equal(await selection(page), "${input:person}");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type("tea");
    await reads(page, "Write a note to Ada about tea.");
    await poll(async () => (await marked(page)).length === 0, "no marks");
  });

  it("let Tab leave the box after the last one, and before the first one", async () => {
    const { page } = await withPrompt("letter");
    for (let count = 0; count < 3; count++) await page.keyboard.press("Tab");
    assert.equal(await box(page).evaluate((area) => area === document.activeElement), false);
    await box(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
    await box(page).focus();
    await page.keyboard.press("Shift+Tab");
    assert.equal(await box(page).evaluate((area) => area === document.activeElement), false);
  });

  it("have one value for the same name, which Ctrl+Z takes back", async () => {
    const { page } = await withPrompt("rename");
    await page.keyboard.type("walk");
    await page.keyboard.press("Tab");
    await reads(page, "Rename walk to ${input:new}; tell me where walk is used.");
    assert.equal(await selection(page), "${input:new}");
    await page.keyboard.type("stroll");
    await page.keyboard.press("Tab");
    await reads(page, "Rename walk to stroll; tell me where walk is used.");
    await box(page).focus();
    for (let count = 0; count < 40; count++) {
      if ((await box(page).inputValue()) === TWICE) break;
      await page.keyboard.press("Control+z");
    }
    await reads(page, TWICE);
    assert.equal((await marked(page)).length, 3);
  });

  it("are named before sending if they have no value; the second attempt sends", async () => {
    const host = await withPrompt("rename");
    const { page } = host;
    await page.keyboard.type("walk");
    await page.keyboard.press("Enter");
    await page.getByText("Not filled in: new.").waitFor();
    assert.equal(await selection(page), "${input:new}");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await page.keyboard.type("run");
    await page.keyboard.press("Enter");
    const { text } = await host.waitFor("question-asked");
    assert.equal(text, "Rename walk to run; tell me where walk is used.");
  });

  it("are text where the user typed or pasted them, also next to those of a prompt", async () => {
    const host = await withPrompt("rename");
    const { page } = host;
    await page.keyboard.type("walk");
    await page.keyboard.press("Tab");
    await page.keyboard.type("run");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Keep ${input:typed} ");
    await page.keyboard.insertText("and ${input:pasted:x}.");
    await poll(async () => (await box(page).inputValue()).endsWith("x}."), "the text");
    assert.deepEqual(await marked(page), []);
    await page.keyboard.press("Enter");
    const { text } = await host.waitFor("question-asked");
    assert.match(text, /^Rename walk to run.*Keep \$\{input:typed\} and \$\{input:pasted:x\}\.$/);
    await box(page).fill(PORT);
    await page.keyboard.press("Enter");
    assert.equal((await host.waitFor("question-asked", 2)).text, PORT);
  });

  it("are fields in another conversation only if its draft has them", async () => {
    const host = await withPrompt("rename");
    const { fields } = await host.waitFor("draft-changed", host.receivedOf("draft-changed").length);
    assert.deepEqual(fields, ["${input:old}", "${input:new}"]);
    await host.show({ conversationId: "c2", draft: TWICE, panel: { prompts } });
    await reads(host.page, TWICE);
    await poll(async () => (await marked(host.page)).length === 0, "no marks");
    await host.show({ draft: TWICE, fields, panel: { prompts } });
    await poll(async () => (await marked(host.page)).length === 3, "the marks");
  });

  it("are fields again after a reload of the draft", async () => {
    const draft = TWICE.replace("${input:new}", "stroll");
    const host = await open({ shown: { draft, fields: ["${input:old}", "${input:new}"] } });
    const { page } = host;
    await poll(async () => (await marked(page)).length === 2, "two marks");
    await box(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
    await box(page).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("walk");
    await page.keyboard.press("Enter");
    const { text } = await host.waitFor("question-asked");
    assert.equal(text, "Rename walk to stroll; tell me where walk is used.");
  });

  it("have their marks on their words, also when the text wraps and scrolls", async () => {
    const long = `${"A long line of words that wraps. ".repeat(60)}\n\n${PORT}`;
    const fields = PORT.match(/\$\{[^}]*\}/g) ?? [];
    const host = await open({ widthPx: 250, shown: { draft: long, fields } });
    const { page } = host;
    await poll(async () => (await marked(page)).length === 3, "marks");
    await box(page).focus();
    await box(page).evaluate((area: HTMLTextAreaElement) => area.scrollTo(0, area.scrollHeight));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const [area, marks] = await page.evaluate(() =>
      [".composer-text", ".field-marks"].map((selector) => {
        const element = document.querySelector<HTMLElement>(selector)!;
        const { x, y } = element.getBoundingClientRect();
        const { clientWidth, scrollHeight, scrollTop } = element;
        return { x, y, clientWidth, scrollHeight, scrollTop };
      }),
    );
    assert.deepEqual(marks, area);
    assert.deepEqual(await violationsAround(page.locator(".composer")), []);
  });
});
