/** Finds the expected picture of a failed visual test next to the actual one. */

/** Glob of the actual pictures that `expectedPaths` knows. */
export const ACTUAL_PICTURES = "**/{*-actual.png,snapshots/actual/**/*.png}";

/** Rules from the path of an actual picture to the path of the expected one. */
const RULES: readonly (readonly [actual: RegExp, expected: string])[] = [
  // Playwright writes the pictures of a failed comparison to the output folder of the test:
  // https://github.com/microsoft/playwright/blob/main/packages/playwright/src/matchers/toMatchSnapshot.ts
  [/-actual\.png$/, "-expected.png"],
  // cypress-visual-regression has a folder for each, by default in `cypress/snapshots`; its version 3 also
  // names the kind: https://github.com/cypress-visual-regression/cypress-visual-regression#readme
  [/\/snapshots\/actual\/(.+)-actual\.png$/, "/snapshots/base/$1-base.png"],
  [/\/snapshots\/actual\/(.+)\.png$/, "/snapshots/base/$1.png"],
];

/** Returns the paths that an expected picture can have, for the path of the actual one. */
export function expectedPaths(actual: string): string[] {
  return RULES.filter(([from]) => from.test(actual)).map(([from, to]) => actual.replace(from, to));
}
