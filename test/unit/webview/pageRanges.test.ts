/** Parses and formats the selected pages of a document, such as "1-3, 5". */
import assert from "node:assert/strict";
import { pagesOf, rangesOf } from "../../../src/webview/pictures/attach/pageRanges";

describe("selected pages", () => {
  for (const [text, pages] of [
    ["1", [1]],
    ["1-3, 8", [1, 2, 3, 8]],
    ["8，1–3", [1, 2, 3, 8]],
    ["2 2-3;3", [2, 3]],
    ["0-2, 9-12", [1, 2, 9, 10]],
    ["3-1, x, -4, ", []],
    ["1-999999", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ] as const) {
    it(`are read from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(pagesOf(text, 10), pages);
    });
  }

  it("are written as ranges, which can be read again", () => {
    const pages = [1, 2, 3, 5, 8, 9];
    assert.equal(rangesOf(pages), "1-3, 5, 8-9");
    assert.deepEqual(pagesOf(rangesOf(pages), 10), pages);
    assert.equal(rangesOf([]), "");
  });
});
