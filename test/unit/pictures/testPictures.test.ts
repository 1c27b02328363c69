import assert from "node:assert/strict";
import { expectedPaths } from "../../../src/pictures/testPictures";

describe("expected pictures of failed tests", () => {
  it("are next to the actual ones of Playwright", () => {
    assert.deepEqual(expectedPaths("/w/test-results/cart-chromium/cart-1-actual.png"), [
      "/w/test-results/cart-chromium/cart-1-expected.png",
    ]);
  });

  it("are in the folder of the base pictures of cypress-visual-regression", () => {
    const paths = expectedPaths("/w/cypress/snapshots/actual/shop.cy.ts/home.png");
    assert.deepEqual(paths, ["/w/cypress/snapshots/base/shop.cy.ts/home.png"]);
    assert.ok(
      expectedPaths("/w/cypress/snapshots/actual/shop.cy.ts/home-actual.png").includes(
        "/w/cypress/snapshots/base/shop.cy.ts/home-base.png",
      ),
    );
  });

  it("are not guessed for other pictures", () => {
    assert.deepEqual(expectedPaths("/w/docs/actual.png"), []);
  });
});
