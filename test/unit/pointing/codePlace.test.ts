/** The lines of code that replies give for marks, in the habits of several models: a wrong line is never shown. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { filesOf } from "../../../src/markdown/tracePlaces";
import { provenLine } from "../../../src/pointing/codePlace";
import { countingPoints } from "../../../src/pointing/placePointing";
import { PointingReader } from "../../../src/pointing/readPointing";

const CART = `export interface Item {
  name: string;
  priceCents: number;
}

/** What the customer pays, in cents. */
export function subtotal(items: Item[]): number {
  let sum = 0;
  for (const item of items.slice(0, -1)) {
    sum += item.priceCents;
  }
  return sum;
}

export function receiptLine(item: Item): string {
  const price = (item.priceCents / 100).toFixed(2);
  return \`\${item.name} \${price}\`;
}

export function receipt(items: Item[]): string {
  return [...items.map(receiptLine), subtotal(items)].join("\\n");
}`;
const PYTHON = `TAX_RATE = 0.19

def total_price(items):
    total = 0
    for item in items:
        total += item.price
    return total * TAX_RATE`;

const FILES: readonly (readonly [path: string, text: string])[] = [
  ["shop/cart.ts", CART],
  ["shop/main.ts", "start();\n"],
  ["admin/main.ts", "start();\n"],
  ["api/prices.py", PYTHON],
];

const LOOP = "for (const item of items.slice(0, -1)) {";

/** Files and replies by someone who had not seen the reader; each with the place of every mark. */
const STRANGER = JSON.parse(readFileSync("test/fixtures/marks/stranger.json", "utf8")) as {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly { name: string; reply: string; places: readonly string[] }[];
};

/** Returns the proven place of each mark of a reply, "" for none. */
function placesOf(reply: string, all = FILES): string[] {
  const reader = new PointingReader();
  const points = countingPoints([...reader.append(reply), ...reader.end()], { isAsked: true });
  return points.map(({ codePlace, label }) => {
    const files = all.map(([path, text]) => ({ folder: "work", path, text }));
    const places = (codePlace ? filesOf(codePlace.file, files) : []).flatMap(({ path, text }) => {
      const line = codePlace && provenLine(text.split("\n"), codePlace, label, reply);
      return line === undefined ? [] : [`${path}:${line}`];
    });
    return places.length === 1 ? (places[0] ?? "") : "";
  });
}

const json = (value: unknown) => `Look:\n\n\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\`\n`;
const BOX = { bbox_2d: [10, 20, 300, 400], label: "Sum leaves out the lamp" };
const mark = (place: object) => json([{ ...BOX, ...place }]);
const LINE_9 = "shop/cart.ts:9";
const cart = "shop/cart.ts";

/** Replies with their place; "" for those that prove none. */
const REPLIES: readonly (readonly [name: string, reply: string, place: string])[] = [
  ["file, line and code", mark({ file: cart, line: 9, code: LOOP }), LINE_9],
  ["a part of the line", mark({ file: cart, line: 9, code: "items.slice(0, -1)" }), LINE_9],
  [
    "other blanks",
    mark({ file: cart, line: 9, code: "for(const item of items.slice(0,-1)){" }),
    LINE_9,
  ],
  ["a shortened line", mark({ file: cart, line: 9, code: "for (const item of ... {" }), LINE_9],
  ["a number before the code", mark({ file: cart, line: 9, code: `9: ${LOOP}` }), LINE_9],
  ["several lines of code", mark({ file: cart, line: 9, code: `${LOOP}\n  sum += x` }), LINE_9],
  ["a line counted wrong, with its text", mark({ file: cart, line: 4, code: LOOP }), LINE_9],
  ["no line, with its text", mark({ file: cart, code: LOOP }), LINE_9],
  ["the line as a string", mark({ file: cart, line: "9", code: "items.slice(0" }), LINE_9],
  ["L9", mark({ file: cart, line: "L9", code: "slice" }), LINE_9],
  ["a range", mark({ file: cart, line: "9-11", code: "slice" }), LINE_9],
  ["a range in words", mark({ file: cart, lines: "lines 9 to 11", code: "slice" }), LINE_9],
  ["a range as a list", mark({ file: cart, lines: [9, 11], code: "slice" }), LINE_9],
  ["line and column", mark({ file: cart, line: "9:3", code: "slice" }), LINE_9],
  ["the text as the line", mark({ file: cart, line: LOOP }), LINE_9],
  ["file:line", mark({ file: `${cart}:9`, code: "slice" }), LINE_9],
  ["file:line:column in location", mark({ location: "cart.ts:9:3", code: "slice" }), LINE_9],
  ["a link of GitHub", mark({ path: `${cart}#L9-L11`, code: "slice" }), LINE_9],
  ["file (line 9)", mark({ file: "cart.ts (line 9)", code: "slice" }), LINE_9],
  ["a Chinese line", mark({ file: "cart.ts 第9行", code: "slice" }), LINE_9],
  ["other keys", mark({ filePath: cart, line_number: 9, snippet: LOOP }), LINE_9],
  ["an object", mark({ code: { file: cart, startLine: 9, snippet: LOOP } }), LINE_9],
  ["a path of Windows", mark({ file: "C:\\work\\shop\\cart.ts", line: 9, code: LOOP }), LINE_9],
  ["a path with ./", mark({ file: "./shop/cart.ts", line: 9, code: LOOP }), LINE_9],
  ["the folder's name before", mark({ file: "work/shop/cart.ts", line: 9, code: LOOP }), LINE_9],
  [
    "the file once for all marks",
    json({ file: cart, issues: [{ ...BOX, line: 9, code: LOOP }] }),
    LINE_9,
  ],
  [
    "Gemini's box",
    json([{ box_2d: [1, 2, 30, 40], label: "灯没有计入小计", file: cart, line: 9, code: LOOP }]),
    LINE_9,
  ],
  [
    "a named box",
    json([
      { label: "合计错误", bbox: { x1: 1, y1: 2, x2: 3, y2: 4 }, file: cart, line: 9, code: LOOP },
    ]),
    LINE_9,
  ],
  [
    "Python",
    mark({ file: "prices.py", line: 7, code: "return total * TAX_RATE" }),
    "api/prices.py:7",
  ],
  [
    "a name in the label, without code",
    json([{ ...BOX, label: "total_price ignores the discount", file: "prices.py", line: 3 }]),
    "api/prices.py:3",
  ],
  [
    "a name in the sentence about the mark",
    `- **${BOX.label}**: \`items.slice(0, -1)\` drops the last item.\n\n${mark({ file: cart, line: 9 })}`,
    LINE_9,
  ],
  // A place that nothing proves.
  ["only a number", mark({ file: cart, line: 9 }), ""],
  ["an ordinary word of the line", json([{ ...BOX, label: "const", file: cart, line: 9 }]), ""],
  ["no file", mark({ line: 9, code: LOOP }), ""],
  ["a file that is missing", mark({ file: "shop/basket.ts", line: 9, code: LOOP }), ""],
  ["another folder", mark({ file: "admin/cart.ts", line: 9, code: LOOP }), ""],
  ["two files of one name", mark({ file: "main.ts", line: 1, code: "start();" }), ""],
  [
    "one of two files",
    mark({ file: "admin/main.ts", line: 1, code: "start();" }),
    "admin/main.ts:1",
  ],
  ["a renamed function", mark({ file: cart, line: 7, code: "export function sumOf(items" }), ""],
  ["code that was made up", mark({ file: cart, line: 9, code: "for (let i = 0; i < n; i++)" }), ""],
  ["a short text at another line", mark({ file: cart, line: 2, code: "toFixed" }), ""],
  ["a short text without a line", mark({ file: cart, code: "receiptLine" }), ""],
  ["a text of two lines, at neither", mark({ file: cart, line: 12, code: "items: Item[]" }), ""],
  ["a name of the next line too", mark({ file: cart, line: 16, code: "item" }), ""],
  ["a part of a name", mark({ file: cart, line: 7, code: "total" }), ""],
  ["a bracket", mark({ file: cart, line: 11, code: "}" }), ""],
  ["a line below the end", mark({ file: cart, line: 99, code: "items" }), ""],
  ["line 0", mark({ file: cart, line: 0, code: "items" }), ""],
  [
    "a name in a sentence about something else",
    `The receipt uses \`receiptLine\`.\n\n${mark({ file: cart, line: 15 })}`,
    "",
  ],
  [
    "a name at another line",
    json([{ ...BOX, label: "total_price", file: "prices.py", line: 6 }]),
    "",
  ],
  ["the file's own name as proof", mark({ file: cart, line: 9, label: "`cart.ts` is wrong" }), ""],
];

describe("the code of a mark", () => {
  for (const [name, reply, place] of REPLIES) {
    it(`is ${place || "nothing"} for ${name}`, () => assert.deepEqual(placesOf(reply), [place]));
  }

  for (const { name, reply, places } of STRANGER.rows) {
    it(`is as expected by a stranger for ${name}`, () =>
      assert.deepEqual(placesOf(reply, Object.entries(STRANGER.files)), places));
  }

  it("does not become the label", () => {
    const reader = new PointingReader();
    const [point] = reader.append(
      json([{ file: cart, code: LOOP, bbox_2d: [1, 2, 3, 4], name: "Lamp" }]),
    );
    assert.equal(point?.label, "Lamp");
  });
});
