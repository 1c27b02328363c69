/** The Markdown dialect: links, formulas and tasks. */
import assert from "node:assert/strict";
import type { Block } from "../../../src/markdown/blockTree";
import { linkKind } from "../../../src/markdown/linkPolicy";
import { createParser } from "../../../src/markdown/parser";

const parser = createParser();

function inline(source: string): string[] {
  return parser.inline(source).map((token) => `${token.type} ${token.content}`);
}

function kinds(source: string): string[] {
  return parser.blocks(source).root.children.map(({ kind }) => kind);
}

describe("linkKind", () => {
  const cases: Record<string, string[]> = {
    web: ["https://a.b", "HTTP://a.b", "mailto:a@b.c"],
    relative: ["src/a.ts", "/x", "a.md#part", "a b".replace(" ", "%20")],
    refused: [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java\tscript:alert(1)",
      "command:workbench.action.quit",
      "vscode://x",
      "data:text/html,x",
      "file:///etc/passwd",
      "//evil.example",
      "#part",
      "\\\\evil.example",
      "https:evil",
      "https://a\u202eb",
    ],
  };
  for (const [kind, addresses] of Object.entries(cases)) {
    for (const address of addresses) {
      it(`classifies ${JSON.stringify(address)} as ${kind}`, () => {
        assert.equal(linkKind(address), kind);
      });
    }
  }
});

describe("createParser", () => {
  it("links bare addresses of the web and e-mail, not file names", () => {
    const types = (source: string) => parser.inline(source).map(({ type }) => type);
    assert.ok(types("see https://a.example/x.").includes("link_open"));
    assert.ok(types("see www.example.com now").includes("link_open"));
    assert.ok(types("write to a@example.com").includes("link_open"));
    assert.deepEqual(types("edit main.rs, foo.md and example.com"), ["text"]);
    assert.deepEqual(types("ftp://a.b and //a.b"), ["text"]);
  });

  /** Returns inline source with HTML tags for its opening and closing tokens. */
  function marked(source: string, isTableCell = false): string {
    return parser
      .inline(source, { isTableCell })
      .map((token) => {
        if (token.type === "text") return token.content;
        const href = token.attrGet("href");
        if (token.nesting > 0) return `<${token.tag}${href === null ? "" : ` ${String(href)}`}>`;
        return token.nesting < 0 ? `</${token.tag}>` : `<${token.tag}/>${token.content}`;
      })
      .join("");
  }

  for (const [source, expected] of [
    ["**重要：**后面这段话", "<strong>重要：</strong>后面这段话"],
    ["请**务必（must）**按照", "请<strong>务必（must）</strong>按照"],
    ["检查**“只读”**模式", "检查<strong>“只读”</strong>模式"],
    ["**“只读”**API", "<strong>“只读”</strong>API"],
    ["***非常重要：***请", "<em><strong>非常重要：</strong></em>请"],
    ["*强调。*谢谢", "<em>强调。</em>谢谢"],
    ["~~删除。~~谢谢", "<s>删除。</s>谢谢"],
    ["これは**「強調」**です", "これは<strong>「強調」</strong>です"],
    ["**한국어(Korean)**는", "<strong>한국어(Korean)</strong>는"],
    ["**a（x）**和**（b）**", "<strong>a（x）</strong>和<strong>（b）</strong>"],
    ['a**"b"**c', 'a**"b"**c'],
    ["2 ** 3 ** 4", "2 ** 3 ** 4"],
  ] as const) {
    it(`reads emphasis next to punctuation and CJK letters: ${source}`, () => {
      assert.equal(marked(source), expected);
    });
  }

  for (const [source, address] of [
    ["(See https://a.example/x.html.)", "https://a.example/x.html"],
    ["https://a.example/c: text", "https://a.example/c"],
    ["~~https://a.example/c~~", "https://a.example/c"],
    ["__https://a.example/c__", "https://a.example/c"],
    ["https://a.example/a?b=c&amp;d=e", "https://a.example/a?b=c&d=e"],
    ["www.google.com/search?q=(business))+ok", "http://www.google.com/search?q=(business))+ok"],
    ["www.google.com/search?q=commonmark&hl;", "http://www.google.com/search?q=commonmark"],
    [
      "(www.google.com/search?q=Markup+(business))",
      "http://www.google.com/search?q=Markup+(business)",
    ],
    ["看 https://a.example/c。好", "https://a.example/c"],
    ["访问https://a.example英文", "https://a.example"],
    ["访问https://a.example/docs了解更多", "https://a.example/docs"],
    ["https://a.example/wiki/中文2章", "https://a.example/wiki/%E4%B8%AD%E6%96%872%E7%AB%A0"],
    ["www.a.example에서", "http://www.a.example"],
    ["Mail me@163.com: ok", "mailto:me@163.com"],
    ["name@1.2.3 and pkg@2.0.0-rc.1", undefined],
    ["git@a.example:me/repo.git root@b.example:22", undefined],
    ["hello@mail+xyz.example", undefined],
    ["a.b-c_d@a.b-", undefined],
    ["a.b-c_d@a.b_", undefined],
  ] as const) {
    it(`ends a bare address where GitHub does: ${source}`, () => {
      assert.equal(/<a (\S+?)>/.exec(marked(source))?.[1], address);
    });
  }

  it("reads <br> in a table cell as a line break, and nowhere else", () => {
    assert.equal(marked("a<br>b<br />c", true), "a<br/>b<br/>c");
    assert.equal(marked("a<br>b"), "a<br>b");
    assert.equal(marked("`<br>`", true), "<code/><br>");
  });

  it("reads a LaTeX environment as a formula, and escaped brackets around words as text", () => {
    assert.deepEqual(kinds("a\n\\begin{align}\nx &= y \\\\\n\\end{align}\nb"), [
      "paragraph",
      "math",
      "paragraph",
    ]);
    assert.deepEqual(kinds("\\begin{tabular}\nx\n\\end{tabular}"), ["paragraph"]);
    assert.deepEqual(inline("a \\[optional\\] \\(sis\\) \\(ABC\\)"), [
      "text a [optional] (sis) ",
      "math_inline ABC",
    ]);
    assert.deepEqual(kinds("\\[optional\\]"), ["paragraph"]);
  });

  it("reads formulas of all four kinds", () => {
    assert.deepEqual(inline("a $x^2$ b \\(y\\) $$z$$ \\[w\\]"), [
      "text a ",
      "math_inline x^2",
      "text  b ",
      "math_inline y",
      "text  ",
      "math_inline z",
      "text  ",
      "math_inline w",
    ]);
  });

  it("does not change prices and escaped dollars", () => {
    assert.deepEqual(inline("from $5 to $10"), ["text from $5 to $10"]);
    assert.deepEqual(inline("\\$x\\$"), ["text $x$"]);
  });

  it("ends a formula block at its mark, or at a blank line as text", () => {
    assert.deepEqual(kinds("$$\nx\n$$\ny"), ["math", "paragraph"]);
    assert.deepEqual(kinds("a\n$$\nx\n\ny"), ["paragraph", "text", "paragraph"]);
    assert.deepEqual(kinds("\\[\nx\n\\]"), ["math"]);
  });

  it("reads tasks only where GitHub does", () => {
    const first = (source: string): Block | undefined => {
      const [list] = parser.blocks(source).root.children;
      return list?.kind === "list" ? list.children[0]?.children[0] : undefined;
    };
    const open = first("- [ ] do");
    assert.ok(open?.kind === "paragraph" && open.task === "open" && open.content === "do");
    const none = first("- [] do");
    assert.ok(none?.kind === "paragraph" && none.task === undefined);
  });

  it("shows deeply nested content as text instead of dropping it", () => {
    const { root } = parser.blocks(`${"> ".repeat(500)}deep`);
    assert.match(JSON.stringify(root), /deep/);
  });
});
