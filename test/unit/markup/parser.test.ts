/** The dialect: which addresses become links, what is a formula, a footnote, a task. */
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Block } from "../../../src/markup/blockTree";
import { linkKind } from "../../../src/markup/linkPolicy";
import { createParser } from "../../../src/markup/parser";

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
    relative: ["src/a.ts", "/x", "#part", "a b".replace(" ", "%20")],
    refused: [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java\tscript:alert(1)",
      "command:workbench.action.quit",
      "vscode://x",
      "data:text/html,x",
      "file:///etc/passwd",
      "//evil.example",
      "\\\\evil.example",
      "https:evil",
      "https://a\u202eb",
    ],
  };
  for (const [kind, addresses] of Object.entries(cases)) {
    for (const address of addresses) {
      it(`sorts ${JSON.stringify(address)} under ${kind}`, () => {
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

  it("leaves prices and escaped dollars alone", () => {
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

  it("asks for every definition it misses", () => {
    const asked: string[] = [];
    parser.inline("[a][b] [c] [^1]", {
      reference: (label) => void asked.push(label),
      hasFootnote: (label) => {
        asked.push(`^${label}`);
        return false;
      },
    });
    assert.deepEqual([...new Set(asked)].sort(), ["B", "C", "^1"]);
  });

  it("shows what is nested too deeply as text instead of dropping it", () => {
    const { root } = parser.blocks(`${"> ".repeat(500)}deep`);
    assert.match(JSON.stringify(root), /deep/);
  });
});
