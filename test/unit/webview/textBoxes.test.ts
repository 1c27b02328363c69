/** A browser writes the state of text boxes into its profile; the lint rules check those of src/webview. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

describe("the text box of the page before its script", () => {
  it("has no state that the browser stores", () => {
    const boxes = readFileSync("src/host/panel/pageHtml.ts", "utf8").match(
      /<(?:textarea|input)[^>]*/g,
    );
    assert.ok(boxes?.every((box) => box.includes('autocomplete="off"')));
  });
});
