/**
 * Mocha reporter: the readable `spec` report, plus the counts as JSON in the file that
 * CORE_CHAT_TEST_RESULT names. The integration tests inside VS Code write the same format.
 */
import { writeFileSync } from "node:fs";
import Mocha from "mocha";

export default class CountReporter extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {import("./runIntegration.mjs").Counts["failures"][number][]} */
    const failures = [];
    /** @type {Record<string, number>} */
    const passedIn = {};
    /** @type {Record<string, number>} */
    const durationMs = {};
    let passed = 0;
    // Hooks too: they start the browser, the page or VS Code.
    for (const event of ["test end", "hook end"]) {
      runner.on(event, (/** @type {Mocha.Runnable} */ runnable) => {
        const file = fileOf(runnable);
        if (file) durationMs[file] = (durationMs[file] ?? 0) + (runnable.duration ?? 0);
      });
    }
    runner.on("pass", (test) => {
      passed += 1;
      const file = fileOf(test);
      if (file) passedIn[file] = (passedIn[file] ?? 0) + 1;
    });
    runner.on("fail", (test, error) => {
      const message = String(error?.message ?? error);
      failures.push({ title: test.fullTitle(), message, file: fileOf(test) });
    });
    runner.once("end", () => {
      const path = process.env["CORE_CHAT_TEST_RESULT"];
      const counts = { passed, failed: failures.length, failures, passedIn, durationMs };
      if (path) writeFileSync(path, JSON.stringify(counts));
    });
  }
}

/**
 * Returns the built file of a test or a hook.
 *
 * @param {Mocha.Runnable} test
 */
function fileOf(test) {
  return test.file ?? test.parent?.file;
}
