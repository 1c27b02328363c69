/** Tests Up and Down in the message box, which walk through earlier questions as a shell does. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const messages = [
  question("q1", "first"),
  reply("r1", "1"),
  question("q2", "second\nline"),
  reply("r2", "2"),
  question("q3", "third"),
  reply("r3", "3"),
];
const DRAFT = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");

describe("Up and Down in the message box", () => {
  const open = usePanel();

  const opened = async (draft = "") => {
    const host = await open({ shown: { messages, draft } });
    await box(host.page).focus();
    return host;
  };
  const reads = (host: FakeHost, text: string) =>
    poll(async () => (await box(host.page).inputValue()) === text, `"${text.slice(0, 20)}"`);
  /** Waits until a key that does nothing would have done something. */
  const settled = (host: FakeHost) =>
    host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
  const caretTo = (host: FakeHost, at: number, end = at) =>
    box(host.page).evaluate(
      (area: HTMLTextAreaElement, range) => area.setSelectionRange(...range),
      [at, end] as [number, number],
    );

  it("show earlier questions, count them and bring the draft back", async () => {
    const host = await opened("my draft");
    const status = host.page.getByRole("status").filter({ hasText: "Question" });
    await caretTo(host, 0);
    const { keyboard } = host.page;
    await keyboard.press("ArrowUp");
    await reads(host, "third");
    await status.getByText("Question 3 of 3").waitFor();
    await caretTo(host, 0);
    await keyboard.press("ArrowUp");
    await reads(host, "second\nline");
    await caretTo(host, 0);
    await keyboard.press("ArrowUp");
    await reads(host, "first");
    await status.getByText("Question 1 of 3").waitFor();
    await keyboard.press("ArrowUp"); // There is no earlier question.
    for (const text of ["second\nline", "third", "my draft"]) {
      await box(host.page).press("Control+End");
      await keyboard.press("ArrowDown");
      await reads(host, text);
    }
    assert.equal(await status.count(), 0);
    assert.deepEqual(host.receivedOf("editing-changed")[0], {
      type: "editing-changed",
      conversationId: "c1",
      messageId: "q3",
      parkedText: "my draft",
      text: "third",
      isRecalled: true,
    });
  });

  it("only move the caret in a draft of 400 words that wraps", async () => {
    const host = await opened(DRAFT);
    await box(host.page).press("Control+End");
    const { keyboard } = host.page;
    const caret = () => box(host.page).evaluate((area: HTMLTextAreaElement) => area.selectionStart);
    const end = await caret();
    for (let count = 0; count < 3; count += 1) await keyboard.press("ArrowUp");
    await settled(host);
    assert.ok((await caret()) < end);
    await reads(host, DRAFT);
    assert.equal(host.receivedOf("editing-changed").length, 0);
  });

  it("do nothing with a selection, a modifier or an open list", async () => {
    const host = await opened("some text");
    const { keyboard } = host.page;
    await caretTo(host, 0, 4);
    await keyboard.press("ArrowUp");
    await caretTo(host, 0);
    for (const key of ["Shift+ArrowUp", "Control+ArrowUp", "Alt+ArrowUp"]) {
      await keyboard.press(key);
      await caretTo(host, 0);
    }
    await settled(host);
    await reads(host, "some text");
    assert.equal(host.receivedOf("editing-changed").length, 0);
  });

  it("end with any typing; the draft that was set aside is one button away", async () => {
    const host = await opened(DRAFT);
    await caretTo(host, 0);
    const { keyboard, page } = { keyboard: host.page.keyboard, page: host.page };
    await keyboard.press("ArrowUp");
    await reads(host, "third");
    await box(page).press("Control+End");
    await keyboard.type("!");
    await keyboard.press("ArrowDown");
    await keyboard.press("Escape");
    await settled(host);
    await reads(host, "third!");
    await page.getByRole("button", { name: "Restore draft" }).click();
    await reads(host, DRAFT);
    const ended = host.receivedOf("editing-changed").at(-1);
    assert.deepEqual(ended, {
      type: "editing-changed",
      conversationId: "c1",
      text: DRAFT,
      keepsOther: true,
    });
    const types = host.received.map(({ type }) => type);
    assert.ok(types.lastIndexOf("draft-changed") < types.lastIndexOf("editing-changed"));
  });

  it("send the recalled text as a new question, then the draft is back", async () => {
    const host = await opened("my draft");
    await caretTo(host, 0);
    await host.page.keyboard.press("ArrowUp");
    await reads(host, "third");
    await host.page.keyboard.press("Enter");
    assert.deepEqual(await host.waitFor("question-asked"), {
      type: "question-asked",
      text: "third",
    });
    await reads(host, "my draft");
  });

  it("go on after a reload of the page", async () => {
    const editing = { messageId: "q2", parkedText: DRAFT, isRecalled: true };
    const host = await open({ shown: { messages, draft: "second\nline", editing } });
    await host.page.getByText("Question 2 of 3").waitFor();
    await box(host.page).press("Control+End");
    await host.page.keyboard.press("ArrowDown");
    await reads(host, "third");
    await host.page.keyboard.press("ArrowDown");
    await reads(host, DRAFT);
  });

  it("give back a draft that the host had not saved when it was killed", async () => {
    const host = await opened("old");
    await box(host.page).fill(DRAFT);
    await caretTo(host, 0);
    await host.page.keyboard.press("ArrowUp");
    await reads(host, "third");
    host.willShow({ messages, draft: "old" }); // The host on disk has neither.
    await host.page.reload();
    await reads(host, DRAFT);
  });
});
