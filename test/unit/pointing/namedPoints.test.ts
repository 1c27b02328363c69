import assert from "node:assert/strict";
import { withNamedPoints } from "../../../src/pointing/namedPoints";

const PICTURES = [
  { hash: "a", name: "shop.png", widthPx: 2000, heightPx: 1000, number: 1, isOfQuestion: true },
];

function named(text: string, pictures = PICTURES): string {
  return withNamedPoints(text, pictures, (letter) => `mark ${letter}`, {
    isAsked: true,
    scales: ["thousand"],
  });
}

describe("withNamedPoints", () => {
  it("replaces a box in prose with its letter, and keeps other numbers", () => {
    assert.equal(
      named("Save is at bbox [100, 200, 300, 400]. It costs [1, 2, 3] and 12.50."),
      "Save is at bbox mark A. It costs [1, 2, 3] and 12.50.",
    );
  });

  it("replaces a tag with its label and its boxes", () => {
    assert.equal(
      named("<ref>Two buttons</ref><box>[[100,200,300,400],[500,600,700,800]]</box> below."),
      "Two buttons: mark A, mark B below.",
    );
  });

  it("replaces points, and boxes in JSON", () => {
    assert.equal(named("<point>100 200</point>"), "mark A");
    const json = '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "Save"}]\n```';
    assert.equal(named(json), '```json\n[{"bbox_2d": mark A, "label": "Save"}]\n```');
  });

  it("keeps coordinates that fit no picture, and text without a picture", () => {
    const text = "bbox [300, 400, 100, 200]";
    assert.equal(named(text), text);
    assert.equal(named("bbox [100, 200, 300, 400]", []), "bbox [100, 200, 300, 400]");
  });
});
