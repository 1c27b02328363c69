import assert from "node:assert/strict";
import { comparedPreviewSize, previewSizes } from "../../../src/webview/preview/previewSizes";

const ORIGINAL = { hash: "a".repeat(64), name: "shop.png", widthPx: 2560, heightPx: 1600 };
const PHONE = { hash: "b".repeat(64), name: "phone.png", widthPx: 1170, heightPx: 2532 };

function labels(...given: Parameters<typeof previewSizes>): string[] {
  return previewSizes(...given).map(({ label }) => label);
}

describe("the sizes of a preview", () => {
  it("are those of the original at the ratio of the display first, then its pixels", () => {
    assert.deepEqual(labels([ORIGINAL], 2).slice(0, 3), [
      "1280 × 800 (original at 200 %)",
      "2560 × 1600 (original)",
      "Fit to tab",
    ]);
    assert.deepEqual(labels([ORIGINAL], 1).slice(0, 2), [
      "2560 × 1600 (original)",
      "1280 × 800 (original at 200 %)",
    ]);
  });

  it("have three pixels a CSS pixel for a screenshot of a phone", () => {
    assert.ok(labels([PHONE], 1).includes("390 × 844 (original at 300 %)"));
  });

  it("name the originals where there are several", () => {
    const all = labels([ORIGINAL, PHONE], 1);
    assert.ok(all.includes("phone.png: 1170 × 2532 (original)"));
  });

  it("begin with the size of the tab without an original", () => {
    assert.deepEqual(labels([], 1), ["Fit to tab", "Phone: 390 × 844", "Tablet: 820 × 1180"]);
  });

  it("draw the picture with the pixels of the original, also at the size of a phone", () => {
    const chosen = previewSizes([ORIGINAL], 1).find(({ id }) => id === "phone");
    const { picture, ...css } = comparedPreviewSize(ORIGINAL, chosen, 2);
    assert.deepEqual(css, { widthPx: 1280, heightPx: 800 });
    assert.deepEqual(picture, { widthPx: 2560, heightPx: 1600 });
  });

  it("limit the picture of a huge original", () => {
    const huge = { ...ORIGINAL, widthPx: 32_768, heightPx: 1_000 };
    assert.equal(comparedPreviewSize(huge, undefined, 1).picture.widthPx, 8_192);
  });
});
