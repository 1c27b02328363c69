/**
 * `npm start`: from a bare checkout to a VS Code with Core Chat in it, a sample workspace and,
 * unless CORE_CHAT_BASE_URL names a service, the local reference service. CORE_CHAT_START=browser
 * uses the VS Code from npm even where `code` is installed; --check proves that all of it works.
 * Imports only Node built-ins until the packages are installed.
 */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, ensureDependencies } from "./dependencies.mjs";
import { startLocalService } from "./localService.mjs";
import { findProgram } from "./programs.mjs";
import { keptFolder, projectFolder } from "./project.mjs";
import { startDesktop } from "./vscode/desktop.mjs";
import { ensureVscode } from "./vscode/get.mjs";
import { serveVscode } from "./vscode/serve.mjs";

/** The address stays the same between starts, and with it what the browser keeps for it. */
const PREFERRED_PORT = 8123;

/** @typedef {{stop: () => Promise<void>, ended?: Promise<void>}} Started */

/** What was started, in order; stopped the other way round. @type {Started[]} */
const started = [];
let isStopping = false;

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => void stopAndExit(isChecking() ? 1 : 0));
}

try {
  await main();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  await stopAndExit(1);
}

async function main() {
  await ensureDependencies();
  await build();
  const workspace = prepareWorkspace();
  const settings = { ...startSettings(), "coreChat.baseUrl": await chooseService() };
  const code = findProgram("code");
  if (code !== undefined && process.env["CORE_CHAT_START"] !== "browser" && !isChecking()) {
    await openDesktop(code, workspace, settings);
  } else {
    await openInBrowser(workspace, settings);
  }
}

function isChecking() {
  return process.argv.includes("--check");
}

/** Settings that hold at each start, whatever was changed in the profile before. */
function startSettings() {
  return {
    "chat.disableAIFeatures": true, // Core Chat is then alone in the secondary side bar
    "workbench.secondarySideBar.defaultVisibility": "visible",
  };
}

/** A copy to play with; what was changed in it stays, what was deleted comes back. */
function prepareWorkspace() {
  const workspace = join(keptFolder, "sample-workspace");
  mkdirSync(workspace, { recursive: true });
  cpSync(join(projectFolder, "test/fixtures/sample-workspace"), workspace, {
    recursive: true,
    force: false,
  });
  return workspace;
}

/** @returns {Promise<string>} the base URL */
async function chooseService() {
  const own = process.env["CORE_CHAT_BASE_URL"];
  if (own) {
    console.log(`Service: ${own} (from CORE_CHAT_BASE_URL). VS Code will ask for your key there.`);
    return own;
  }
  const service = await startLocalService();
  started.push(service);
  console.log(`Service: the local reference service at ${service.url}. No key is needed.`);
  console.log(
    "         It has no model in it: its replies show what arrived and how replies look.",
  );
  return service.url;
}

/**
 * @param {string} code path of the `code` command
 * @param {string} workspace
 * @param {Readonly<Record<string, unknown>>} settings
 */
async function openDesktop(code, workspace, settings) {
  const desktop = startDesktop({ code, dataDir: join(keptFolder, "desktop"), workspace, settings });
  started.push(desktop);
  sayWhereToLook(
    "\nA new VS Code window opens now, with a profile of its own: yours stays as it is.",
  );
  await desktop.ended;
  console.log("The window was closed.");
  await stopAndExit(0);
}

/**
 * @param {string} workspace
 * @param {Readonly<Record<string, unknown>>} settings
 */
async function openInBrowser(workspace, settings) {
  const vscode = await ensureVscode();
  const served = await serveVscode({
    vscode,
    dataDir: join(keptFolder, isChecking() ? "check" : "browser"),
    port: isChecking() ? 0 : PREFERRED_PORT,
    settings,
    folder: workspace,
    extensions: [projectFolder],
    openChat: true,
  });
  started.push(served);
  if (isChecking()) {
    const { checkWindow } = await import("./checkWindow.mjs");
    await stopAndExit((await checkWindow(served.url)) ? 0 : 1);
  }
  sayWhereToLook(
    `\nVS Code ${vscode.version} is ready. Open this address in a browser:\n\n  ${served.url}/`,
  );
  await served.ended;
  if (!isStopping)
    throw new Error(
      "VS Code's server ended by itself; its log is server.log in .vscode-test/browser.",
    );
}

/** @param {string} first */
function sayWhereToLook(first) {
  console.log(first);
  console.log(`
Core Chat opens on the right, in the secondary side bar. If it is hidden: Ctrl+Shift+P (on a Mac
Cmd+Shift+P), then "Core Chat: Open Chat". Type a question there and press Enter. The README of
the sample workspace says what else there is to try.
Press Ctrl+C here to stop everything.`);
}

/**
 * Stops everything that was started, the last first, and ends. A second call waits for the first.
 *
 * @param {number} code
 * @returns {Promise<never>}
 */
async function stopAndExit(code) {
  if (isStopping) return await new Promise(() => {});
  isStopping = true;
  for (const { stop } of started.toReversed()) await stop();
  process.exit(code);
}
