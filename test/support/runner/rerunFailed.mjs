/**
 * Runs files with a failed test once more, because a browser or VS Code can be late on a busy
 * machine. A test that passes then is counted as passed and reported as flaky.
 */

/** Upper limit of files to run again: with more failures something is broken. */
const MAX_FILES = 3;

/**
 * @typedef {import("./runIntegration.mjs").Counts} Counts
 *
 * @param {Counts} first
 * @param {(files: readonly string[]) => Promise<Counts>} runAgain
 * @returns {Promise<Counts>} of all tests; `flaky` are those that failed only the first time
 */
export async function rerunFailed(first, runAgain) {
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const known = files.filter((file) => file !== undefined);
  if (known.length === 0 || known.length < files.length || known.length > MAX_FILES) return first;
  console.log(`\nOnce more: ${known.join(", ")}`);
  const again = await runAgain(known);
  const replaced = known.reduce((sum, file) => sum + (first.passedIn?.[file] ?? 0), 0);
  const failingFiles = new Set(again.failures.map(({ file }) => file));
  // Only a file without failures proves that its tests ran: a failed hook skips the tests after it.
  const isProven = !failingFiles.has(undefined);
  return {
    ...again,
    passed: first.passed - replaced + again.passed,
    flaky: first.failures.filter(({ file }) => isProven && !failingFiles.has(file)),
  };
}
