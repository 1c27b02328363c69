/** Runs Mocha tests in a separate Node process and collects their counts. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish } from "./programs.mjs";
import { projectFolder } from "./project.mjs";

/** Mocha's arguments for what is left out of the quick run (test/support/depth.ts), and for the rest. */
const DEPTHS = { quick: ["--grep", "@all", "--invert"], added: ["--grep", "@all"], all: [] };

/**
 * Runs Mocha; output goes to the terminal, each line with `linePrefix`, if set. A run that crashed,
 * took too long or ran no test counts as a failure, in addition to its own counts.
 *
 * @param {readonly string[]} files built test files, relative to the project's folder
 * @param {{depth: "quick" | "added" | "all", limitMs: number, env?: Readonly<Record<string, string>>, linePrefix?: string | undefined}} options
 * @returns {Promise<import("./runIntegration.mjs").Counts>}
 */
export async function runMocha(files, { depth, limitMs, env = {}, linePrefix }) {
  const temporary = mkdtempSync(join(tmpdir(), "core-chat-mocha-"));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  process.once("exit", remove); // A signal ends this process before the run has ended.
  const resultPath = join(temporary, "result.json");
  const mocha = join(projectFolder, "node_modules/mocha/bin/mocha.js");
  const reporter = join(projectFolder, "test/support/runner/countReporter.mjs");
  try {
    const { code, timedOut } = await finish(
      process.execPath,
      [mocha, "--reporter", reporter, ...DEPTHS[depth], ...files],
      {
        cwd: projectFolder,
        env: { ...process.env, ...env, CORE_CHAT_TEST_RESULT: resultPath },
        inherit: linePrefix === undefined,
        linePrefix,
        limitMs,
      },
    );
    const counts = readCounts(resultPath);
    if (timedOut) return addFailure(counts, `The tests took over ${limitMs / 1000} s.`);
    if (code !== 0 && counts.failed === 0) return addFailure(counts, `mocha ended with ${code}.`);
    return counts;
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/**
 * @param {string} path
 * @returns {import("./runIntegration.mjs").Counts}
 */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { passed: 0, failed: 0, failures: [] }; // The run did not reach its end.
  }
}

/**
 * @param {import("./runIntegration.mjs").Counts} counts
 * @param {string} message
 * @returns {import("./runIntegration.mjs").Counts}
 */
function addFailure(counts, message) {
  const failure = { title: "the level runs to its end", message };
  return { ...counts, failed: counts.failed + 1, failures: [...counts.failures, failure] };
}
