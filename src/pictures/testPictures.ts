/** Finds the expected picture of a failed visual test for the actual one. */

/** Glob of the actual pictures that `expectedPaths` knows. */
export const ACTUAL_PICTURES =
  "**/{*-actual.png,*.actual.png,snapshots/actual/**/*.png,__received_output__/**/*-received.png,cypress-image-diff-screenshots/comparison/**/*.png}";

/** Folder and ending of actual pictures, and those of the expected ones. */
interface Layout {
  readonly folders?: readonly [actual: string, expected: string];
  readonly endings: readonly [actual: string, expected: string];
}

const CYPRESS_FOLDERS = ["/snapshots/actual/", "/snapshots/base/"] as const;
const IMAGE_DIFF = "/cypress-image-diff-screenshots/";

const LAYOUTS: readonly Layout[] = [
  // Playwright: the output folder of a failed test
  // https://github.com/microsoft/playwright/blob/main/packages/playwright/src/matchers/toMatchSnapshot.ts
  { endings: ["-actual.png", "-expected.png"] },
  // cypress-visual-regression: a folder for each; since version 3 names have the kind too
  // https://github.com/cypress-visual-regression/cypress-visual-regression#readme
  { folders: CYPRESS_FOLDERS, endings: ["-actual.png", "-base.png"] },
  { folders: CYPRESS_FOLDERS, endings: [".png", ".png"] },
  // jest-image-snapshot and cypress-image-snapshot, with `storeReceivedOnFailure`
  // https://github.com/americanexpress/jest-image-snapshot/blob/main/src/diff-snapshot.js
  { folders: ["/__received_output__/", "/"], endings: ["-received.png", ".png"] },
  // @frsource/cypress-plugin-visual-regression-diff
  // https://github.com/FRSOURCE/cypress-plugin-visual-regression-diff/blob/main/packages/cypress-plugin-visual-regression-diff/src/constants.ts
  { endings: [".actual.png", ".png"] },
  // cypress-image-diff-js
  // https://github.com/haim-io/cypress-image-diff
  { folders: [`${IMAGE_DIFF}comparison/`, `${IMAGE_DIFF}baseline/`], endings: [".png", ".png"] },
];

/** Returns the paths that an expected picture can have, for the path of the actual one. */
export function expectedPaths(actual: string): string[] {
  return LAYOUTS.flatMap(({ folders, endings }) => {
    if (!actual.endsWith(endings[0])) return [];
    const path = actual.slice(0, -endings[0].length) + endings[1];
    if (folders === undefined) return [path];
    const at = path.lastIndexOf(folders[0]);
    return at < 0 ? [] : [path.slice(0, at) + folders[1] + path.slice(at + folders[0].length)];
  });
}
