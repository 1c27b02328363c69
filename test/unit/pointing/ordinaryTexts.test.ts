/** Sentences about pictures, user interfaces and data with numbers that are no positions. */
import assert from "node:assert/strict";
import { placePoints } from "../../../src/pointing/placePointing";
import type { SeenPicture } from "../../../src/pointing/pictureArea";
import { PointingReader } from "../../../src/pointing/readPointing";

const SIZES = [
  [1920, 1080],
  [3840, 2160],
  [600, 400],
  [1170, 2532],
] as const;

function found(text: string): number {
  const reader = new PointingReader();
  const read = [...reader.append(text), ...reader.end()];
  return SIZES.map(([widthPx, heightPx]): SeenPicture[] => [
    { hash: "h", name: "a.png", number: 1, isOfQuestion: true, widthPx, heightPx },
  ])
    .map((pictures) => placePoints(read, pictures))
    .reduce((sum, { points, choices }) => sum + points.length + choices.length, 0);
}

const SENTENCES = [
  "The dropdown box offers four page sizes ([10, 25, 50, 100]).",
  "The text box shows: [12, 34, 56, 78]",
  "Text box [12, 34, 56, 78] is empty.",
  "The search box returned results [1, 5, 9, 12].",
  "The list box shows page sizes [10, 20, 50, 100].",
  "The combo box has the values [1, 2, 3, 4].",
  "Each box [1, 2, 3, 4] is a step.",
  "COCO bbox: [258.15, 41.29, 606.41, 285.07]",
  'The GeoJSON has `"bbox": [5.9, 45.8, 10.5, 47.8]`.',
  '```json\n{"type": "FeatureCollection", "bbox": [5.9, 45.8, 10.5, 47.8], "features": []}\n```\n',
  '```json\n{"annotations": [{"id": 1, "bbox": [258, 41, 348, 243], "category_id": 3}]}\n```\n',
  '{"x": 10, "y": 20, "width": 100, "height": 50}',
  '```json\n{"position": [10, 20], "point": [3, 4], "coordinates": [1, 2, 3, 4]}\n```\n',
  "对话框中的数值是 [12, 34, 56, 78]。",
  "文本框显示 [1, 2, 3, 4]。",
  "下拉框的选项为 [10, 25, 50, 100]。",
  "框架的版本是 [1, 2, 3, 4]。",
  "Write `<bbox>1 2 3 4</bbox>` to name a box.",
  'In Molmo\'s format this is ``<point x="10" y="20">cup</point>``.',
  "The answer is <|begin_of_box|>[1, 2]<|end_of_box|>.",
  "<|begin_of_box|>42<|end_of_box|>",
  "<|begin_of_box|>[3, 5, 8, 13]<|end_of_box|>",
  "The function f(1, 2) returns (3, 4).",
  "The ranges are (1, 2) to (3, 4).",
  "| id | x | y | width | height |\n|---|---|---|---|---|\n| a | 1 | 2 | 3 | 4 |\n",
  "| values |\n|---|\n| [1, 2, 3, 4] |\n",
  '<svg viewBox="0 0 24 24"><polygon points="1,2 3,4 5,6"/></svg>',
  '```html\n<point x="10" y="20">a</point>\n```\n',
  "margin: [1, 2, 3, 4]; padding: [[1, 2, 3, 4]]",
];

describe("ordinary texts", () => {
  for (const text of SENTENCES) {
    it(`have no positions: ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.equal(found(text), 0);
    });
  }
});
