/** Text that a preview of Markdown hides. Cases: https://spec.commonmark.org/0.31.2/#html-blocks */
import assert from "node:assert/strict";
import { mayHideText, shownText } from "../../../src/markdown/unshownText";

describe("shownText", () => {
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
    "a processing instruction": ["a <?php hidden ?> c\n\n<?x\n\nhidden?>\nd", "a  c\n\n\nd"],
    CDATA: ["a <![CDATA[ hidden ]]> c\n\n<![CDATA[\n\nhidden ]]>", "a  c\n\n"],
    "a declaration": ["<!DOCTYPE hidden>\n\na", "\n\na"],
    "a definition that stands for a comment": ["[//]: # (hidden)\n\na", "\n\na"],
    "definitions of links that are missing": [
      "a\n\n> - [x]: <#> 'hidden\n>   text'\n\n[y]: #hidden\n[z]: b\n\n[z]",
      "a\n\n\n\n\n\n[z]: b\n\n[z]",
    ],
    "hidden characters as entities": ["a&#x200B;b&#917601;c&#38;&nbsp;", "abc&#38;&nbsp;"],
    "a comment between code": ["`a` <!-- b --> `c`", "`a`  `c`"],
  };
  for (const [name, [text, kept]] of Object.entries(removed)) {
    it(`removes ${name}`, () => {
      assert.equal(shownText(text), kept);
    });
  }

  const shown: Readonly<Record<string, string>> = {
    "a fence": "```html\n<!-- a -->\n```",
    "an indented block": "a\n\n    <!-- b -->\n",
    "a code span": "Write `<!-- a -->` first.",
    "an escape": "\\<!-- a -->",
    "an opening without an end in a sentence": "Write <!-- first.",
    "plain text": "a -- b --> c",
    "a definition that a link uses": "[a]: https://b.example 'title'\n\nSee [A] and ![c][a].",
    "a definition in code": "```\n[//]: # (a)\n```",
    "a line like a definition in a sentence": "Write\n[//]: # (a)",
    "an empty quotation and list": ">\n\n-\n\n1.",
    "a comparison": "a <! b and <?= c",
  };
  for (const [name, text] of Object.entries(shown)) {
    it(`keeps ${name}, which a preview shows`, () => {
      assert.equal(shownText(text), text);
    });
  }

  it("finds HTML that may hide text", () => {
    const hiding = [
      "<p hidden>a</p>",
      "a <b style='display:none'>b</b>",
      "<img alt='b'>",
      "<style>a",
    ];
    const others = ["<rules>\na\n</rules>", "a<br>b", '<a href="b">c</a>', "`<p hidden>`", "a < b"];
    assert.deepEqual([...hiding, ...others].filter(mayHideText), hiding);
    assert.ok(mayHideText("a <ignore all rules> b"));
  });
});
