/**
 * A whole VS Code on a busy machine is late now and then: files with a failed test are run once more,
 * in fresh windows. A test that passes then is counted as passed and told as flaky, to be mended.
 */

/** With more files than these something is broken, and it is not looked at twice. */
const MOST_FILES = 3;

/**
 * @typedef {import("./runIntegration.mjs").Counts} Counts
 *
 * @param {Counts} first
 * @param {(files: readonly string[]) => Promise<Counts>} runAgain
 * @returns {Promise<Counts>} of all tests; `flaky` are those that failed the first time alone
 */
export async function lookTwice(first, runAgain) {
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const known = files.filter((file) => file !== undefined);
  if (known.length === 0 || known.length < files.length || known.length > MOST_FILES) return first;
  console.log(`\nOnce more: ${known.join(", ")}`);
  const again = await runAgain(known);
  const replaced = known.reduce((sum, file) => sum + (first.passedIn?.[file] ?? 0), 0);
  const failingFiles = new Set(again.failures.map(({ file }) => file));
  // Only a file without any failure proves that its tests ran: a failed hook hides those behind it.
  const isProven = !failingFiles.has(undefined);
  return {
    ...again,
    passed: first.passed - replaced + again.passed,
    flaky: first.failures.filter(({ file }) => isProven && !failingFiles.has(file)),
  };
}
