/**
 * Mocha's readable `spec` report, plus the counts as JSON in the file CORE_CHAT_TEST_RESULT names:
 * the same form in which the integration tests report from inside VS Code.
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
    /** @type {{title: string, message: string}[]} */
    const failures = [];
    let passed = 0;
    runner.on("pass", () => (passed += 1));
    runner.on("fail", (test, error) => {
      failures.push({ title: test.fullTitle(), message: String(error?.message ?? error) });
    });
    runner.once("end", () => {
      const path = process.env["CORE_CHAT_TEST_RESULT"];
      if (path) writeFileSync(path, JSON.stringify({ passed, failed: failures.length, failures }));
    });
  }
}
