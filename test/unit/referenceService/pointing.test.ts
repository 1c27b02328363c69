/** Replies of `/point` in every notation are read by the product's code. */
import assert from "node:assert/strict";
import { placePoints } from "../../../src/pointing/placePointing";
import { PointingReader } from "../../../src/pointing/readPointing";
import { describePointing, pointReply, POINT_SHAPES } from "../../service/pointReply";
import type { RecordedPicture } from "../../service/pictures";

const SIZE = { widthPx: 1920, heightPx: 1080 };
const PICTURE: RecordedPicture = {
  source: "data",
  format: "PNG",
  ...SIZE,
  bytes: 9,
  sha256: "",
  declaredType: "image/png",
  metadata: [],
  url: "",
};
const SEEN = { hash: "h", name: "shot.png", ...SIZE, number: 1, isOfQuestion: true };

describe("/point", () => {
  for (const shape of Object.keys(POINT_SHAPES)) {
    it(`sends coordinates as ${shape}, which the product reads`, () => {
      const text = pointReply(shape, [PICTURE]) ?? "";
      const reader = new PointingReader();
      const read = [...reader.append(text), ...reader.end()];
      const isPixels = ["pixels"].includes(shape);
      const { points } = placePoints(read, [SEEN], {
        isAsked: true,
        scales: [isPixels ? "pixels" : "thousand"],
      });
      if (shape === "outside") {
        assert.deepEqual(points, []);
        return;
      }
      // Not every notation has a label.
      const isLabeled = !["bbox", "glm", "plain"].includes(shape);
      assert.deepEqual(
        points.map(({ number, label }) => [number, label]),
        [
          [1, isLabeled ? "Save button" : ""],
          [2, isLabeled ? "Menu" : ""],
        ],
      );
      const [save, menu] = points.map(({ region }) => region);
      assert.ok(Math.abs(save!.x - 192) <= 1 && Math.abs(save!.y - 216) <= 1, text);
      assert.ok(Math.abs(menu!.x - 960) <= 1 && Math.abs(menu!.y - 540) <= 1, text);
      if (save!.width > 0) assert.ok(Math.abs(save!.width - 384) <= 2, text);
    });
  }

  it("lists its shapes, and sends the usual reply if there is no picture", () => {
    for (const shape of Object.keys(POINT_SHAPES)) {
      assert.ok(describePointing().includes(`/point ${shape}`));
    }
    assert.equal(pointReply("thousand", []), undefined);
  });
});
