/**
 * Compares the menu entries of package.json with those that the end-to-end tests click in a real window, by
 * `press(place, label)`. A new entry fails here until a test clicks it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { menuButtons } from "../support/source/drawnButtons";
import { filesBelow } from "../support/source/files";

describe("the menu entries that VS Code draws", () => {
  it("are each clicked in a real window", () => {
    const sources = filesBelow("test/e2e", /\.ts$/).map((file) => readFileSync(file, "utf8"));
    const calls = sources.flatMap((text) => [
      ...text.matchAll(/\bpress\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"/g),
    ]);
    const pressed = new Set(calls.map(([, place, label]) => `${place}: ${label}`));
    const drawn = [...menuButtons()];
    assert.ok(drawn.length > 30, String(drawn.length));
    assert.deepEqual(
      drawn.filter((one) => !pressed.has(one)),
      [],
    );
  });
});
