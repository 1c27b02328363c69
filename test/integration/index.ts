/**
 * Runs every integration test with mocha inside VS Code's extension host; VS Code calls `run`.
 * Prints to the console and writes the counts to the file CORE_CHAT_TEST_RESULT names.
 * CORE_CHAT_TEST_GREP, a regular expression, selects tests by their titles; CORE_CHAT_TEST_FILES
 * names the built files to run instead of all.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { format } from "node:util";
import type Mocha from "mocha";

/** How long one test may take, in milliseconds; a window on a busy machine needs its time. */
const TEST_LIMIT_MS = 120_000;

/** Marks the tests' lines among VS Code's own output on the console; the launcher removes it. */
const OUR_LINE = "│ ";

/** What the runner outside reads. */
interface Result {
  passed: number;
  failed: number;
  failures: { title: string; message: string; file: string | undefined }[];
  /** Number of passed tests of each file. */
  passedIn: Record<string, number>;
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
  for (const file of process.env["CORE_CHAT_TEST_FILES"]?.split(delimiter) ?? allFiles()) {
    mocha.addFile(file);
  }
  const result: Result = { passed: 0, failed: 0, failures: [], passedIn: {} };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on("pass", (test) => {
        result.passed += 1;
        const file = fileOf(test);
        if (file !== undefined) result.passedIn[file] = (result.passedIn[file] ?? 0) + 1;
      })
      .on("fail", (test, error: unknown) => {
        result.failed += 1;
        const message = error instanceof Error ? error.message : String(error);
        result.failures.push({ title: test.fullTitle(), message, file: fileOf(test) });
      });
  });
  const resultPath = process.env["CORE_CHAT_TEST_RESULT"];
  if (resultPath !== undefined) writeFileSync(resultPath, JSON.stringify(result));
  if (result.failed > 0) throw new Error(`${result.failed} integration tests failed.`);
  if (result.passed === 0) throw new Error("No integration test ran.");
}

function allFiles(): string[] {
  const names = readdirSync(__dirname, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith(".test.cjs")).map((name) => join(__dirname, name));
}

/** The built file of a test or hook. */
function fileOf(test: Mocha.Runnable): string | undefined {
  return test.file ?? test.parent?.file;
}
