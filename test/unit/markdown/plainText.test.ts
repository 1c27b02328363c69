/** A reply as plain text: the markup is removed, and no text is lost. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { plainText, type PlainTextLabels } from "../../../src/markdown/plainText";

const words: PlainTextLabels = {
  heading: (level) => `Heading ${level}:`,
  codeStart: (language) => (language === "" ? "Code:" : `Code, ${language}:`),
  codeEnd: "End of code",
  quote: "Quote:",
  formula: "Formula:",
  tableRow: (row) => (row === 0 ? "Table:" : `Row ${row}:`),
  taskDone: "Completed:",
  taskOpen: "To do:",
};

const plain = (text: string) => plainText(text, words);

describe("plainText", () => {
  it("removes the markup of emphasis, code and strikethrough", () => {
    assert.equal(plain("**Use** `map`, *not* ~~for~~\\*."), "Use map, not for*.");
  });

  it("describes the level of headings and the start and end of code", () => {
    assert.equal(
      plain("## Steps\n\n```ts a.ts\nconst a = `*b*`;\n```\nDone"),
      "Heading 2: Steps\n\nCode, ts:\nconst a = `*b*`;\nEnd of code\n\nDone",
    );
  });

  it("keeps all of a code block whose fence is not closed", () => {
    assert.equal(plain("```\na\n  b"), "Code:\na\n  b\nEnd of code");
  });

  it("numbers lists, indents their content and describes tasks", () => {
    assert.equal(
      plain("3. one\n   - in\n4. two\n\n* [x] done\n* [ ] open"),
      "3. one\n   - in\n4. two\n\n- Completed: done\n- To do: open",
    );
  });

  it("reads a table row by row", () => {
    assert.equal(plain("| a | b |\n|---|---|\n| `c` | d |"), "Table: a | b\nRow 1: c | d");
  });

  it("contains a link's target once", () => {
    assert.equal(
      plain("[docs](https://a.example/b), <https://c.example>, [ref][x]\n\n[x]: https://d.example"),
      "docs (https://a.example/b), https://c.example, ref (https://d.example)",
    );
  });

  it("keeps quotes, formulas and pictures separate", () => {
    assert.equal(
      plain("> q\n\nA $x^2$ ![dot](d.png)\n\n$$\ny\n$$"),
      "Quote:\nq\n\nA x^2 dot (d.png)\n\nFormula: y",
    );
  });

  it("shows raw HTML as text and does not change other text", () => {
    assert.equal(plain("<b>x</b> 2 * 3 * 4"), "<b>x</b> 2 * 3 * 4");
    assert.equal(plain(""), "");
  });

  it("keeps every word in any markup", () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z]{3,8}$/),
      fc.constantFrom(
        "\n",
        "\n\n",
        " ",
        "**",
        "`",
        "- ",
        "> ",
        "# ",
        "| ",
        "~~~\n",
        "$",
        "[",
        "](",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const source = pieces.join("");
        const shown = plain(source);
        // Words in the info string of a fence or in a link definition may not be shown.
        if (/~~~|^\s*\[[^\]]*\]:/m.test(source)) return;
        for (const word of source.match(/[a-z]{3,}/g) ?? []) assert.ok(shown.includes(word), word);
      }),
    );
  });
});
