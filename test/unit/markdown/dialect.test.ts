/** Line ends, directions, long formulas, colors of terminals and labels of diagrams. Inputs from public reports. */
import assert from "node:assert/strict";
import { codeBlocks } from "../../../src/markdown/codeBlocks";
import { proseOf, rightToLeftLead } from "../../../src/markdown/direction";
import { unwrapped } from "../../../src/markdown/lineEnds";
import { createParser } from "../../../src/markdown/parser";
import { plainInline, plainText, type PlainTextLabels } from "../../../src/markdown/plainText";
import { quotedLabels } from "../../../src/renderer/diagrams/quotedLabels";
import { shownLines } from "../../../src/renderer/draftLines";
import { completeInline } from "../../../src/renderer/inlineDraft";

const parser = createParser();

describe("a single line end", () => {
  const MEANT = [
    "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you.",
    "Task: done\nNext: review\nLast: publish",
    "✅ Build passed\n❌ Lint failed\n⚠️ 3 warnings",
    "姓名：张三\n电话：12345",
    "• a first point that is long enough to reach the column of wrapped prose\n• b",
    "**Cause:** a sentence that is long enough to reach the column of wrapped prose\n**Fix:** b",
    `${"a line of prose that no model wraps ".repeat(4)}\nand another`,
    "I repaired the parser, all tests pass now, and the coverage is up.\nThe documents are new.",
    "Question: what is the capital of France, and how many live there?\nAnswer: Paris.",
    "short\na line that is long enough to reach the column of wrapped prose, once\nlast",
  ];
  const WRAPPED = [
    "A model that wraps its prose at 72 columns writes lines of about this\nlength, and nobody wants to see them ragged in a panel that is wider\nor narrower than that.",
    "Before a long name, a line is shorter than the others are: see\n`src/webview/transcript/replyRenderer.ts` for the code that does it, and\nmore.",
  ];

  it("is a line break (gpt4all#2728, omnigent#6618, nanobot#3889)", () => {
    for (const source of MEANT) assert.equal(unwrapped(source), source);
    for (const source of MEANT) {
      const text = plainInline(parser, new Map(), source, false);
      assert.equal(text.split("\n").length, source.split("\n").length);
    }
  });

  it("is a space in wrapped prose, but not after the marks of a line break", () => {
    for (const source of WRAPPED) assert.equal(unwrapped(source), source.replaceAll("\n", " "));
    const hard = WRAPPED[0]!.replace("this\n", "this  \n");
    assert.equal(unwrapped(hard).split("\n").length, 2);
  });
});

describe("`[^1]` and its definition", () => {
  it("are shown as they are written, also as plain text and while they arrive", () => {
    for (const definition of ["[^1]: A note.", "[^1]: word", "[^1]: https://a.example"]) {
      const source = `A claim.[^1]\n\n${definition}`;
      // No block of these texts has a label.
      assert.equal(plainText(source, {} as PlainTextLabels), source);
      for (let end = "[^".length; end <= definition.length; end++) {
        const part = definition.slice(0, end);
        assert.deepEqual(shownLines([], part, undefined), [part]);
        assert.equal(completeInline(part), part);
      }
    }
  });
});

describe("the direction of a text", () => {
  const isRightToLeft = (source: string) => rightToLeftLead(proseOf(parser.inline(source))) > 0;
  for (const [source, expected] of [
    ["React یک کتابخانه برای ساخت رابط کاربری است.", true],
    ["`build` را اجرا کنید.", true],
    ["src/components/Button.tsx را باز کنید و https://example.com/a/long/address", true],
    ["**VS Code** הוא עורך קוד פתוח", true],
    ["שלום means hello in Hebrew", false],
    ["The word سلام is a greeting", false],
    ["English only, `کد` in code", false],
    ["abc אבג", false],
    ["אבג abc", true],
    ["123 …", false],
  ] as const) {
    it(`is that of most letters: ${source}`, () => {
      assert.equal(isRightToLeft(source), expected);
    });
  }
});

describe("a long formula", () => {
  const kinds = (source: string, isOpen = false) =>
    parser.blocks(source, { isOpen }).root.children.map(({ kind }) => kind);

  it("may have blank lines (open-webui#9272)", () => {
    assert.deepEqual(kinds("$$\na = b\n\nc = d\n$$\n\nText"), ["math", "paragraph"]);
    assert.deepEqual(kinds("\\[\n\nA = \\begin{pmatrix}\n1\n\n2\n\\end{pmatrix}\n\n\\]"), ["math"]);
    assert.deepEqual(
      kinds("\\begin{align}\na &= b \\\\\n\nc &= \\text{if it is so}\n\\end{align}"),
      ["math"],
    );
  });

  it("takes no text after a blank line, and no second formula", () => {
    const texts = [
      "where x is the matrix",
      "# Head",
      "其中是矩阵",
      "- one item",
      "```\ncode\n```",
      "$$ y $$",
    ];
    for (const text of texts) {
      const [first, second] = kinds(`$$\na = b\n\n${text}\n$$`);
      assert.equal(first, "text", text);
      assert.notEqual(second, undefined);
    }
    assert.deepEqual(kinds("$$\na = b\n\nc = d"), ["text", "paragraph"]);
    assert.deepEqual(kinds("$$\na = b\n\nc = d\n", true), ["text"]);
  });

  it("may begin and end in the lines of a paragraph", () => {
    const source = "The matrix is $$\nA = 1\n$$ which is small.";
    assert.deepEqual(kinds(source), ["paragraph"]);
    assert.ok(parser.inline(source).some(({ type }) => type === "math_inline"));
    assert.deepEqual(kinds("It is\n$$\nA = 1\n$$\nand"), ["paragraph", "math", "paragraph"]);
  });
});

describe("control sequences of terminals", () => {
  it("are removed from code and text (openchamber#1965, claude-code#21436)", () => {
    const [block] = codeBlocks(
      "```\n\u001b[31mFAIL\u001b[0m \u001b]8;;https://a.b\u0007test\u001b]8;;\u001b\\\n```",
    );
    assert.equal(block?.text, "FAIL test\n");
    assert.equal(codeBlocks("```\n\\x1b[31m [31m\n```")[0]?.text, "\\x1b[31m [31m\n");
  });
});

describe("the labels of a diagram (marktext#4014, mermaid#7590)", () => {
  for (const [source, expected] of [
    ["A[inlet()] --> B[DB (main)]", 'A["inlet()"] --> B["DB (main)"]'],
    ["A(call(x)) -->|on click()| B{is (x)?}", 'A("call(x)") -->|"on click()"| B{"is (x)?"}'],
    ["A -- then (maybe) --> B[(cache (redis))]", 'A -- "then (maybe)" --> B[("cache (redis)")]'],
    ['A[say "hi" (x)] --> B["done (y)"]', 'A["say #quot;hi#quot; (x)"] --> B["done (y)"]'],
    [
      "A[plain] --> B((round)) --> C[[sub]] & D{{hex}}",
      "A[plain] --> B((round)) --> C[[sub]] & D{{hex}}",
    ],
    ["subgraph S[Group (one)]\n%% A[x(y)]", 'subgraph S["Group (one)"]\n%% A[x(y)]'],
    ["A[数据(主)] --> B[a[0]]", 'A["数据(主)"] --> B["a[0]"]'],
  ] as const) {
    it(`are quoted: ${source}`, () => {
      assert.equal(quotedLabels(`flowchart TD\n${source}`), `flowchart TD\n${expected}`);
    });
  }

  it("are left alone in other diagrams", () => {
    const source = "sequenceDiagram\nA->>B: call(x)[1]";
    assert.equal(quotedLabels(source), source);
  });
});
