import assert from "node:assert/strict";
import { picturePathsIn } from "../../../src/pictures/picturePaths";

describe("pictures named in a program's output", () => {
  const examples: readonly (readonly [name: string, line: string, path: string])[] = [
    [
      "Playwright",
      "    test-results/adds-chromium/test-failed-1.png",
      "test-results/adds-chromium/test-failed-1.png",
    ],
    [
      "Cypress",
      "  -  /project/cypress/screenshots/login.cy.ts/Login -- fails (failed).png     (1280x720)",
      "/project/cypress/screenshots/login.cy.ts/Login -- fails (failed).png",
    ],
    [
      "jest-image-snapshot",
      "See diff for details: /project/__diff_output__/home-diff.png",
      "/project/__diff_output__/home-diff.png",
    ],
    [
      "WebdriverIO on Windows",
      "Screenshot saved to C:\\project\\shots\\home.PNG.",
      "C:\\project\\shots\\home.PNG",
    ],
    ["a URI", '"file:///project/shots/home.webp"', "file:///project/shots/home.webp"],
  ];
  for (const [name, line, path] of examples) {
    it(`includes the path of ${name}`, () => {
      assert.ok(picturePathsIn(`before\n${line}\nafter`).includes(path));
    });
  }

  it("returns the last path first, and each once", () => {
    assert.deepEqual(picturePathsIn("a.png\nb.png\na.png\n"), ["a.png", "b.png"]);
  });

  it("ignores names that only begin with an extension, and bare extensions", () => {
    assert.deepEqual(picturePathsIn("see a.pngs and .png and a.png-old"), []);
  });

  it("returns at most 40 paths of a long output", () => {
    const output = Array.from({ length: 5_000 }, (_, index) => `shot-${index}.png`).join("\n");
    assert.equal(picturePathsIn(output).length, 40);
  });
});
