/**
 * Runs the integration tests with Mocha inside VS Code's extension host, which calls `run`. Writes
 * the counts to the file CORE_CHAT_TEST_RESULT. CORE_CHAT_TEST_GREP (a regular expression) selects
 * tests by title; CORE_CHAT_TEST_FILES lists the built files to run instead of all.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { format } from "node:util";
import type Mocha from "mocha";
import { ALL } from "../support/depth";

/** Time limit of a test, in milliseconds; generous for a window on a busy machine. */
const TEST_LIMIT_MS = 120_000;

/**
 * Prefix of the tests' lines among VS Code's own console output; the launcher removes the prefix.
 */
const OUR_LINE = "│ ";

/** Content of the result file. */
interface Result {
  passed: number;
  failed: number;
  failures: { title: string; message: string; file: string | undefined }[];
  /** Number of passed tests per file. */
  passedIn: Record<string, number>;
  /** Milliseconds of tests and hooks per file. */
  durationMs: Record<string, number>;
}

/** Runs all `*.test.mjs` in this folder. Rejects when a test failed, or when no test ran. */
export async function run(): Promise<void> {
  // Mocha is an ES module, so the built CommonJS file imports it at run time.
  const { default: Mocha } = await import("mocha");
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split("\n")) console.log(OUR_LINE + line);
  };
  const mocha = new Mocha({ ui: "bdd", timeout: TEST_LIMIT_MS, color: false, reporter: "spec" });
  const wanted = process.env["CORE_CHAT_TEST_GREP"];
  if (wanted !== undefined) mocha.grep(new RegExp(wanted));
  else mocha.grep(ALL);
  if (wanted === undefined && process.env["CORE_CHAT_TEST_DEPTH"] === "quick") mocha.invert();
  for (const file of process.env["CORE_CHAT_TEST_FILES"]?.split(delimiter) ?? allFiles()) {
    mocha.addFile(file);
  }
  await mocha.loadFilesAsync();
  const result: Result = { passed: 0, failed: 0, failures: [], passedIn: {}, durationMs: {} };
  const addDuration = (runnable: Mocha.Runnable) => {
    const file = fileOf(runnable) ?? "";
    result.durationMs[file] = (result.durationMs[file] ?? 0) + (runnable.duration ?? 0);
  };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on("test end", addDuration)
      .on("hook end", addDuration)
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
  return names.filter((name) => name.endsWith(".test.mjs")).map((name) => join(__dirname, name));
}

/** Returns the built file of a test or hook. */
function fileOf(test: Mocha.Runnable): string | undefined {
  return test.file ?? test.parent?.file;
}
