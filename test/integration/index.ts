/**
 * Runs every integration test with mocha inside VS Code's extension host; VS Code calls `run`.
 * Prints to the console and writes the counts to the file CORE_CHAT_TEST_RESULT names.
 * CORE_CHAT_TEST_GREP, a regular expression, selects tests by their titles.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";

/** How long one test may take, in milliseconds; a window on a busy machine needs its time. */
const TEST_LIMIT_MS = 120_000;

/** Marks the tests' lines among VS Code's own output on the console; the launcher removes it. */
const OUR_LINE = "│ ";

/** What the runner outside reads. */
interface Result {
  passed: number;
  failed: number;
  failures: { title: string; message: string }[];
}

/** Runs all `*.test.cjs` in this folder. Rejects when a test failed, or when there is none. */
export async function run(): Promise<void> {
  // mocha is an ES module, so the built CommonJS file can only import it while running.
  const { default: Mocha } = await import("mocha");
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split("\n")) console.log(OUR_LINE + line);
  };
  const mocha = new Mocha({ ui: "bdd", timeout: TEST_LIMIT_MS, color: false, reporter: "spec" });
  const wanted = process.env["CORE_CHAT_TEST_GREP"];
  if (wanted !== undefined) mocha.grep(new RegExp(wanted));
  for (const name of readdirSync(__dirname, { recursive: true })) {
    if (String(name).endsWith(".test.cjs")) mocha.addFile(join(__dirname, String(name)));
  }
  const result: Result = { passed: 0, failed: 0, failures: [] };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on("pass", () => (result.passed += 1))
      .on("fail", (test, error: unknown) => {
        result.failed += 1;
        const message = error instanceof Error ? error.message : String(error);
        result.failures.push({ title: test.fullTitle(), message });
      });
  });
  const resultPath = process.env["CORE_CHAT_TEST_RESULT"];
  if (resultPath !== undefined) writeFileSync(resultPath, JSON.stringify(result));
  if (result.failed > 0) throw new Error(`${result.failed} integration tests failed.`);
  if (result.passed === 0) throw new Error("No integration test ran.");
}
