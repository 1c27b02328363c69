/**
 * Tests hostile replies in a browser with the panel's policy and a server that records every
 * request.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

/**
 * Constructs that could run or load something, in every position; `@` is replaced by the server's
 * address.
 */
const HOSTILE = [
  "<script>window.hit = 1</script>",
  "<img src=x onerror=window.hit=1><img src=@/img>",
  "<svg onload=window.hit=1><a xlink:href=javascript:window.hit=1>x</a></svg>",
  "<math><mi xlink:href='javascript:window.hit=1'>x</mi></math>",
  "<iframe src=@/frame></iframe><object data=@/object></object><embed src=@/embed>",
  "<style>@import '@/style'; body { background: url(@/background) }</style>",
  "<link rel=stylesheet href=@/link><base href=@/base><meta http-equiv=refresh content='0;url=@/meta'>",
  "<form action=@/form><input autofocus onfocus=window.hit=1></form>",
  "<video src=@/video poster=@/poster></video><audio src=@/audio>",
  "![picture](@/picture.png)",
  "![picture](@/picture2.png 'title\" onload=\"window.hit=1')",
  "![ref][pic]",
  "[a](javascript:window.hit=1) [b](command:workbench.action.quit) [c](vscode://x/y) [d](file:///etc/passwd)",
  "[e](JaVaScRiPt:window.hit=1) [f](java&#10;script:window.hit=1) [g](&#106;avascript:window.hit=1)",
  "[h](data:text/html,<script>window.hit=1</script>) [i](vbscript:x) [j](//evil.example) [k](\\\\\\\\evil.example)",
  "[l](https://good.example \"x' onmouseover='window.hit=1\")",
  "<javascript:window.hit=1> <command:quit> <https://good.example>",
  "[ref][bad] [bad]",
  "",
  "[bad]: javascript:window.hit=1 'title'",
  "[pic]: @/picture3.png",
  "",
  "# heading <img src=@/h onerror=window.hit=1>",
  "",
  "| a | <img src=@/td> |",
  "|---|---|",
  "| [x](command:a) | `<script>` |",
  "",
  "- [ ] <img src=@/li onerror=window.hit=1>",
  "",
  "```html title=<img/src=@/title> onload=window.hit=1",
  "<img src=@/code onerror=window.hit=1>",
  "```",
  "",
  '```"><script>window.hit=1</script>',
  "code",
  "```",
  "",
  "$\\href{javascript:window.hit=1}{x}$ $\\includegraphics{@/tex}$ \\(\\url{@/url}\\)",
  "",
  '[^"onload=window.hit=1]: note',
  "",
  'text [^"onload=window.hit=1]',
].join("\n");

describe("a hostile reply", function () {
  this.timeout(300_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  it("runs nothing, loads nothing and links only to https, http and mailto", async () => {
    const text = HOSTILE.replaceAll("@", opened.origin);
    const found = await opened.page.evaluate(async (source) => {
      const container = document.createElement("main");
      document.body.append(container);
      const highlighter = markdown.makeHighlighter();
      const stream = markdown.createMarkdownStream(container, { highlighter });
      for (let at = 0; at < source.length; at += 3) {
        stream.append(source.slice(at, at + 3));
        if (at % 60 === 0) await new Promise(requestAnimationFrame);
      }
      await stream.end();
      for (const link of container.querySelectorAll<HTMLElement>("a, span")) {
        link.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      }
      const all = [...container.querySelectorAll("*")];
      return {
        hit: (globalThis as { hit?: unknown }).hit,
        names: [...new Set(all.map((element) => element.tagName))].sort(),
        attributes: [...new Set(all.flatMap((element) => element.getAttributeNames()))].sort(),
        schemes: [
          ...new Set(
            [...container.querySelectorAll("[href]")].map((link) =>
              (link.getAttribute("href") ?? "").replace(/:.*|^#.*/s, ""),
            ),
          ),
        ].sort(),
        text: container.textContent,
      };
    }, text);
    assert.equal(found.hit, undefined);
    for (const name of [
      "SCRIPT",
      "IMG",
      "IFRAME",
      "OBJECT",
      "EMBED",
      "STYLE",
      "LINK",
      "FORM",
      "VIDEO",
    ]) {
      assert.ok(!found.names.includes(name), name);
    }
    assert.deepEqual(
      found.attributes.filter(
        (name) => name.startsWith("on") || name === "src" || name === "style",
      ),
      [],
    );
    assert.deepEqual(
      found.schemes.filter((scheme) => !["", "http", "https", "mailto"].includes(scheme)),
      [],
    );
    assert.ok(found.text.includes(`![picture](${opened.origin}/picture.png)`));
    assert.deepEqual(opened.foreignRequests, []);
    assert.deepEqual(await opened.violations(), []);
  });

  const long = "x".repeat(1_000_000);
  const pathological: Record<string, string> = {
    "a word of 1 MB": long,
    "strikethrough in strikethrough": `${"~~a ".repeat(2_500)}b${"~~".repeat(2_500)}`,
    "open brackets": "[".repeat(60_000),
    "links within links": "[a](".repeat(30_000),
    "backticks of growing length": Array.from({ length: 700 }, (_, index) =>
      "`".repeat(index),
    ).join("a"),
    "quotes in quotes": `${"> ".repeat(10_000)}a`,
    "lists in lists": Array.from({ length: 500 }, (_, index) => `${"  ".repeat(index)}- a`).join(
      "\n",
    ),
    entities: "&amp".repeat(50_000),
    "a table of many columns": `${"|a".repeat(3_000)}\n${"|-".repeat(3_000)}\n${"|\n".repeat(3_000)}`,
    "labels with `^`":
      Array.from({ length: 3_000 }, (_, index) => `[^${index}]: n\n`).join("") +
      "[^1]".repeat(3_000),
    "link definitions": Array.from({ length: 4_000 }, (_, index) => `[a${index}]: /u\n\n`).join(""),
    "a line of code of 200 kB": `\`\`\`js\n${"(".repeat(200_000)}`,
    "code that never closes a string": `\`\`\`js\n${'"\\'.repeat(700)}\n${"`${".repeat(600)}\n\`\`\`\n`,
  };
  for (const [name, text] of Object.entries(pathological)) {
    it(`is shown completely without blocking: ${name}`, async () => {
      const shown = await opened.page.evaluate(async (source) => {
        const container = document.createElement("main");
        document.body.append(container);
        const stream = markdown.createMarkdownStream(container);
        for (let at = 0; at < source.length; at += 20_000) {
          stream.append(source.slice(at, at + 20_000));
          await new Promise(requestAnimationFrame);
        }
        await stream.end();
        const { length } = container.textContent;
        container.remove();
        return length;
      }, text);
      assert.ok(shown > 0 || name === "link definitions");
    });
  }

  it("limits the depth of nested emphasis, and loses no text", async () => {
    const shown = await opened.page.evaluate(() => {
      const container = markdown.whole(`${"~~a ".repeat(800)}b${"~~".repeat(800)} [c](/d) *e*`);
      let depth = 0;
      for (const element of container.querySelectorAll("del")) {
        let own = 0;
        for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) own++;
        depth = Math.max(depth, own);
      }
      return { depth, text: container.textContent, links: container.querySelectorAll("a").length };
    });
    assert.ok(shown.depth > 5 && shown.depth < 20, `${shown.depth}`);
    assert.equal(shown.text, `${"a ".repeat(800)}b c e`);
    assert.equal(shown.links, 1);
  });

  it("shows the text after 256 KiB as plain text", async () => {
    const shown = await opened.page.evaluate(() => {
      const text = `${"a line of **text**\n\n".repeat(13_000)}# no heading\n`;
      const container = markdown.whole(`${text}${"b **c**\n".repeat(4_000)}`);
      const rest = container.querySelector("pre.plain-rest");
      return {
        bold: container.querySelectorAll("strong").length,
        rest: rest?.textContent.slice(-9),
      };
    });
    assert.ok(shown.bold > 10_000);
    assert.equal(shown.rest, "\nb **c**\n");
  });

  it("marks hidden characters in code and leaves the code unchanged", async () => {
    const code =
      "a\u202eb\u200bc \u{e0041} x\ufe0f\n\u{1f468}\u200d\u{1f469} می\u200cخواهم \u2764\ufe0f\n";
    const shown = await opened.page.evaluate((source) => {
      const container = markdown.whole(`\`\`\`js\n${source}\`\`\`\n\n    z\u2066\n`);
      const blocks = [...container.querySelectorAll("code")];
      const marks = [...container.querySelectorAll<HTMLElement>(".hidden-character")];
      return {
        texts: blocks.map((block) => block.textContent),
        marks: marks.map(({ title }) => title),
      };
    }, code);
    assert.deepEqual(shown.texts, [code, "z\u2066\n"]);
    assert.deepEqual(shown.marks, [
      "U+202E RIGHT-TO-LEFT OVERRIDE",
      "U+200B ZERO WIDTH SPACE",
      "U+E0041 TAG CHARACTER",
      "U+FE0F VARIATION SELECTOR-16",
      "U+2066 LEFT-TO-RIGHT ISOLATE",
    ]);
  });
});
