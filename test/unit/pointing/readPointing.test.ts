/** Reads coordinates in replies of models, with any chunks. */
import assert from "node:assert/strict";
import { countingPoints } from "../../../src/pointing/placePointing";
import { PointingReader } from "../../../src/pointing/readPointing";
import { firstSeed, randomOf } from "../../support/fakes/seeded";

function read(text: string, sizes: () => number = () => text.length) {
  const reader = new PointingReader();
  const found = [];
  for (let at = 0; at < text.length;) {
    const size = Math.max(1, sizes());
    found.push(...reader.append(text.slice(at, at + size)));
    at += size;
  }
  return [...found, ...reader.end()];
}

/** Positions that count if the question asked for positions, or else those that always count. */
const boxes = (text: string, isAsked: boolean) =>
  countingPoints(read(text), { isAsked }).map(({ numbers, label }) => [label, ...numbers]);

type Found = readonly (readonly unknown[])[];

/** Replies with their positions: label and coordinates; if missing, the same ones without being asked. */
const REPLIES: readonly (readonly [text: string, asked: Found, unasked?: Found])[] = [
  [
    '```json\n[\n  {"bbox_2d": [10, 20, 30, 40], "label": "a"},\n  {\n    "point_2d": [\n      5,\n      6\n    ],\n    "label": "b"\n  }\n]\n```\n',
    [
      ["a", 10, 20, 30, 40],
      ["b", 5, 6],
    ],
  ],
  ['[{"bbox_2d": [1, 2, 3, 4], "label": "bare"}]', [["bare", 1, 2, 3, 4]]],
  ['{\n"bbox_2d": [1, 2, 3, 4],\n"label": "lines"\n}\n\nMore.', [["lines", 1, 2, 3, 4]]],
  [
    "It is at <box>[[1, 2, 3, 4], [5, 6, 7, 8]]</box>",
    [
      ["", 1, 2, 3, 4],
      ["", 5, 6, 7, 8],
    ],
  ],
  [
    "<ref>Save</ref><box>[[1,2,3,4]]</box> and <ref>Open</ref><box>[[5,6,7,8]]</box>",
    [
      ["Save", 1, 2, 3, 4],
      ["Open", 5, 6, 7, 8],
    ],
  ],
  ["<|ref|>Save<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>", [["Save", 1, 2, 3, 4]]],
  [
    "Save <bbox>1 2 3 4</bbox> Open <point>5 6</point>",
    [
      ["", 1, 2, 3, 4],
      ["", 5, 6],
    ],
  ],
  ["<|begin_of_box|>42 apples<|end_of_box|>", []],
  ['<point x="12.5" y="40.1" alt="cup">cup</point>', [["cup", 12.5, 40.1]]],
  [
    '<points x1="1" y1="2" x2="3" y2="4" alt="cups">cups</points>',
    [
      ["cups", 1, 2],
      ["cups", 3, 4],
    ],
  ],
  [
    "<loc0010><loc0020><loc0030><loc0040> cat ; <loc0050><loc0060><loc0070><loc0080> dog",
    [
      ["cat", 10, 20, 30, 40],
      ["dog", 50, 60, 70, 80],
    ],
  ],
  // Notations that mean other things too count only if positions were asked for.
  [
    "- **Save button**: bbox `[1, 2, 3, 4]`\n- Open: box is [5, 6, 7, 8].",
    [
      ["", 1, 2, 3, 4],
      ["", 5, 6, 7, 8],
    ],
    [],
  ],
  ["Use <|begin_of_box|>[[1, 2, 3, 4]]<|end_of_box|>.", [["", 1, 2, 3, 4]], []],
  ["Write `<bbox>1 2 3 4</bbox>` for a box.", [["", 1, 2, 3, 4]], []],
  ['```json\n{"label": "a", "bbox": [1, 2, 3, 4]}\n```\n', [["a", 1, 2, 3, 4]], []],
  ['{"items": [{"name": "a", "x1": 1, "y1": 2, "x2": 3, "y2": 4}]}', [["a", 1, 2, 3, 4]], []],
  ['{"label": "a", "rect": {"x": 1, "y": 2, "width": 3, "height": 4}}', [["a", 1, 2, 4, 6]], []],
  ["Go from (1, 2) to (3, 4).", [["", 1, 2, 3, 4]], []],
  [
    "Click at (1, 2), then at (3, 4).",
    [
      ["", 1, 2],
      ["", 3, 4],
    ],
    [],
  ],
  ["| part | box |\n|---|---|\n| a | [1, 2, 3, 4] |\n", [["a", 1, 2, 3, 4]], []],
  [
    "| part | x1 | y1 | x2 | y2 |\n|---|--:|--:|--:|--:|\n| a | 1 | 2 | 3 | 4 |\n",
    [["a", 1, 2, 3, 4]],
    [],
  ],
  // The strongest notation of a reply is the one that names positions.
  ["<box>[[5, 6, 7, 8]]</box>. The array [1, 2, 3, 4] is no box.", [["", 5, 6, 7, 8]]],
  ["Sizes: [1, 2, 3, 4] or (5, 6).", [["", 1, 2, 3, 4]], []],
  // Declared notations.
  ["Action: click(start_box='(1,2)')", [["", 1, 2]]],
  [
    "Action: drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='(3,4)')",
    [
      ["", 1, 2],
      ["", 3, 4],
    ],
  ],
  ["CLICK(box=[[001,002,003,004]], element_info='a')", [["", 1, 2, 3, 4]]],
  [
    '<points coords="1 1 073 160 2 173 600">boats</points>',
    [
      ["boats", 73, 160],
      ["boats", 173, 600],
    ],
  ],
  // Numbers that are not coordinates.
  ["See the box [1, 2, 3, 4](https://example.com).", []],
  ['```python\nbbox = [1, 2, 3, 4]\ndata = {"bbox_2d": [1, 2, 3, 4]}\n```\n', []],
  ["```ts\nconst box = [1, 2, 3, 4];\n```\nand then", []],
  ['```json\n{"values": [1, 2, 3, 4]}\n```\n', []],
];

describe("PointingReader", () => {
  for (const [text, asked, unasked = asked] of REPLIES) {
    it(`reads ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.deepEqual(boxes(text, true), asked);
      assert.deepEqual(boxes(text, false), unasked);
    });
  }

  it("finds the same in pieces of any size", () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (const [text] of REPLIES) {
      for (const sizes of [() => 1, () => 1 + random(7), () => 1 + random(40)]) {
        assert.deepEqual(read(text, sizes), read(text), `seed ${seed}: ${text}`);
      }
    }
  });

  it("reports a box as soon as it is complete", () => {
    const reader = new PointingReader();
    assert.equal(reader.append('```json\n[{"bbox_2d": [1, 2, 3, 4], "label": "a"').length, 0);
    assert.equal(reader.append("},").length, 1);
    assert.equal(reader.append(' {"bbox_2d": [5, 6, 7, 8], "label": "b"}').length, 1);
    const prose = new PointingReader();
    assert.equal(prose.append("Save <box>[[1, 2, 3, 4]]</box>").length, 0);
    assert.equal(prose.append(".\n").length, 1);
  });

  it("reads the picture and the tile that a line names", () => {
    const named = (text: string) => read(text).map(({ picture, tile }) => [picture, tile]);
    assert.deepEqual(named("Picture 2, tile 3: box [1, 2, 3, 4]"), [[2, 3]]);
    assert.deepEqual(
      named("### Image 1\n\n- box [1, 2, 3, 4]\n\n### Image 2\n\n- box [1, 2, 3, 4]"),
      [
        [1, undefined],
        [2, undefined],
      ],
    );
    assert.deepEqual(named('{"bbox_2d": [1, 2, 3, 4], "picture": 2, "tile": 1}'), [[2, 1]]);
  });
});
