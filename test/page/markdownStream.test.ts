/**
 * Tests rendering of a reply that arrives in pieces: finished nodes stay unchanged, nothing
 * flickers, late definitions apply, code is highlighted and numbered.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { codeBlocks } from "../../src/markdown/codeBlocks";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

const REPLY = [
  "# Title",
  "",
  "A paragraph with **bold** and `code`, [a link](https://example.com).",
  "",
  "1. one",
  "2. two",
  "",
  "   - nested **item**",
  "   - another",
  "",
  "   ```ts",
  "   const a = 1;",
  "   const b = 2;",
  "   const c = 3;",
  "   ```",
  "3. three",
  "",
  "| a | b |",
  "|---|---|",
  ...Array.from({ length: 6 }, (_, index) => `| row ${index} | x |`),
  "",
  "> a quote",
  ">",
  "> - with a list",
  "> - of two",
  "",
  "```py title.py",
  ...Array.from({ length: 8 }, (_, index) => `print(${index})`),
  "```",
  "",
  "The end.",
].join("\n");

describe("createMarkdownStream", function () {
  this.timeout(300_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  it("never changes a finished block, list item, table row or line of code", async () => {
    const touched = await opened.page.evaluate(async (source) => {
      const container = document.createElement("main");
      document.body.append(container);
      const reply = new markdown.ReplyDocument(container, {});
      const finished = new Set<Node>();
      const touches: string[] = [];
      const observer = new MutationObserver((records) => {
        for (const { target, type } of records) {
          if (finished.has(target))
            touches.push(`${type} ${target.nodeName} ${target.textContent}`);
        }
      });
      observer.observe(container, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      for (let at = 0; at < source.length; at += 4) {
        reply.append(source.slice(at, at + 4));
        reply.render();
        await Promise.resolve();
        // A block is finished, with its whole content, once two later blocks follow in its parent.
        for (const parent of container.querySelectorAll("main, ol, ul, tbody, li, blockquote")) {
          const done = [...parent.children].slice(0, -2);
          for (const element of done) {
            finished.add(element);
            for (const node of element.querySelectorAll("*")) finished.add(node);
          }
        }
        for (const element of [...container.children].slice(0, -2)) {
          finished.add(element);
          for (const node of element.querySelectorAll("*")) finished.add(node);
        }
      }
      reply.end();
      await Promise.resolve();
      observer.disconnect();
      return { touches, count: finished.size };
    }, REPLY);
    assert.deepEqual(touched.touches, []);
    assert.ok(touched.count > 40, `${touched.count} nodes were finished`);
  });

  it("keeps a fenced Markdown document in one block until it ends", async () => {
    const inner = "# A\n\nRun:\n```\na\n```\n\n```js\nb\n```\n- c\n\n```\nd\n```\n";
    const seen = await opened.page.evaluate((source) => {
      const container = document.createElement("main");
      const reply = new markdown.ReplyDocument(container, {});
      const counts = new Set<string>();
      for (const character of source) {
        reply.append(character);
        reply.render();
        counts.add([...container.children].map(({ className }) => className).join(" "));
      }
      reply.end();
      return { counts: [...counts], code: container.querySelector("pre")?.textContent };
    }, `\`\`\`md\n${inner}\`\`\`\n\nEnd.`);
    assert.deepEqual(seen, { counts: ["", "code-block", "code-block "], code: inner });
  });

  it("renders per frame, at most 30 times a second, and flushes at the end", async () => {
    const shown = await opened.page.evaluate(async () => {
      const container = document.createElement("main");
      document.body.append(container);
      const stream = markdown.createMarkdownStream(container);
      stream.append("first");
      const atOnce = container.textContent;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const afterFrame = container.textContent;
      let changes = 0;
      new MutationObserver(() => changes++).observe(container, {
        subtree: true,
        characterData: true,
      });
      const from = performance.now();
      for (let frame = 0; frame < 30; frame++) {
        stream.append(" word");
        await new Promise(requestAnimationFrame);
      }
      const seconds = (performance.now() - from) / 1000;
      stream.append(" last");
      await stream.end();
      return { atOnce, afterFrame, rate: changes / seconds, text: container.textContent };
    });
    assert.equal(shown.atOnce, "");
    assert.equal(shown.afterFrame, "first");
    assert.ok(shown.rate <= 32, `${shown.rate} renderings a second`);
    assert.ok(shown.text.endsWith("word last"));
  });

  it("removes control sequences of terminals in any pieces", async () => {
    const texts = await opened.page.evaluate(async () => {
      const source =
        "a \u001b[1;31mFAIL\u001b[0m b \u001b]8;;https://x.y\u0007c\u001b]8;;\u001b\\\r\nd \u001b[3";
      const results: string[] = [];
      for (const length of [1, 2, 3, 7, 100]) {
        const container = document.createElement("main");
        const stream = markdown.createMarkdownStream(container);
        for (let at = 0; at < source.length; at += length) {
          stream.append(source.slice(at, at + length));
          await new Promise(requestAnimationFrame);
        }
        await stream.end();
        results.push(container.textContent);
      }
      return [...new Set(results)];
    });
    assert.deepEqual(texts, ["a FAIL b c\nd \u001b[3"]);
  });

  const drafts: Record<string, [string, string]> = {
    "open bold": ["a **bo", "<p>a <strong>bo</strong></p>"],
    "bold that is about to close": ["a **bold*", "<p>a <strong>bold</strong></p>"],
    "an open link": ["see [the guide](https://exa", "<p>see the guide</p>"],
    "an open picture": ["see ![alt](https://exa", "<p>see </p>"],
    "an open code span": ["run `npm i", "<p>run <code>npm i</code></p>"],
    "the first mark of a list": ["text\n\n-", "<p>text</p>"],
    "a possible underline": ["text\n-", "<p>text</p>"],
    "the head of a table": ["text\n\n| a | b |\n|--", "<p>text</p>"],
    "a link definition": ["text\n\n[a]: https://ex", "<p>text</p>"],
    "the first marks of a fence": ["text\n\n``", "<p>text</p>"],
    "a link in Chinese text": ["请看[指南", "<p>请看指南</p>"],
    "a link's address with brackets": ["see [it](https://e.com/A_(b", "<p>see it</p>"],
    "a number in brackets": ["see [1]", "<p>see [1]</p>"],
    "a label with `^`": ["see this[^no", "<p>see this[^no</p>"],
    "a definition with `^`": ["text\n\n[^1]: https", "<p>text</p><p>[^1]: https</p>"],
    "bold before a Chinese letter": ["**重要：**", "<p><strong>重要：</strong></p>"],
    "the box of a task": ["text\n\n- [x]", "<p>text</p>"],
    "a formula in a line": [
      "a \\(x_1 = \\fra",
      '<p>a <span class="math">\\(x_1 = \\fra\\)</span></p>',
    ],
    "a formula after one dollar": ["a $x_1 + y", '<p>a <span class="math">$x_1 + y$</span></p>'],
    "an amount of money": ["a $5 and_b", "<p>a $5 and_b</p>"],
    "a formula of several lines": [
      "\\[\n\\int_{-\\infty}^{\\inf_",
      '<div class="math math-block">$$\n\\int_{-\\infty}^{\\inf_\n$$</div>',
    ],
  };
  for (const [name, [source, wanted]] of Object.entries(drafts)) {
    it(`shows ${name} readably`, async () => {
      const html = await opened.page.evaluate((text) => {
        const container = document.createElement("main");
        const reply = new markdown.ReplyDocument(container, {});
        reply.append(text);
        reply.render();
        return container.innerHTML;
      }, source);
      assert.equal(html, wanted);
    });
  }

  it("never reverts emphasis while Chinese text arrives", async () => {
    const source =
      "**重要：**后面。请**务必（must）**按照；检查**“只读”**模式，***非常重要：***请。*强调。*谢谢，~~旧。~~新\n\n> **注意：**在生产\n\n1. **备份：**运行\n";
    const seen = await opened.page.evaluate((text) => {
      const container = document.createElement("main");
      const reply = new markdown.ReplyDocument(container, {});
      const raw: string[] = [];
      for (const character of text) {
        reply.append(character);
        reply.render();
        if (/[*~]/.test(container.textContent)) raw.push(container.textContent);
      }
      return { raw, marked: container.querySelectorAll("strong, em, del").length };
    }, source);
    assert.deepEqual(seen, { raw: [], marked: 9 });
  });

  it("renders the same letters in formulas as LaTeX", async () => {
    const shown = await opened.page.evaluate(async () => {
      const container = document.createElement("main");
      document.body.append(container);
      const stream = markdown.createMarkdownStream(container);
      stream.append(
        "$\\mathbb{R1}$ $\\mathcal{L}$ $\\mathbf{W\\Gamma}$ $\\mathfrak{gC}$ $\\mathsf{A}$ $\\mathtt{x}$ $\\boldsymbol{\\alpha}$ $\\mathrm{d}$\n\n",
      );
      stream.append("\\begin{aligned}\na &= b + c \\\\\nd + e + f &= g\n\\end{aligned}\n");
      await stream.end();
      const letters = [...container.querySelectorAll("p math")].map((math) =>
        [...math.querySelectorAll("mi, mn")].map((one) => one.textContent).join(""),
      );
      const signs = [...container.querySelectorAll(".math-block mo")]
        .filter(({ textContent }) => textContent === "=")
        .map((sign) => Math.round(sign.getBoundingClientRect().left));
      const variants = container.querySelectorAll("[mathvariant]:not([mathvariant=normal])").length;
      container.remove();
      return { letters, variants, isAligned: signs.length === 2 && signs[0] === signs[1] };
    });
    assert.deepEqual(shown, {
      letters: ["ℝ𝟙", "ℒ", "𝐖𝚪", "𝔤ℭ", "𝖠", "𝚡", "𝜶", "d"],
      variants: 0,
      isAligned: true,
    });
  });

  it("applies a late link definition to earlier text", async () => {
    const shown = await opened.page.evaluate(() => {
      const container = document.createElement("main");
      const reply = new markdown.ReplyDocument(container, {});
      reply.append("See [the guide].\n\nMore.\n\n");
      reply.render();
      const before = container.querySelectorAll("a").length;
      reply.append("[the guide]: https://example.com\n\nEnd.\n\n");
      reply.render();
      return {
        before,
        links: [...container.querySelectorAll("a")].map((link) => link.getAttribute("href")),
      };
    });
    assert.deepEqual(shown, { before: 0, links: ["https://example.com"] });
  });

  it("numbers code blocks like the host, and reports each once", async () => {
    const told = await opened.page.evaluate(async (source) => {
      const container = document.createElement("main");
      const blocks: { index: number; language: string; attribute: string | null }[] = [];
      const stream = markdown.createMarkdownStream(container, {
        onCodeBlock: (element, { index, language }) => {
          blocks.push({ index, language, attribute: element.getAttribute("data-block") });
        },
      });
      stream.append(source);
      await stream.end();
      return {
        blocks,
        texts: [...container.querySelectorAll("code[class], pre code")].map(
          (code) => code.textContent,
        ),
      };
    }, REPLY);
    const expected = codeBlocks(REPLY);
    assert.deepEqual(
      told.blocks,
      expected.map(({ index, language }) => ({ index, language, attribute: String(index) })),
    );
    assert.deepEqual(
      told.texts,
      expected.map(({ text }) => text),
    );
  });

  it("highlights code in the worker, however it arrived, and restyles it for a theme", async () => {
    const shown = await opened.page.evaluate(async (source) => {
      const highlighter = markdown.makeHighlighter();
      const render = async (length: number) => {
        const container = document.createElement("main");
        document.body.append(container);
        const stream = markdown.createMarkdownStream(container, { highlighter });
        for (let at = 0; at < source.length; at += length) {
          stream.append(source.slice(at, at + length));
          if (length < 100) await new Promise(requestAnimationFrame);
        }
        await stream.end();
        return container;
      };
      const atOnce = await render(source.length);
      const inPieces = await render(24);
      const keyword = atOnce.querySelector("code.language-ts span");
      highlighter.setTheme({
        tokenColors: [
          { scope: "storage.type", settings: { foreground: "#123456", fontStyle: "italic" } },
        ],
      });
      const color = () => (keyword === null ? "" : getComputedStyle(keyword).color);
      for (let tries = 0; tries < 200 && color() !== "rgb(18, 52, 86)"; tries++) {
        await new Promise(requestAnimationFrame);
      }
      return {
        isSame: atOnce.isEqualNode(inPieces),
        spans: atOnce.querySelectorAll("code span").length,
        text: atOnce.querySelector("code.language-py")?.textContent,
        keyword: keyword?.textContent,
        color: color(),
        isTouched: atOnce.querySelector("[style]") !== null,
      };
    }, REPLY);
    assert.ok(shown.spans > 20);
    assert.deepEqual(
      { ...shown, spans: 0 },
      {
        isSame: true,
        spans: 0,
        text: Array.from({ length: 8 }, (_, index) => `print(${index})\n`).join(""),
        keyword: "const ",
        color: "rgb(18, 52, 86)",
        isTouched: false,
      },
    );
    assert.deepEqual(await opened.violations(), []);
  });

  it("renders formulas within the page's policy, and shows the source of invalid ones", async () => {
    const shown = await opened.page.evaluate(async () => {
      const container = document.createElement("main");
      document.body.append(container);
      const stream = markdown.createMarkdownStream(container);
      stream.append("Let $x^2$ be.\n\n$$\n\\frac{a}{b}\n$$\n\n- \\(\\sqrt{2}\\) and $\\nope{$\n\n");
      stream.append("| $y$ |\n|---|\n| [late] $z$ |\n\n[late]: https://example.com\n");
      await stream.end();
      return {
        drawn: container.querySelectorAll("math").length,
        kept: [...container.querySelectorAll(".math-source")].map((one) => one.textContent),
        blocks: container.querySelectorAll(".math-block math").length,
      };
    });
    assert.deepEqual(shown, { drawn: 5, kept: ["$\\nope{$"], blocks: 1 });
    assert.deepEqual(await opened.violations(), []);
  });
});
