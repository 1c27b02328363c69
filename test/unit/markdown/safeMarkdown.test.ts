/** A reply as Markdown for VS Code's own views: what it shows stays, what would load or run goes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import createMarkdownIt from "markdown-it";
import { safeMarkdown } from "../../../src/markdown/safeMarkdown";

/** CommonMark with HTML, which would show what our own parser shows as text. */
const commonMark = createMarkdownIt("commonmark", { html: true }).enable([
  "table",
  "strikethrough",
]);

function htmlOf(reply: string): string {
  return commonMark.render(safeMarkdown(reply));
}

/** Ways to make a viewer load an address, each alone and inside blocks. */
const TRAPS = [
  "![a](https://evil.example/1.png)",
  "![a][r]\n\n[r]: https://evil.example/2.png",
  "![r]\n\n[r]: https://evil.example/3.png",
  "\\\\![a](https://evil.example/4.png)",
  "!![a](https://evil.example/5.png)",
  "[![a](https://evil.example/6.png)](https://evil.example/)",
  '<img src="https://evil.example/7.png">',
  "<!--\n```js\n-->\n![x](https://evil.example/8.png)\n```",
  "<pre>\n\n![x](https://evil.example/9.png)\n\n</pre>",
  "`a\n![x](https://evil.example/10.png)`b",
  "~~~\n```\n~~~\n![x](https://evil.example/11.png)\n```",
  "    ![x](https://evil.example/12.png)\n\n![y](https://evil.example/13.png)",
  "| a |\n| - |\n| ![x](https://evil.example/14.png) `|` |",
  "&#33;[x](https://evil.example/15.png)",
];

describe("safeMarkdown", () => {
  it("lets no image and no element of HTML through, in any block", () => {
    const wraps = [
      (trap: string) => trap,
      (trap: string) => trap.replaceAll(/^/gm, "> "),
      (trap: string) => `- ${trap.replaceAll("\n", "\n  ")}`,
      (trap: string) => `text\n${trap}\ntext`,
      (trap: string) => `\`\`\`md\n${trap}`,
    ];
    for (const trap of TRAPS) {
      for (const wrap of wraps) {
        for (let end = 1; end <= trap.length; end++) {
          const html = htmlOf(wrap(trap.slice(0, end)));
          assert.doesNotMatch(html, /<(?:img|pre>(?!<code)|script|!--)/, JSON.stringify(trap));
        }
      }
    }
  });

  it("keeps links to the web and shows the text of other links", () => {
    const html = htmlOf(
      "[a](https://a.example/?q=1) [b](command:x) [c](file:///etc) [d](vscode://x)",
    );
    assert.match(html, /<a href="https:\/\/a\.example\/\?q=1">a<\/a> b c d/);
    assert.equal(html.split("<a ").length, 2);
  });

  it("turns an image into a link with its name", () => {
    assert.match(htmlOf("![Plan](https://a.example/p.png)"), /<a href="[^"]+p\.png">Plan<\/a>/);
  });

  it("keeps code as written, however many backticks it has", () => {
    const code = "#![allow(x)]\nlet a = `b`;\n```\nno end\n";
    const html = htmlOf(`\`\`\`\`rust\n${code}\`\`\`\``);
    assert.ok(html.includes('<code class="language-rust">'), html);
    assert.ok(html.includes("#![allow(x)]\nlet a = `b`;\n```\nno end\n"), html);
  });

  it("closes a block whose end has not arrived", () => {
    assert.match(htmlOf("Text\n\n```ts\nconst a = 1;"), /<pre><code[^>]*>const a = 1;\n<\/code>/);
  });

  it("keeps the structure of lists, tables, headings and quotes", () => {
    const html = htmlOf(
      "## T\n\n1. a\n   - b\n2. `c|d`\n\n> q\n\n| x | y |\n| - | - |\n| 1 | **2** |",
    );
    for (const part of ["<h2>T</h2>", "<ol>", "<ul>", "c|d", "<blockquote>", "<td><strong>2"]) {
      assert.ok(html.includes(part), `${part} is missing: ${html}`);
    }
  });

  it("shows text that looks like Markdown as written", () => {
    const html = htmlOf("1 \\* 2 \\_x\\_ &amp;lt; a<b>c # no\n\\# not a heading");
    assert.ok(html.includes("1 * 2 _x_ &amp;lt; a&lt;b&gt;c # no"), html);
    assert.doesNotMatch(html, /<h1>/);
  });

  it("loses no word of the replies that models wrote", () => {
    const { replies } = JSON.parse(readFileSync("test/fixtures/replies/replies.json", "utf8")) as {
      replies: readonly { name: string; reply: string }[];
    };
    assert.ok(replies.length > 0, "there are no replies");
    for (const { name, reply } of replies) {
      const shown = htmlOf(reply);
      assert.doesNotMatch(shown, /<(?:img|script|iframe)/, name);
      for (const [word] of reply.matchAll(/\p{L}{6,}/gu)) {
        assert.ok(shown.includes(word), `${name} lacks ${word}`);
      }
    }
  });
});
