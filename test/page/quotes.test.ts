/** Tests what a marking inside a message becomes: the bar, the text for the model, and its place. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import spec from "commonmark-spec";
import { violationsAround } from "../support/browser/axe";
import { itWithRounds } from "../support/depth";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

/** A marking of an example of the specification, by offsets in its text without buttons. */
interface MarkedExample {
  readonly example: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const MARKED = "test/fixtures/quotes/commonmark.json";

/** Marks text in a message, from and to offsets of its text without buttons, and ends marking as the user does. */
async function mark(host: FakeHost, selector: string, from: number, to: number): Promise<string> {
  return host.page.evaluate(
    ([root, start, end]) => {
      const element = document.querySelector(root)!;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let at = 0;
      let hasStart = false;
      for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
        if (node.parentElement?.closest("button")) continue;
        const after = at + node.length;
        if (!hasStart && start < after) {
          range.setStart(node, start - at);
          hasStart = true;
        }
        if (hasStart && end <= after) {
          range.setEnd(node, end - at);
          break;
        }
        at = after;
      }
      const selection = document.getSelection()!;
      selection.removeAllRanges();
      selection.addRange(range);
      document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
      return selection.toString();
    },
    [selector, from, to] as const,
  );
}

/** Marks the words and asks about them; returns the quote. */
async function quote(host: FakeHost, selector: string, words: string): Promise<string> {
  const text = await host.page.locator(selector).evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const button of copy.querySelectorAll("button")) button.remove();
    return copy.textContent;
  });
  const from = text.indexOf(words);
  assert.ok(from >= 0, `${words} in ${text}`);
  return quoteAt(host, selector, from, from + words.length);
}

async function quoteAt(host: FakeHost, selector: string, from: number, to: number) {
  const count = host.receivedOf("quote-added").length;
  await mark(host, selector, from, to);
  await host.page.getByRole("button", { name: "Ask about this" }).waitFor();
  await host.page.keyboard.press("Alt+q");
  return (await host.waitFor("quote-added", count + 1)).text;
}

const BODY = "[data-message-id=r1] .reply-body";

async function openReply(open: ReturnType<typeof usePanel>, text: string): Promise<FakeHost> {
  const messages = [question("q1", "First line\nsecond line"), reply("r1", text)];
  const host = await open({ widthPx: 250, shown: { messages } });
  await host.page.locator(`${BODY}.is-final`).waitFor();
  return host;
}

describe("marked text", () => {
  const open = usePanel();

  it("of prose becomes a quotation, in a reply and in a question", async () => {
    const host = await openReply(
      open,
      "One **bold** word and `code`.\n\nSecond [link](https://a.example).",
    );
    assert.equal(await quote(host, BODY, "bold word and code"), "> bold word and code");
    assert.equal(await quote(host, BODY, "and code.Second link"), "> and code.\n>\n> Second link");
    assert.equal(await quote(host, ".question-text", "line\nsecond"), "> line\n> second");
    const { conversationId, quoted, words } = host.receivedOf("quote-added").at(-1)!;
    assert.deepEqual(
      [conversationId, quoted, words],
      ["c1", { messageId: "q1", start: 6, end: 17, isThinking: false }, "line second"],
    );
  });

  it("of one block of code becomes a fence with language and file", async () => {
    const host = await openReply(
      open,
      "Text\n\n```ts src/cart.ts\nlet a = 1;\n\nlet b = 2;\n```\n",
    );
    assert.equal(
      await quote(host, BODY, "let a = 1;\n\nlet b"),
      "```ts src/cart.ts\nlet a = 1;\n\nlet b\n```",
    );
  });

  it("of a table becomes rows, of a list items, of a formula its source", async () => {
    const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n";
    const host = await openReply(
      open,
      `${table}\n3. three\n4. four\n   - inner\n\nSo $x^2$ holds.`,
    );
    await host.page.locator(".math.is-drawn").waitFor();
    assert.equal(await quote(host, BODY, "1234"), "> | 1 | 2 |\n> | 3 | 4 |");
    assert.equal(await quote(host, BODY, "ab12"), "> | a | b |\n> | --- | --- |\n> | 1 | 2 |");
    const items = await host.page.locator(`${BODY} ol`).evaluate((list) => list.textContent);
    assert.equal(await quote(host, BODY, items), "> 3. three\n> 4. four\n>    - inner");
    const last = await host.page
      .locator(`${BODY} > p`)
      .last()
      .evaluate((p) => p.textContent);
    assert.equal(await quote(host, BODY, last), "> So $x^2$ holds.");
  });

  it("shows a bar at its end, which Escape hides, and survives the context menu", async () => {
    const host = await openReply(open, "A sentence to mark.");
    await mark(host, BODY, 2, 10);
    const bar = host.page.getByRole("toolbar", { name: "Selected text" });
    await bar.waitFor();
    const box = (await bar.boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= 250, JSON.stringify(box));
    const endPx = await host.page.evaluate(
      () => document.getSelection()!.getRangeAt(0).getBoundingClientRect().bottom,
    );
    assert.ok(box.y >= endPx && box.y < endPx + 20, `${box.y} below ${endPx}`);
    assert.deepEqual(await violationsAround(host.page.locator("body")), []);
    await host.page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    assert.deepEqual(host.receivedOf("stop-asked"), []);
    await mark(host, BODY, 2, 10);
    await bar.waitFor();
    await host.page.evaluate(() => {
      document.dispatchEvent(new PointerEvent("pointerup", { button: 2 }));
      document.getSelection()!.removeAllRanges();
    });
    await host.send({ type: "navigation-asked", command: "ask-about-this" });
    assert.equal((await host.waitFor("quote-added")).text, "> sentence");
    await host.send({ type: "navigation-asked", command: "ask-about-this" });
    await host.waitForToast("Select text in a message first.");
  });

  it("has its bar at its new place after scrolling, while it is in view", async () => {
    const text = "A sentence to mark.\n\n" + "A paragraph.\n\n".repeat(60);
    const host = await openReply(open, text);
    const scroller = host.page.locator(".transcript");
    const scrollTo = (top: number) => scroller.evaluate((list, px) => list.scrollTo(0, px), top);
    const bar = host.page.getByRole("toolbar", { name: "Selected text" });
    const topOfBar = async () => (await bar.boundingBox())?.y ?? NaN;
    await mark(host, BODY, 2, 10);
    const isAtStart = async () => {
      await scrollTo(0); // The list may still go to its end, as it does when it is opened.
      return bar.isVisible();
    };
    await poll(isAtStart, "the bar is shown");
    const before = await topOfBar();
    await scrollTo(30);
    await poll(async () => Math.abs((await topOfBar()) - before + 30) < 1, "the bar moved along");
    await scrollTo(600);
    await bar.waitFor({ state: "detached" });
    await scrollTo(0);
    await bar.waitFor();
    await host.page.keyboard.press("Escape");
    await scrollTo(30);
    await scrollTo(0);
    // A press of a button does not bring it back.
    await host.page.getByRole("button").first().dispatchEvent("pointerup", { button: 0 });
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    assert.equal(await bar.count(), 0);
  });

  for (const [name, text, marked, more] of [
    [
      "code that is colored",
      "```ts\nlet a = 1;\nlet b = 2;\n",
      "a = 1;\nlet b",
      "let c = 3;\nlet d;\n",
    ],
    ["a table that gets its buttons", "| a | b |\n| --- | --- |\n| one | two |\n", "onetwo", ""],
  ] as const) {
    it(`stays marked in ${name}`, async () => {
      const host = await open({ heightPx: 300, hasCodeColors: true });
      await host.showStreaming(text);
      await host.page.locator(`${BODY} :is(code, td)`).first().waitFor();
      const words = await host.page.locator(BODY).evaluate((body) => body.textContent);
      const from = words.indexOf(marked);
      assert.ok(from >= 0, words);
      const before = await mark(host, BODY, from, from + marked.length);
      await host.page.getByRole("toolbar", { name: "Selected text" }).waitFor();
      if (more !== "")
        await host.stream("r1", text.length, [more, "```\n", "\nText.\n\n".repeat(9)]);
      await host.endStreaming();
      await host.page
        .locator(`${BODY}.is-final :is(code span[class], .table-box)`)
        .first()
        .waitFor();
      const after = () => host.page.evaluate(() => document.getSelection()!.toString());
      await poll(async () => (await after()) === before, `"${before}", not "${await after()}"`);
    });
  }

  it("of thinking is found again, and is read at the end of marking by keys", async () => {
    const thinking = {
      text: "First the **sum**, then the tax.",
      durationMs: 2000,
      isOngoing: false,
    };
    const messages = [question("q1", "?"), reply("r1", "The sum.", { thinking })];
    const host = await open({ shown: { messages } });
    const toggle = host.page.getByRole("button", { name: "Thought for 2 s" });
    await toggle.click();
    const body = ".thinking-body";
    await host.page.locator(`${body} strong`).waitFor();
    assert.equal(await quote(host, body, "sum, then"), "> sum, then");
    const { quoted } = host.receivedOf("quote-added").at(-1)!;
    assert.deepEqual(quoted, { messageId: "r1", start: 10, end: 19, isThinking: true });
    await toggle.click();
    const chips = [{ kind: "quote" as const, label: "“sum, then”", detail: "Reply 1", quoted }];
    await host.show({ messages: [...messages, question("q2", "Why?", { chips })] });
    await host.page.getByRole("button", { name: "“sum, then”" }).click();
    await host.page.locator(".thinking-toggle[aria-expanded=true]").waitFor();
    // The click is read in a task of its own.
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    // While Shift is held nothing is read; the arrow that ends a step is.
    await host.page.evaluate(() => {
      document.getSelection()!.selectAllChildren(document.querySelector(".thinking-body p")!);
      document.dispatchEvent(new Event("selectionchange"));
    });
    assert.equal(await host.page.locator(".quote-bar").count(), 0);
    await host.page.evaluate(() => {
      const step = { key: "ArrowRight", shiftKey: true };
      document.dispatchEvent(new KeyboardEvent("keydown", step));
      document.dispatchEvent(new KeyboardEvent("keyup", step));
    });
    await host.page.locator(".quote-bar").waitFor();
  });

  it("of two messages is no quote", async () => {
    const host = await openReply(open, "A sentence.");
    await host.page.evaluate(() => {
      const range = document.createRange();
      range.setStart(document.querySelector(".question-text")!.firstChild!, 2);
      range.setEnd(document.querySelector(".reply-body p")!.firstChild!, 3);
      document.getSelection()!.removeAllRanges();
      document.getSelection()!.addRange(range);
      document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
    });
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await host.page.locator(".quote-bar").count(), 0);
  });

  it("is found and marked again from the chip of the sent question", async () => {
    const quoted = { messageId: "r1", start: 6, end: 14, isThinking: false };
    const chips = [{ kind: "quote" as const, label: "“sentence”", detail: "Reply 1", quoted }];
    const far = Array.from({ length: 40 }, (_, index) => [
      question(`f${index}`, "?"),
      reply(`g${index}`, "A paragraph.\n\n".repeat(10)),
    ]).flat();
    const messages = [
      question("q1", "?"),
      reply("r1", "First sentence of **two**."),
      ...far,
      question("q2", "Why?", { chips }),
      reply("r2", "Because."),
    ];
    const host = await open({ shown: { messages } });
    await host.page.getByRole("button", { name: "“sentence”" }).click();
    await poll(
      () =>
        host.page.evaluate(() => {
          const [range] = CSS.highlights.get("core-chat-quote") ?? [];
          const box = document.querySelector("[role=log]")!.getBoundingClientRect();
          if (!(range instanceof Range)) return false;
          const { top, bottom } = range.getBoundingClientRect();
          return range.toString() === "sentence" && top >= box.top && bottom <= box.bottom;
        }),
      "the marked quote",
    );
  });

  const seenTitle = "is what is seen: markings of the CommonMark examples";
  itWithRounds(seenTitle, { quick: 30, all: 200 }, async (count) => {
    const all = JSON.parse(readFileSync(MARKED, "utf8")) as readonly MarkedExample[];
    assert.equal(all.length, 200);
    const kept = all.filter((_, at) => at % Math.floor(all.length / count) === 0);
    const host = await open();
    const wrong: unknown[] = [];
    for (const { example, from, to, text } of kept) {
      const id = `r${example}-${from}`;
      const { markdown } = spec.tests[example - 1]!;
      await host.show({ conversationId: id, messages: [question("q", "?"), reply(id, markdown)] });
      const body = `[data-message-id="${id}"] .reply-body`;
      await host.page.locator(`${body}.is-final`).waitFor();
      const seen = await mark(host, body, from, to);
      const count = host.receivedOf("quote-added").length;
      await host.send({ type: "navigation-asked", command: "ask-about-this" });
      const got = (await host.waitFor("quote-added", count + 1)).text;
      // The letters are those of the browser's own text of the selection.
      const isSeen = lettersOf(withoutInfo(got)) === lettersOf(seen);
      if (got !== text || !isSeen) wrong.push({ example, from, to, seen, got, text });
    }
    assert.deepEqual(wrong, []);
  });
});

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** Returns a quote without the languages and names of its code. */
function withoutInfo(text: string): string {
  return text.replaceAll(/^([> ]*(?:[-+*]|\d+[.)])? *`{3,}).*$/gm, "$1");
}
