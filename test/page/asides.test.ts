/** Questions asked aside: the box below the marked paragraph, its answer, and the mark that stays. */
import assert from "node:assert/strict";
import { violationsAround } from "../support/browser/axe";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const TEXT = "First paragraph with words.\n\nSecond paragraph.\n\n- item one\n- item two";

describe("an aside", () => {
  const open = usePanel();

  async function openReply(width?: number) {
    const messages = [question("q1", "Why?"), reply("r1", TEXT), question("q2", "And?")];
    const host = await open({ shown: { conversationId: "c1", messages } });
    if (width !== undefined) await host.page.setViewportSize({ width, height: 700 });
    await host.page.locator("[data-message-id=r1] .reply-body.is-final").waitFor();
    return host;
  }

  /** Marks the text of a paragraph and ends the marking. */
  function mark(host: FakeHost, selector: string): Promise<void> {
    return host.page.evaluate((css) => {
      document.getSelection()!.selectAllChildren(document.querySelector(css)!);
      document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
    }, `[data-message-id=r1] .reply-body ${selector}`);
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
      { kind: "quote" as const, label: "“First paragraph”", detail: "Answer 1", quoted },
    ];
    const view = reply("a-r", text, { isStreaming });
    return { id: "a", messageId: "r1", text: "Why so?", chips, quoted, reply: view };
  }

  it("is asked in a box below the marked paragraph, by keys alone", async () => {
    const host = await openReply();
    await mark(host, "p");
    await host.page.locator(".quote-bar").waitFor();
    await host.page.keyboard.press("Alt+Shift+KeyQ");
    const box = host.page.getByRole("textbox", { name: "Question about the quote" });
    await box.waitFor();
    await waitUntilPlaced(host);
    await host.page.keyboard.type("Why");
    await host.page.keyboard.press("Shift+Enter");
    await host.page.keyboard.type("so?");
    await waitUntilPlaced(host);
    assert.deepEqual(await violationsAround(box), []);
    await host.page.keyboard.press("Enter");
    const asked = await host.waitFor("aside-asked");
    assert.deepEqual(
      [asked.messageId, asked.text, asked.quote?.text],
      ["r1", "Why\nso?", "> First paragraph with words."],
    );
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await host.page.keyboard.press("Enter");
    assert.equal(host.receivedOf("aside-asked").length, 1, "asked once");
  });

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

  it("does not cover what follows a table", async () => {
    const messages = [
      question("q1", "Why?"),
      reply("r1", "| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter."),
    ];
    const host = await open({ shown: { conversationId: "c1", messages } });
    const after = host.page.locator("[data-message-id=r1] .reply-body p").getByText("After.");
    await after.waitFor();
    const quoted = { messageId: "r1", start: 0, end: 3, isThinking: false };
    await host.send({ type: "asides-shown", asides: [{ ...answered("Because."), quoted }] });
    await host.page.locator(".aside-mark").click();
    const box = host.page.locator(".aside-group");
    await host.page.getByText("Because.").waitFor();
    await poll(async () => {
      const [group, next] = [await box.boundingBox(), await after.boundingBox()];
      return group !== null && next !== null && group.y + group.height <= next.y;
    }, "the box above the paragraph");
  });

  for (const width of [280, 900]) {
    it(`is a mark at its line, and shows its answer below the paragraph at ${width} px`, async () => {
      const host = await openReply(width);
      await host.send({ type: "asides-shown", asides: [answered("Because **of** it.")] });
      const toggle = host.page.getByRole("button", { name: "1 aside" });
      await toggle.waitFor();
      assert.equal(await toggle.getAttribute("aria-expanded"), "false");
      await waitUntilPlaced(host);
      await toggle.click();
      const group = host.page.getByRole("group", { name: "Aside: Why so?" });
      await group.locator("strong").waitFor();
      await waitUntilPlaced(host);
      assert.deepEqual(await violationsAround(group), []);
    });
  }

  it("streams, stops, is copied, added and removed", async () => {
    const host = await openReply();
    await host.send({ type: "asides-shown", asides: [answered("", true)] });
    await host.page.getByRole("button", { name: "1 aside" }).click();
    await host.send({ type: "turn-delta", messageId: "a-r", offset: 0, text: "Because " });
    const group = host.page.getByRole("group", { name: "Aside: Why so?" });
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
    await host.page.getByRole("group", { name: "Aside: Why so?" }).waitFor();
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
