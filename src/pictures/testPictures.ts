/** Finds the expected picture of a failed visual test for the actual one. */

/** Glob of the actual pictures that `expectedPaths` knows. */
export const ACTUAL_PICTURES =
  "**/{*-actual.png,*.actual.png,snapshots/actual/**/*.png,__received_output__/**/*-received.png,cypress-image-diff-screenshots/comparison/**/*.png}";

/** Path of an actual picture, and that of the expected one, with the groups of the pattern. */
const LAYOUTS: readonly (readonly [actual: RegExp, expected: string])[] = [
  // Playwright: the output folder of a failed test
  // https://github.com/microsoft/playwright/blob/main/packages/playwright/src/matchers/toMatchSnapshot.ts
  [/-actual\.png$/, "-expected.png"],
  // cypress-visual-regression: a folder for each; since version 3 names have the kind too
  // https://github.com/cypress-visual-regression/cypress-visual-regression#readme
  [/^(.*\/snapshots\/)actual\/(.*)-actual\.png$/, "$1base/$2-base.png"],
  [/^(.*\/snapshots\/)actual\/(.*\.png)$/, "$1base/$2"],
  // jest-image-snapshot and cypress-image-snapshot, with `storeReceivedOnFailure`
  // https://github.com/americanexpress/jest-image-snapshot/blob/main/src/diff-snapshot.js
  [/\/__received_output__\/([^/]*(?:\/[^/]+)*)-received\.png$/, "/$1.png"],
  // @frsource/cypress-plugin-visual-regression-diff
  // https://github.com/FRSOURCE/cypress-plugin-visual-regression-diff/blob/main/packages/cypress-plugin-visual-regression-diff/src/constants.ts
  [/\.actual\.png$/, ".png"],
  // cypress-image-diff-js
  // https://github.com/haim-io/cypress-image-diff
  [/(\/cypress-image-diff-screenshots\/)comparison\/(.*\.png)$/, "$1baseline/$2"],
];

/** Returns the paths that an expected picture can have, for the path of the actual one. */
export function expectedPaths(actual: string): string[] {
  return LAYOUTS.filter(([pattern]) => pattern.test(actual)).map(([pattern, expected]) =>
    actual.replace(pattern, expected),
  );
}
