/** Tests the layout of a reply at the width of a side panel, with the app's style sheet. */
import assert from "node:assert/strict";
import * as esbuild from "esbuild";
import { after, before, describe, it } from "mocha";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

/** The panel's style sheet, joined from the files beside its components. */
function panelStyles(): string {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: ["src/webview/panel.css"],
    bundle: true,
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}

describe("the layout of a reply", function () {
  this.timeout(300_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
    await opened.page.setViewportSize({ width: 320, height: 600 });
    await opened.page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    }, panelStyles());
  });
  after(() => opened.close());

  /** Renders a text as the only reply of the page. */
  async function show(text: string): Promise<void> {
    await opened.page.evaluate(async (source) => {
      document.querySelector("main")?.remove();
      const container = document.createElement("main");
      container.className = "reply-body";
      container.dir = "auto";
      document.body.append(container);
      const stream = markdown.createMarkdownStream(container, {
        highlighter: markdown.makeHighlighter(),
      });
      stream.append(source);
      await stream.end();
      await Promise.all([...container.querySelectorAll("img")].map((image) => image.decode()));
    }, text);
  }

  it("keeps code and formulas left-to-right in a right-to-left reply", async () => {
    const code = "```js\nconst a = 1; // הערה\n```\n";
    await show(`שלום\n\n${code}\nהקוד \`a.b(c)!\` כאן\n\nנוסחה $a+b$ כאן\n`);
    const shown = await opened.page.evaluate(() => {
      const directionOf = (selector: string) =>
        getComputedStyle(document.querySelector(selector)!).direction;
      const range = document.createRange();
      range.selectNodeContents(document.querySelector("pre code")!);
      const frame = document.querySelector("pre")!.getBoundingClientRect();
      return {
        reply: directionOf("main"),
        directions: ["pre code", "p code", ".math"].map(directionOf),
        codeInset: range.getBoundingClientRect().left - frame.left,
      };
    });
    assert.equal(shown.reply, "rtl");
    assert.deepEqual(shown.directions, ["ltr", "ltr", "ltr"]);
    assert.ok(shown.codeInset < 20, `code starts ${shown.codeInset} px from the left`);
  });

  it("gives each text the direction of most of its letters", async () => {
    await show(
      "VS Code הוא עורך קוד\n\nשלום is a word, in English.\n\n- עברית\n- English\n\n> `a` عربي هنا\n\n- React یک کتابخانه است\n\n- b\n",
    );
    const sides = await opened.page.evaluate(() =>
      ["p", "p + p", "li", "li + li", "blockquote p", "li > p", "li + li > p"].map((selector) => {
        const element = document.querySelector(selector)!;
        const range = document.createRange();
        range.selectNodeContents(element);
        const text = range.getBoundingClientRect();
        const box = element.getBoundingClientRect();
        return text.left - box.left < box.right - text.right ? "left" : "right";
      }),
    );
    assert.deepEqual(sides, ["right", "left", "right", "left", "right", "right", "left"]);
  });

  it("has room for the number of an item, and shows single line ends", async () => {
    await show("998. a\n999. b\n1000. c\n\ntext\n\n123456789. d\n\nOne,\ntwo,  \nthree\n");
    const shown = await opened.page.evaluate(() => {
      const rooms = [...document.querySelectorAll("ol")].map((list) => {
        const digits = String(list.start + list.children.length - 1).length;
        return parseFloat(getComputedStyle(list).paddingInlineStart) / digits;
      });
      const lines = document.querySelector("p:last-child")!.getClientRects()[0]!.height;
      return {
        rooms,
        count: Math.round(
          lines / parseFloat(getComputedStyle(document.querySelector("p")!).lineHeight),
        ),
      };
    });
    assert.ok(
      shown.rooms.every((room) => room > 7),
      shown.rooms.join(),
    );
    assert.equal(shown.count, 3);
  });

  it("scrolls a formula that is wider than the panel", async () => {
    const sum =
      "a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} = \\sum_{k=1}^{12} a_k";
    await show(`In a line: $${sum}$ and $$${sum}$$ too.\n\n$$\n${sum}\n$$\n`);
    const formulas = await opened.page.evaluate(() =>
      [...document.querySelectorAll(".math")].map((formula) => {
        const start = formula.querySelector("mi")!.getBoundingClientRect().left;
        formula.scrollLeft = 100_000;
        const end = [...formula.querySelectorAll("mi")].at(-1)!.getBoundingClientRect().right;
        const { left, right } = formula.getBoundingClientRect();
        return {
          isInside: left >= 0 && right <= innerWidth,
          isStartReached: start >= left - 1,
          isEndReached: end <= right + 1,
          isScrolled: formula.scrollLeft > 0,
        };
      }),
    );
    const reachable = {
      isInside: true,
      isStartReached: true,
      isEndReached: true,
      isScrolled: true,
    };
    assert.deepEqual(formulas, [reachable, reachable, reachable]);
  });

  it("never narrows a column of a wide table to one word or character per line", async () => {
    const chinese = "这是一个很长的说明，".repeat(8);
    const english = "some long words about the thing ".repeat(5);
    await show(`| 参数名称 | 说明 | c |\n|---|---|---|\n| 参数 | ${chinese} | ${english} |\n`);
    const lines = await opened.page.evaluate(() =>
      ["th", "td", "td + td", "td + td + td"].map((selector) => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(selector)!);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    const [head = 0, first = 0, chineseLines = 0, englishLines = 0] = lines;
    assert.deepEqual([head, first], [1, 1]);
    assert.ok(chinese.length / chineseLines >= 6, `${chineseLines} lines of Chinese`);
    assert.ok(english.split(" ").length / englishLines >= 2, `${englishLines} lines of English`);
  });

  it("selects, copies and finds long code as one text", async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `const a${index} = ${index};\n`);
    await show(`\`\`\`ts\n${lines.join("")}\`\`\`\n`);
    const shown = await opened.page.evaluate(() => {
      const code = document.querySelector("pre code")!;
      const view = globalThis as unknown as { find(text: string): boolean };
      const found = ["const a0 =", "const a40 = 40;", "const a1999 = 1999;"].map((text) => {
        getSelection()!.removeAllRanges();
        return view.find(text);
      });
      getSelection()!.selectAllChildren(code);
      return {
        parts: code.querySelectorAll(".code-part").length,
        text: code.textContent,
        selected: getSelection()!.toString(),
        found,
      };
    });
    assert.ok(shown.parts > 40);
    assert.equal(shown.text, lines.join(""));
    assert.equal(shown.selected.trimEnd(), lines.join("").trimEnd());
    assert.deepEqual(shown.found, [true, true, true]);

    await opened.page.keyboard.press("Control+C");
    await opened.page.evaluate(() => {
      const field = document.createElement("textarea");
      document.querySelector("main")!.append(field);
      field.focus();
    });
    await opened.page.keyboard.press("Control+V");
    const pasted = await opened.page.locator("main > textarea").inputValue();
    assert.equal(pasted.trimEnd(), lines.join("").trimEnd());
  });
});
