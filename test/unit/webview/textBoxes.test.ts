/** Text boxes keep nothing in a browser's profile: the draft of an unsaved conversation was there after a crash. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { filesBelow } from "../../support/source/files";

describe("a text box of the panel", () => {
  const files = ["src/webview", "src/host"].flatMap((folder) => filesBelow(folder, /\.tsx?$/));
  const boxes = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/<(?:textarea|input)\b[^]{0,3000}?(?:\/>|<\/)/g)].map(
      ([box]) => ({ file, box }),
    ),
  );

  it("has no state that the browser stores", () => {
    assert.ok(boxes.length > 10, "the boxes are found");
    const isText = ({ box }: { box: string }) => !/type="(?:checkbox|range)"/.test(box);
    const isStored = ({ box }: { box: string }) => !box.includes('autocomplete="off"');
    assert.deepEqual(
      boxes
        .filter(isText)
        .filter(isStored)
        .map(({ file }) => file),
      [],
    );
  });
});
