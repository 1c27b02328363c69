/**
 * Runs files with a failed test once more, because a browser or VS Code can be slow on a busy
 * machine. A test that then passes counts as passed and is reported as flaky.
 */

/** Maximum number of files to run again; more failures indicate a real problem. */
const MAX_FILES = 5;

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
  // Only a file without failures proves that its tests ran: after a failed hook, Mocha skips tests.
  const isProven = !failingFiles.has(undefined);
  return {
    ...again,
    passed: first.passed - replaced + again.passed,
    flaky: first.failures.filter(({ file }) => isProven && !failingFiles.has(file)),
  };
}
