/** Comments that a preview of Markdown hides. Cases: https://spec.commonmark.org/0.31.2/#html-blocks */
import assert from "node:assert/strict";
import { withoutHtmlComments } from "../../../src/markdown/htmlComments";

describe("withoutHtmlComments", () => {
  const removed: Readonly<Record<string, readonly [text: string, kept: string]>> = {
    "a block": ["a\n\n<!-- hidden -->\n\nb", "a\n\n\n\nb"],
    "several lines with blank lines": ["<!-- a\n\nb\n-->c", "c"],
    "a comment in a sentence": ["a <!-- b --> c", "a  c"],
    "a comment of two lines in a sentence": ["a <!-- b\nd --> c", "a  c"],
    "a comment in a quotation and a list": ["> - a <!-- b --> c", "> - a  c"],
    "a comment in a table": ["| a |\n| - |\n| <!-- b --> c |", "| a |\n| - |\n|  c |"],
    "a comment that is not closed": ["a\n\n<!-- b\n\nc", "a\n\n"],
    "a comment inside other HTML": ["<div>\n<!-- b -->\nc</div>", "<div>\n\nc</div>"],
    "a comment from one block to another": ["<div><!--\n\nb\n\n--></div>", "<div></div>"],
    "a comment with a fence inside": ["<!--\n```\nb\n```\n-->\nc", "\nc"],
    "an empty comment": ["a <!----> b <!--> c -->", "a  b  c -->"],
    "a comment after an escaped backslash": ["\\\\<!-- b -->", "\\\\"],
    "a comment between code": ["`a` <!-- b --> `c`", "`a`  `c`"],
  };
  for (const [name, [text, kept]] of Object.entries(removed)) {
    it(`removes ${name}`, () => {
      assert.equal(withoutHtmlComments(text), kept);
    });
  }

  const shown: Readonly<Record<string, string>> = {
    "a fence": "```html\n<!-- a -->\n```",
    "an indented block": "a\n\n    <!-- b -->\n",
    "a code span": "Write `<!-- a -->` first.",
    "an escape": "\\<!-- a -->",
    "an opening without an end in a sentence": "Write <!-- first.",
    "plain text": "a -- b --> c",
  };
  for (const [name, text] of Object.entries(shown)) {
    it(`keeps ${name}, which a preview shows`, () => {
      assert.equal(withoutHtmlComments(text), text);
    });
  }

  it("removes all of very many comments", () => {
    assert.equal(withoutHtmlComments("<!-- a -->b".repeat(2_000)), "b".repeat(2_000));
    assert.equal(withoutHtmlComments("a <!-- ".repeat(20_000)), "a ");
  });
});
