import assert from "node:assert/strict";
import { namesInSentence } from "../../../src/context/usedNames";

describe("namesInSentence", () => {
  it("returns words with a capital, an underscore or a digit", () => {
    const text = "Make it use Store and row_count of utf8, not the old list";
    assert.deepEqual(namesInSentence(text, 8), ["Make", "Store", "row_count", "utf8"]);
  });
});
