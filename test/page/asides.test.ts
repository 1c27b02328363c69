/** Questions asked aside: the box below the marked paragraph, its answer, and the mark that stays. */
import assert from "node:assert/strict";
import type { SendKey } from "../../src/protocol/views";
import { PANEL_SETTINGS } from "../support/fakes/panelSettings";
import { violationsAround } from "../support/browser/axe";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const TEXT = "First paragraph with words.\n\nSecond paragraph.\n\n- item one\n- item two";

describe("an aside", () => {
  const open = usePanel();

  async function openReply(sendKey: SendKey = "enter") {
    const messages = [question("q1", "Why?"), reply("r1", TEXT), question("q2", "And?")];
    const panel = { settings: { ...PANEL_SETTINGS, sendKey } };
    const host = await open({ shown: { conversationId: "c1", messages, panel } });
    await host.page.locator("[data-message-id=r1] .reply-body.is-final").waitFor();
    return host;
  }

  /** Marks the text of a paragraph, ends the marking and waits for its bar. */
  async function mark(host: FakeHost, selector: string): Promise<void> {
    await host.page.evaluate((css) => {
      document.getSelection()!.selectAllChildren(document.querySelector(css)!);
      document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
    }, `[data-message-id=r1] .reply-body ${selector}`);
    await host.page.locator(".quote-bar").waitFor();
  }

  const boxesOf = (host: FakeHost) =>
    host.page.evaluate(() => {
      const rectOf = (css: string) => document.querySelector(css)!.getBoundingClientRect();
      const [first, second] = document.querySelectorAll("[data-message-id=r1] .reply-body > p");
      const group = rectOf(".aside-group");
      return {
        isBelow: group.top >= first!.getBoundingClientRect().bottom,
        isAbove: group.bottom <= second!.getBoundingClientRect().top,
        isInside: group.left >= 0 && group.right <= innerWidth,
      };
    });

  /** The box follows a change of its size in the next frame, see `AsideGroup`. */
  const waitUntilPlaced = (host: FakeHost) =>
    poll(
      async () => Object.values(await boxesOf(host)).every(Boolean),
      "a box between its paragraph and the next one, inside the panel",
    );

  function answered(text: string, isStreaming = false) {
    const quoted = { messageId: "r1", start: 0, end: 27, isThinking: false };
    const chips = [
      { kind: "quote" as const, label: "“First paragraph”", detail: "Reply 1", quoted },
    ];
    const view = reply("a-r", text, { isStreaming });
    return { id: "a", messageId: "r1", text: "Why `so`?", chips, quoted, reply: view };
  }

  for (const [sendKey, sends, breaksLine] of [
    ["enter", "Enter", "Shift+Enter"],
    ["ctrlEnter", "Control+Enter", "Enter"],
  ] as const) {
    it(`is asked in a box below the marked paragraph, by keys alone (${sendKey})`, async () => {
      const host = await openReply(sendKey);
      await mark(host, "p");
      await host.page.keyboard.press("Alt+Shift+KeyQ");
      const box = host.page.getByRole("textbox", { name: "Question about the quote" });
      await box.waitFor();
      await waitUntilPlaced(host);
      await host.page.keyboard.type("Why");
      await host.page.keyboard.press(breaksLine);
      await host.page.keyboard.type("so?");
      await waitUntilPlaced(host);
      assert.deepEqual(await violationsAround(box), []);
      await host.page.keyboard.press(sends);
      const asked = await host.waitFor("aside-asked");
      assert.deepEqual(
        [asked.messageId, asked.text, asked.quote?.text],
        ["r1", "Why\nso?", "> First paragraph with words."],
      );
      assert.deepEqual(host.receivedOf("question-asked"), []);
      await host.page.keyboard.press(sends);
      assert.equal(host.receivedOf("aside-asked").length, 1, "asked once");
    });
  }

  it("keeps what was typed when the page is loaded again", async () => {
    const host = await openReply();
    await mark(host, "p");
    await host.page.keyboard.press("Alt+Shift+KeyQ");
    const box = host.page.getByRole("textbox", { name: "Question about the quote" });
    await box.fill("Why is it so, and not the other way round?");
    await host.page.reload();
    await host.show({
      conversationId: "c1",
      messages: [question("q1", "Why?"), reply("r1", TEXT), question("q2", "And?")],
    });
    await box.waitFor();
    assert.equal(await box.inputValue(), "Why is it so, and not the other way round?");
    await box.press("Enter");
    const { text, quote } = await host.waitFor("aside-asked");
    assert.deepEqual(
      [text, quote?.text],
      ["Why is it so, and not the other way round?", "> First paragraph with words."],
    );
  });

  it("is closed by Escape while it is empty, and nothing is asked", async () => {
    const host = await openReply();
    await mark(host, "p");
    await host.page.getByRole("button", { name: "Ask aside" }).click();
    await host.page.getByRole("textbox", { name: "Question about the quote" }).waitFor();
    await host.page.keyboard.press("Escape");
    await host.page.locator(".aside-group").waitFor({ state: "detached" });
    assert.equal(await host.page.locator(".has-aside").count(), 0);
    assert.deepEqual(host.receivedOf("aside-asked"), []);
  });

  it("is a mark at its line, and shows its answer below the paragraph", async () => {
    const host = await openReply();
    await host.send({ type: "asides-shown", asides: [answered("Because **of** it.")] });
    const toggle = host.page.getByRole("button", { name: "1 aside" });
    await toggle.waitFor();
    assert.equal(await toggle.getAttribute("aria-expanded"), "false");
    await waitUntilPlaced(host);
    await toggle.click();
    const group = host.page.getByRole("group", {
      name: "Aside about “First paragraph”: Why `so`?",
    });
    await group.locator("strong").waitFor();
    assert.equal(await group.locator(".aside-question code").count(), 1);
    await waitUntilPlaced(host);
    assert.deepEqual(await violationsAround(group), []);
  });

  /** Distances in pixels from the end of an element to the box, and from the box to the next text. */
  const gapsOf = (host: FakeHost, messageId: string, before: string, after: string) =>
    host.page.evaluate(
      ([id, ...words]) => {
        const article = document.querySelector(`[data-message-id=${id}]`)!;
        const rects = words.map((word) => {
          const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
            const at = node.data.indexOf(word);
            if (at < 0 || node.parentElement!.closest(".aside-group")) continue;
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            break;
          }
          return range.getBoundingClientRect();
        });
        const group = article.querySelector(".aside-group")?.getBoundingClientRect();
        return group ? [group.top - rects[0]!.bottom, rects[1]!.top - group.bottom] : [];
      },
      [messageId, before, after] as const,
    );

  const waitUntilBetween = (host: FakeHost, id: string, before: string, after: string) =>
    poll(async () => {
      const [above = -1, below = -1] = await gapsOf(host, id, before, after);
      return above >= 0 && above < 30 && below >= 0;
    }, `a box between "${before}" and "${after}"`);

  it("about thinking is below the marked paragraph, and below the line of closed thinking", async () => {
    const text = "First **idea**.\n\nSecond idea.\n\nThird idea.";
    const thinking = { text, durationMs: 2000, isOngoing: false };
    const messages = [question("q1", "Why?"), reply("r1", "The answer.", { thinking })];
    const host = await open({ widthPx: 250, shown: { conversationId: "c1", messages } });
    const toggle = host.page.locator(".thinking-toggle");
    const start = "First idea.Second".length - 6;
    const quoted = { messageId: "r1", start, end: start + 6, isThinking: true };
    await host.page.getByText("The answer.").waitFor();
    await host.send({ type: "asides-shown", asides: [{ ...answered("Because."), quoted }] });
    await waitUntilBetween(host, "r1", "Thought for 2 s", "The answer.");
    await toggle.click();
    await host.page.locator(".thinking-body strong").waitFor();
    await waitUntilBetween(host, "r1", "Second idea.", "Third idea.");
    await host.page.locator(".aside-mark").click();
    await host.page.getByText("Because.").waitFor();
    await waitUntilBetween(host, "r1", "Second idea.", "Third idea.");
    await toggle.click();
    await waitUntilBetween(host, "r1", "Thought for 2 s", "The answer.");
  });

  it("about the hidden end of a long question is below what is shown, then below its paragraph", async () => {
    const text = Array.from({ length: 20 }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    const messages = [question("q1", text), reply("r1", "The answer.")];
    const host = await open({ shown: { conversationId: "c1", messages } });
    const start = text.indexOf("Paragraph 15");
    const quoted = { messageId: "q1", start, end: start + 12, isThinking: false };
    await host.page.getByText("The answer.").waitFor();
    const aside = { ...answered("Because."), messageId: "q1", quoted };
    await host.send({ type: "asides-shown", asides: [aside] });
    const more = host.page.getByRole("button", { name: "Show more" });
    await poll(async () => {
      const [group, toggle, shown] = await Promise.all([
        host.page.locator(".aside-group").boundingBox(),
        more.boundingBox(),
        host.page.locator(".question-text").boundingBox(),
      ]);
      return group!.y >= shown!.y + shown!.height && group!.y + group!.height <= toggle!.y;
    }, "the mark between the text and Show more");
    await more.click();
    await waitUntilBetween(host, "q1", "Paragraph 15.", "Paragraph 16.");
  });

  it("has the focus: in its box after Enter, on its mark after Escape, on its message after Remove", async () => {
    const host = await openReply();
    const focused = () =>
      host.page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.ariaLabel ?? activeElement?.getAttribute("data-message-id") ?? "";
      });
    const untilFocused = (name: string) => poll(async () => (await focused()) === name, name);
    await mark(host, "p");
    await host.page.keyboard.press("Alt+Shift+KeyQ");
    const box = host.page.getByRole("textbox", { name: "Question about the quote" });
    await box.fill("Why so?");
    await host.page.getByRole("group", { name: "Ask aside about First paragraph" }).waitFor();
    await box.press("Enter");
    const { asideId } = await host.waitFor("aside-asked");
    await host.send({ type: "asides-shown", asides: [{ ...answered("", true), id: asideId }] });
    await untilFocused("Aside about “First paragraph”: Why `so`?");
    await host.send({ type: "message-changed", message: answered("").reply });
    await host.page.keyboard.press("Escape");
    await untilFocused("1 aside about “First paragraph”");
    assert.equal(await host.page.locator(".aside-box").count(), 0);
    assert.deepEqual(host.receivedOf("stop-asked"), []);
    await host.page.keyboard.press("Enter");
    await host.page.getByRole("button", { name: "Remove" }).focus();
    await host.page.keyboard.press("Enter");
    await host.waitFor("aside-removed");
    await host.send({ type: "asides-shown", asides: [] });
    await untilFocused("Assistant");
    assert.equal(
      await host.page.evaluate(() => document.activeElement?.getAttribute("data-message-id")),
      "r1",
    );
    await host.send({ type: "asides-shown", asides: [answered("Because.")] });
    await host.page.locator(".aside-mark").click();
    await host.page.getByRole("button", { name: "Add to conversation" }).press("Enter");
    await host.waitFor("aside-joined");
    await host.send({
      type: "messages-shown",
      messages: [question("a", "Why so?"), reply("a-r", "Because.")],
    });
    await host.send({ type: "asides-shown", asides: [] });
    await poll(
      () =>
        host.page.evaluate(() => document.activeElement?.getAttribute("data-message-id") === "a"),
      "the question that was added",
    );
  });

  it("keeps its question visible while a long answer arrives, and folds after it", async () => {
    const messages = [
      question("q1", "Why?"),
      reply("r1", "First paragraph\n\nSecond.\n\n".repeat(9)),
    ];
    const host = await open({ heightPx: 500, shown: { conversationId: "c1", messages } });
    const quoted = { messageId: "r1", start: 150, end: 180, isThinking: false };
    await host.page.getByText("Second.").last().waitFor();
    await host.send({ type: "asides-shown", asides: [{ ...answered("", true), quoted }] });
    const mark = host.page.getByRole("button", { name: "1 aside" });
    await mark.click();
    let whole = "";
    for (let count = 0; count < 12; count += 1) {
      const text = `Paragraph ${count}.\n\n`;
      await host.send({ type: "turn-delta", messageId: "a-r", offset: whole.length, text });
      whole += text;
    }
    await host.page.getByText("Paragraph 11.").waitFor();
    await host.send({ type: "message-changed", message: answered(whole).reply });
    const fold = host.page.getByRole("button", { name: "Fold" });
    await poll(async () => {
      const [log, top, bottom] = await Promise.all([
        host.page.getByRole("log").boundingBox(),
        mark.boundingBox(),
        fold.boundingBox(),
      ]);
      if (log === null || top === null || bottom === null) return false;
      return top.y >= log.y && top.y < log.y + 40 && bottom.y > log.y + log.height;
    }, "the mark at the top, the end below the edge");
    await fold.click();
    await mark.and(host.page.locator(":focus")).waitFor();
    assert.equal(await mark.getAttribute("aria-expanded"), "false");
  });

  it("streams, stops, is copied, added and removed", async () => {
    const host = await openReply();
    await host.send({ type: "asides-shown", asides: [answered("", true)] });
    await host.page.getByRole("button", { name: "1 aside" }).click();
    await host.send({ type: "turn-delta", messageId: "a-r", offset: 0, text: "Because " });
    const group = host.page.getByRole("group", {
      name: "Aside about “First paragraph”: Why `so`?",
    });
    await group.getByText("Because").waitFor();
    await group.getByRole("button", { name: "Stop" }).click();
    assert.equal((await host.waitFor("aside-stopped")).asideId, "a");
    const { reply: ended } = answered("", false);
    await host.send({ type: "message-changed", message: ended });
    await group.getByRole("button", { name: "Copy" }).click();
    assert.equal((await host.waitFor("copy-asked")).messageId, "a-r");
    await group.getByRole("button", { name: "Add to conversation" }).click();
    assert.equal((await host.waitFor("aside-joined")).asideId, "a");
    await group.getByRole("button", { name: "Remove" }).click();
    assert.equal((await host.waitFor("aside-removed")).asideId, "a");
    await host.send({ type: "asides-shown", asides: [] });
    await group.waitFor({ state: "detached" });
    assert.equal(await host.page.locator(".has-aside").count(), 0);
  });

  it("is no part of the message's text: a quote after it has the same place", async () => {
    const host = await openReply();
    await host.send({ type: "asides-shown", asides: [answered("Because of it.")] });
    await host.page.getByRole("button", { name: "1 aside" }).click();
    await host.page
      .getByRole("group", { name: "Aside about “First paragraph”: Why `so`?" })
      .waitFor();
    await mark(host, "p + p");
    await host.page.keyboard.press("Alt+KeyQ");
    const { quoted, text } = await host.waitFor("quote-added");
    assert.equal(text, "> Second paragraph.");
    assert.equal(quoted.end - quoted.start, "Second paragraph.".length);
    // Text of the aside itself is not text of the message.
    await host.page.evaluate(() => {
      document.getSelection()!.selectAllChildren(document.querySelector(".aside-question")!);
      document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
    });
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await host.page.locator(".quote-bar").count(), 0);
  });
});
