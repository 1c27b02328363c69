/**
 * Runs the integration tests inside a real VS Code's extension host; needs a build.
 * CORE_CHAT_TEST_VSCODE selects the VS Code: `npm` (newest, the default), `npm-oldest`, or
 * `desktop` (downloaded by @vscode/test-electron).
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startLocalService } from "../start/localService.mjs";
import { outFolder, projectFolder } from "./project.mjs";

/** Another extension, which uses the models of Core Chat. */
const callerFolder = join(projectFolder, "test/fixtures/model-caller");

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {readonly {title: string, message: string, file?: string | undefined}[]} failures
 * @property {Readonly<Record<string, number>>} [passedIn] per file, if files are known
 * @property {Readonly<Record<string, number>>} [durationMs] of tests and hooks per file, likewise
 * @property {readonly {title: string, message: string}[]} [flaky] failed once and then passed
 */

/**
 * Runs all integration tests in a copy of the sample workspace, with a local reference service
 * whose address is in CORE_CHAT_TEST_SERVICE. Output goes to the terminal.
 *
 * @param {{depth: "quick" | "added", limitMs: number, files?: readonly string[] | undefined, isOldest?: boolean}} options
 *   `files` are built test files; without them all are run
 * @returns {Promise<Counts>} a run that crashed or ended without results counts as one failure
 */
export async function runIntegration({ depth, limitMs, files, isOldest = false }) {
  const temporary = mkdtempSync(join(tmpdir(), "core-chat-integration-"));
  const workspace = join(temporary, "workspace");
  const resultPath = join(temporary, "result.json");
  cpSync(join(projectFolder, "test/fixtures/sample-workspace"), workspace, { recursive: true });
  const service = await startLocalService({ delayMs: 0 });
  try {
    const crash = await startVscode(workspace, temporary, {
      CORE_CHAT_TEST_RESULT: resultPath,
      CORE_CHAT_TEST_SERVICE: service.url,
      CORE_CHAT_TEST_DEPTH: depth,
      CORE_CHAT_TEST_LIMIT_MS: String(limitMs),
      ...(isOldest && { CORE_CHAT_TEST_VSCODE: "npm-oldest" }),
      ...(files && { CORE_CHAT_TEST_FILES: files.join(delimiter) }),
    });
    return readCounts(resultPath, crash);
  } finally {
    await service.stop();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * @param {string} workspace
 * @param {string} temporary
 * @param {Record<string, string>} testEnv inherited by the extension host
 * @returns {Promise<string | undefined>} error message of a crash or of failed tests
 */
async function startVscode(workspace, temporary, testEnv) {
  const { runTests } = await import("@vscode/test-electron");
  const isDesktop = process.env["CORE_CHAT_TEST_VSCODE"] === "desktop";
  try {
    await runTests({
      ...(isDesktop
        ? {}
        : { vscodeExecutablePath: join(projectFolder, "test/support/vscode/launcher.mjs") }),
      extensionDevelopmentPath: [projectFolder, callerFolder],
      extensionTestsPath: join(outFolder, "test/integration/index.cjs"),
      extensionTestsEnv: testEnv,
      launchArgs: [
        workspace,
        `--user-data-dir=${join(temporary, "data")}`,
        `--extensions-dir=${join(temporary, "extensions")}`,
      ],
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string} path of the results
 * @param {string | undefined} crash
 * @returns {Counts}
 */
function readCounts(path, crash) {
  try {
    const counts = JSON.parse(readFileSync(path, "utf8"));
    if (crash === undefined || counts.failed > 0) return counts;
  } catch {
    // No results: the run ended early.
  }
  const message = crash ?? "VS Code ended without writing the tests' results.";
  return { passed: 0, failed: 1, failures: [{ title: "integration tests run", message }] };
}
