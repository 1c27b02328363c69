/** Finds the expected picture of a failed visual test next to the actual one. */

/** Glob of the actual pictures that `expectedPaths` knows. */
export const ACTUAL_PICTURES = "**/{*-actual.png,snapshots/actual/**/*.png}";

// Playwright writes the pictures of a failed comparison to the output folder of the test:
// https://github.com/microsoft/playwright/blob/main/packages/playwright/src/matchers/toMatchSnapshot.ts
const ACTUAL = "-actual.png";
const EXPECTED = "-expected.png";

// cypress-visual-regression has a folder for each, by default in `cypress/snapshots`; its version 3 also
// names the kind: https://github.com/cypress-visual-regression/cypress-visual-regression#readme
const ACTUAL_FOLDER = "/snapshots/actual/";
const BASE_FOLDER = "/snapshots/base/";
const BASE = "-base.png";

/** Returns the paths that an expected picture can have, for the path of the actual one. */
export function expectedPaths(actual: string): string[] {
  const paths: string[] = [];
  const hasKind = actual.endsWith(ACTUAL);
  if (hasKind) paths.push(actual.slice(0, -ACTUAL.length) + EXPECTED);
  const at = actual.lastIndexOf(ACTUAL_FOLDER);
  if (at < 0) return paths;
  const base = actual.slice(0, at) + BASE_FOLDER + actual.slice(at + ACTUAL_FOLDER.length);
  if (hasKind) paths.push(base.slice(0, -ACTUAL.length) + BASE);
  return [...paths, base];
}
