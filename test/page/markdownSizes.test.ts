/**
 * Tests replies of extreme sizes: what is shown, that the rest is stated, and that keys and clicks are handled
 * while the reply is rendered.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

const lines = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

describe("a reply of extreme size", function () {
  this.timeout(120_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  /** Renders the text with other text after it; returns what is shown. */
  function shownOf(text: string) {
    return opened.page.evaluate(async (source) => {
      const container = document.createElement("main");
      document.body.append(container);
      let openedCount = 0;
      const stream = markdown.createMarkdownStream(container, { onOpenText: () => openedCount++ });
      stream.append(source);
      await stream.end();
      const notes = [...container.querySelectorAll<HTMLElement>(".rest-note")];
      for (const note of notes) note.querySelector("button")?.click();
      const count = (selector: string) => container.querySelectorAll(selector).length;
      const shown = {
        notes: notes.map(({ textContent }) => textContent),
        openedCount,
        items: count("li"),
        rows: count("tbody tr"),
        quotes: count("blockquote > p"),
        last: container.querySelector("main > p:last-of-type, .reply-part > p:last-of-type")
          ?.textContent,
        numbers: [...container.querySelectorAll("[data-block]")].map((block) =>
          block.getAttribute("data-block"),
        ),
        tables: [...container.querySelectorAll("table")].map((table) => table.dataset["table"]),
      };
      container.remove();
      return shown;
    }, text);
  }

  it("shows the first items of a list, how many lines are left, and the text after it", async () => {
    const text = `${lines(5_000, (index) => `- item ${index}\n`)}\nThe end.\n`;
    const { notes, items, openedCount, last } = await shownOf(text);
    assert.ok(items > 500 && items < 1_000, `${items}`);
    assert.deepEqual(notes, [`${5_000 - items} more lines are not shown. Open as text`]);
    assert.deepEqual({ openedCount, last }, { openedCount: 1, last: "The end." });
  });

  it("shows the first rows of a table, and how many are left", async () => {
    const row = (index: number) => `|${` ${index} |`.repeat(20)}\n`;
    const text = `${"| a ".repeat(20)}|\n${"|---".repeat(20)}|\n${lines(2_000, row)}\nThe end.\n`;
    const { notes, rows, last } = await shownOf(text);
    assert.ok(rows > 80 && rows < 200, `${rows}`);
    assert.deepEqual(notes, [`${2_000 - rows} more lines are not shown. Open as text`]);
    assert.equal(last, "The end.");
  });

  it("shows the rows of a table of 1,000 columns as text, also below a paragraph", async () => {
    const row = (cell: string) => `${`|${cell}`.repeat(1_000)}|`;
    const text = `Text\n${row("head")}\n${row("-")}\n${row("body")}\n\n| f |\n|---|\n| g |\n`;
    const shown = await opened.page.evaluate((source) => {
      const container = markdown.whole(source);
      return {
        isTextKept: container.firstElementChild?.textContent === source.split("\n\n")[0],
        tables: container.querySelectorAll("table").length,
        columns: container.querySelectorAll("th").length,
        isSameInPieces: container.isEqualNode(markdown.cut(source, [1_500, 5_100, 7_900])),
      };
    }, text);
    assert.deepEqual(shown, { isTextKept: true, tables: 1, columns: 1, isSameInPieces: true });
  });

  it("keeps the numbers of code blocks and tables after those that are not shown", async () => {
    const item = "- a\n\n  ```\n  b\n  ```\n\n  | c |\n  |---|\n  | d |\n\n";
    const text = `${item.repeat(300)}Text\n\n\`\`\`\ne\n\`\`\`\n\n| f |\n|---|\n| g |\n`;
    const { numbers, tables } = await shownOf(text);
    assert.ok(numbers.length < 200, `${numbers.length}`);
    assert.equal(numbers.at(-1), "300");
    assert.equal(tables.at(-1), "300");
  });

  it("shows as much of a deep list or quote, however the text arrives", async () => {
    const texts = [
      lines(3_000, (index) => `${"  ".repeat(index % 12)}- item ${index}\n`),
      lines(3_000, (index) => `> paragraph ${index}\n>\n`),
      `1. one\n\n${lines(3_000, (index) => `   - item ${index}\n`)}\n2. two\n`,
    ];
    const differing = await opened.page.evaluate(
      (all) =>
        all.filter((text) => {
          const atOnce = markdown.whole(text);
          return (
            !atOnce.isEqualNode(markdown.cut(text, [1_000])) || !atOnce.querySelector(".rest-note")
          );
        }).length,
      texts,
    );
    assert.equal(differing, 0);
  });

  for (const [name, text] of [
    ["a table of 100,000 rows", `| a | b |\n|---|---|\n${"| 1 | value |\n".repeat(100_000)}`],
    ["a line of 5 MB", "x".repeat(5_000_000)],
    ["quotes 2,000 deep", `${"> ".repeat(2_000)}a\n`.repeat(60)],
    ["links without a paragraph", "[a](https://e.com)\n".repeat(10_000)],
  ] as const) {
    it(`handles keys and a click while it renders ${name}`, async () => {
      const { page } = opened;
      await page.evaluate((source) => {
        document.body.replaceChildren();
        const box = document.createElement("textarea");
        const stop = document.createElement("button");
        stop.textContent = "Stop";
        const container = document.createElement("main");
        document.body.append(box, stop, container);
        const stream = markdown.createMarkdownStream(container);
        stop.addEventListener("click", () => {
          // The text has not ended: the click came while it was rendered.
          stop.dataset["stopped"] = "true";
          stream.dispose();
        });
        let at = 0;
        const feed = () => {
          if (stop.dataset["stopped"] === "true") return;
          stream.append(source.slice(at, at + 20_000));
          // Starts again, so that the text never ends.
          at = at + 20_000 < source.length ? at + 20_000 : 0;
          requestAnimationFrame(feed);
        };
        feed();
      }, text);
      await page.locator("textarea").pressSequentially("typed meanwhile");
      await page.getByRole("button", { name: "Stop" }).click();
      assert.equal(await page.locator("textarea").inputValue(), "typed meanwhile");
      assert.equal(
        await page.getByRole("button", { name: "Stop" }).getAttribute("data-stopped"),
        "true",
      );
    });
  }
});
