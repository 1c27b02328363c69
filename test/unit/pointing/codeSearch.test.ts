/** The lines of a workspace that have the texts of a mark: a mark shows a text, and code writes that text. */
import assert from "node:assert/strict";
import { CodeSearch } from "../../../src/pointing/codeSearch";

const FILES: Readonly<Record<string, string>> = {
  "cart.ts": [
    "const total = sum(items);",
    'const title = t("Your basket");',
    "if (status === 409) throw new Conflict();",
    "return `Total: ${format(total)}`;",
    "export const subtotal = total;",
    "const a = 1;".repeat(200) + " Minified label",
  ].join("\n"),
  "Button.vue": "<button>Place order</button>\n<!-- button -->",
  "zh.json": '{ "pay": "立即支付" }',
  "many.ts": "const button = makeButton();\n".repeat(9) + "// button\n".repeat(6),
};

function linesFor(label: string, reply = ""): readonly string[] {
  const search = new CodeSearch<string>(label, reply);
  for (const [name, text] of Object.entries(FILES)) search.addFile(name, text.split("\n"));
  return search.best().map(([file, line]) => `${file}:${line}`);
}

describe("the code of a mark", () => {
  const cases: readonly (readonly [
    what: string,
    label: string,
    lines: readonly string[],
    reply?: string,
  ])[] = [
    ["has the label as it is written", "Place order", ["Button.vue:1"]],
    ["has the label in another case", "PLACE ORDER", ["Button.vue:1"]],
    [
      "has a part of the label, not of a word",
      "Total: 4.70 instead of 7.08",
      ["cart.ts:1", "cart.ts:4", "cart.ts:5"],
    ],
    ["has a number of the label", "Error 409", ["cart.ts:3"]],
    ["has what the label quotes", 'The heading "Your basket" is cut off', ["cart.ts:2"]],
    ["has Chinese text without blanks", "按钮“立即支付”", ["zh.json:1"]],
    [
      "has a word of the label if nothing longer is there",
      "Order of the basket",
      ["cart.ts:2", "Button.vue:1"],
    ],
    [
      "is what the reply names in the label's sentence",
      "The sum",
      ["cart.ts:5"],
      "The sum is wrong, because of `subtotal`.",
    ],
    [
      "is what the reply quotes in the label's sentence",
      "A heading",
      ["cart.ts:2"],
      "A heading says “Your basket”.",
    ],
    [
      "is not what the reply names elsewhere",
      "A heading",
      [],
      "A heading is cut.\nAn error is in `subtotal`.",
    ],
    ["is not in more than five lines", "The button", []],
    ["is not behind the first 1,000 characters", "Minified label", []],
    ["is nowhere for a mark without a label", "", []],
  ];
  for (const [what, label, lines, reply] of cases) {
    it(what, () => assert.deepEqual(linesFor(label, reply), lines));
  }
});
