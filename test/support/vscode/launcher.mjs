#!/usr/bin/env node
/**
 * Replaces the desktop VS Code's executable for `runTests({ vscodeExecutablePath })` of
 * @vscode/test-electron. Accepts its test arguments (--extensionDevelopmentPath,
 * --extensionTestsPath, --user-data-dir, a folder), runs the tests in the npm VS Code and a
 * headless Chromium, and exits with the tests' exit code.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format, parseArgs } from "node:util";
import { launchBrowser } from "../browser/browser.mjs";
import { openWorkbench } from "./workbench.mjs";
import { ensureVscode, testedVersion } from "./get.mjs";
import { serveVscode } from "./serve.mjs";

/** Time limit of the whole run, in milliseconds. */
const RUN_LIMIT_MS = Number(process.env["CORE_CHAT_TEST_LIMIT_MS"] ?? 5 * 60_000);

/** Prefix of the lines that test/integration/index.ts prints. */
const OUR_LINE = "│ ";

/**
 * Settings without work that no test reads: of other extensions after each change of a file (a check of its
 * types, its outline, the status of each repository, which tests ask for themselves), and drawing.
 */
const WITHOUT_OTHERS = {
  "typescript.validate.enable": false,
  "javascript.validate.enable": false,
  "breadcrumbs.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.semanticHighlighting.enabled": false,
  "git.autorefresh": false,
  "git.autoRepositoryDetection": false,
  "scm.diffDecorations": "none",
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.bracketPairColorization.enabled": false,
  "editor.matchBrackets": "never",
  "editor.selectionHighlight": false,
  "editor.guides.indentation": false,
  "editor.colorDecorators": false,
  "editor.links": false,
};

/** Number of VS Code's own log lines that are shown when a run fails. */
const MAX_LOG_LINES = 20;

/** @type {string[]} */
const lastLogLines = [];

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string", multiple: true },
    extensionTestsPath: { type: "string" },
    "user-data-dir": { type: "string" },
    "extensions-dir": { type: "string" },
    locale: { type: "string" },
  },
});

// A page accepts one extension under development; the others are installed.
const [developmentPath, ...otherExtensions] = [values.extensionDevelopmentPath ?? []].flat();

process.exitCode = await runTests().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});

/** @returns {Promise<number>} the tests' exit code */
async function runTests() {
  const vscode = await ensureVscode({ version: testedVersion() });
  const temporary = mkdtempSync(join(tmpdir(), "core-chat-tests-"));
  const folder = positionals[0] ?? join(temporary, "empty-workspace");
  mkdirSync(folder, { recursive: true });
  /** @type {Awaited<ReturnType<typeof serveVscode>> | undefined} */
  let served;
  /** @type {Awaited<ReturnType<typeof launchBrowser>> | undefined} */
  let browser;
  const stopAll = async () => {
    await browser?.close();
    await served?.stop();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    process.once(signal, () => void stopAll().finally(() => process.exit(130)));
  }
  try {
    served = await serveVscode({
      vscode,
      dataDir: text("user-data-dir") ?? join(temporary, "data"),
      extensionsDir: text("extensions-dir") ?? join(temporary, "extensions"),
      extensions: otherExtensions.map(String),
      smokeTest: true,
      settings: {
        ...WITHOUT_OTHERS,
        "chat.disableAIFeatures": process.env["CORE_CHAT_TEST_AI"] !== "on",
      },
      ...(text("locale") === undefined ? {} : { locale: text("locale") ?? "" }),
    });
    browser = await launchBrowser();
    console.log(`VS Code ${vscode.version} (npm, in ${browser.version()})`);
    return await runInPage(served, browser, folder);
  } finally {
    await stopAll();
  }
}

/**
 * @param {import("./serve.mjs").ServedVscode} served
 * @param {import("playwright-core").Browser} browser
 * @param {string} folder
 */
async function runInPage(served, browser, folder) {
  /** @type {(code: number) => void} */
  let finish = () => {};
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => (finish = resolve));
  const authority = new URL(served.url).host;
  const workbench = await openWorkbench({
    url: served.url,
    folder,
    browser,
    viewport: { width: 1200, height: 700 },
    payload: [
      ["extensionDevelopmentPath", `vscode-remote://${authority}${developmentPath}`],
      ["extensionTestsPath", `vscode-remote://${authority}${text("extensionTestsPath")}`],
      ["enableProposedApi", ""],
      ["skipWelcome", "true"],
    ],
    beforeOpening: async (page) => {
      page.on("crash", () => (console.error("The VS Code window crashed."), finish(1)));
      await page.exposeFunction("codeAutomationLog", printLog);
      await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) => finish(code));
    },
  });
  // Nobody sees this window; the browser does not paint what is transparent.
  const transparent = await workbench.page.addStyleTag({ content: "body { opacity: 0 }" });
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<number>} */
  const tooLate = new Promise((resolve) => {
    timer = setTimeout(() => {
      console.error(`The tests did not end within ${RUN_LIMIT_MS / 1000} s and were stopped.`);
      resolve(1);
    }, RUN_LIMIT_MS);
  });
  const code = await Promise.race([exited, tooLate]);
  clearTimeout(timer);
  if (code === 0) return code;
  console.error(`VS Code's last log lines:\n${lastLogLines.join("\n")}`);
  await transparent.evaluate((style) => style.remove());
  console.error(`Window: ${await workbench.screenshot("integration-failed")}`);
  return code;
}

/**
 * Prints the output of the tests; VS Code's own log lines are stored and printed only if the run
 * fails.
 *
 * @param {string} _type of the console call
 * @param {unknown[]} args
 */
function printLog(_type, args) {
  const line = format(...args);
  if (line.startsWith(OUR_LINE)) {
    console.log(line.slice(OUR_LINE.length));
  } else {
    lastLogLines.push(line.split("\n").slice(0, 3).join("\n"));
    lastLogLines.splice(0, lastLogLines.length - MAX_LOG_LINES);
  }
}

/**
 * @param {string} name of an argument
 * @returns {string | undefined}
 */
function text(name) {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}
