import assert from "node:assert/strict";
import { SpokenText } from "../../../src/webview/state/spokenText";

/** Returns the sentences of `text`, pushed in pieces of `length` characters. */
function sentencesOf(text: string, length: number, language = "en"): string[] {
  const spoken = new SpokenText(language);
  const sentences: string[] = [];
  for (let at = 0; at < text.length; at += length) {
    sentences.push(...spoken.push(text.slice(at, at + length)));
  }
  return [...sentences, ...spoken.end()];
}

describe("SpokenText", () => {
  function check(name: string, text: string, expected: string[], language = "en") {
    it(name, () => {
      for (const length of [1, 3, 7, text.length]) {
        assert.deepEqual(sentencesOf(text, length, language), expected, `in pieces of ${length}`);
      }
    });
  }

  check("reads sentence by sentence", "One is here. Two is there.", [
    "One is here.",
    "Two is there.",
  ]);
  check("reads a sentence across a line ending as one", "One is\nhere. Two.", [
    "One is here.",
    "Two.",
  ]);
  check("ends a sentence with its paragraph", "no full stop\n\nnext", ["no full stop", "next"]);
  check("reads a code block as one phrase", "Look:\n\n```ts\na. b\n\nc\n```\nDone.", [
    "Look:",
    "code block, ts, 3 lines",
    "Done.",
  ]);
  check(
    "reads a formula as text",
    "So $x^2 \\cdot y_1$ holds.\n\n$$\n\\frac{a}{b} = \\sqrt{c}\n$$\n",
    ["So x^2 · y 1 holds.", "formula: (a) / (b) = √(c)"],
  );
  check("does not read prices as formulas", "From $5 to $6.", ["From $5 to $6."]);
  check("reads a code block that never ends", "```\nx", ["code block, plain text, 1 line"]);
  check("does not end a fence of four backticks with three", "````md\n```\n````\n", [
    "code block, md, 1 line",
  ]);
  check("omits the markup of emphasis, code and links", "A **bold** `x` [link](https://e.x/).", [
    "A bold x link.",
  ]);
  check("reads list items and headings separately", "# Title\n- one\n- [x] two\n1. Three\n", [
    "Title",
    "one",
    "two",
    "1. Three",
  ]);
  check("reads the cells of a table only", "| a | b |\n|---|---|\n| 1 | 2 |\n", ["a, b", "1, 2"]);
  check("ends a sentence at a Chinese full stop", "你好。再见。", ["你好。", "再见。"], "zh-cn");
  check("keeps names with underscores unchanged", "Call my_own_name now.", [
    "Call my_own_name now.",
  ]);

  it("reads a sentence as soon as the next one starts", () => {
    const spoken = new SpokenText("en");
    assert.deepEqual(spoken.push("The first sentence. The sec"), ["The first sentence."]);
    assert.deepEqual(spoken.push("ond one. An"), ["The second one."]);
  });

  it("does not wait forever for the end of a sentence", () => {
    const spoken = new SpokenText("en");
    assert.ok(spoken.push("word ".repeat(200)).length > 0);
  });

  it("uses the default for a language that the browser does not support", () => {
    assert.deepEqual(sentencesOf("One.", 1, "tlh"), ["One."]);
    assert.deepEqual(sentencesOf("One.", 1, ""), ["One."]);
  });
});
