import assert from "node:assert/strict";
import { expectedPaths } from "../../../src/pictures/testPictures";

describe("expected pictures of failed tests", () => {
  for (const [name, actual, expected] of [
    [
      "Playwright",
      "/w/test-results/cart-chromium-retry1/cart-1-actual.png",
      "/w/test-results/cart-chromium-retry1/cart-1-expected.png",
    ],
    [
      "cypress-visual-regression",
      "/w/cypress/snapshots/actual/shop.cy.ts/home.png",
      "/w/cypress/snapshots/base/shop.cy.ts/home.png",
    ],
    [
      "cypress-visual-regression since version 3",
      "/w/cypress/snapshots/actual/main.spec.js/home-actual.png",
      "/w/cypress/snapshots/base/main.spec.js/home-base.png",
    ],
    [
      "cypress-image-snapshot",
      "/w/cypress/snapshots/shop.cy.ts/__received_output__/no arguments.snap-received.png",
      "/w/cypress/snapshots/shop.cy.ts/no arguments.snap.png",
    ],
    [
      "jest-image-snapshot",
      "/w/src/__image_snapshots__/__received_output__/cart-test-ts-1-snap-received.png",
      "/w/src/__image_snapshots__/cart-test-ts-1-snap.png",
    ],
    [
      "@frsource/cypress-plugin-visual-regression-diff",
      "/w/cypress/e2e/__image_snapshots__/shop home #0.actual.png",
      "/w/cypress/e2e/__image_snapshots__/shop home #0.png",
    ],
    [
      "cypress-image-diff-js",
      "/w/cypress-image-diff-screenshots/comparison/shop.cy-home-page.png",
      "/w/cypress-image-diff-screenshots/baseline/shop.cy-home-page.png",
    ],
  ] as const) {
    it(`are found for the actual ones of ${name}`, () => {
      assert.ok(expectedPaths(actual).includes(expected), expectedPaths(actual).join());
    });
  }

  it("are not guessed for other pictures", () => {
    for (const path of ["/w/docs/actual.png", "/w/comparison/a.png", "/w/a-received.png"]) {
      assert.deepEqual(expectedPaths(path), []);
    }
  });
});
