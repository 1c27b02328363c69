/**
 * Runs `npm start`: from a bare checkout to a VS Code with Core Chat, a sample workspace and the
 * local reference service, unless CORE_CHAT_BASE_URL names a service.
 * CORE_CHAT_START=browser uses the VS Code from npm even if `code` is installed.
 * CORE_CHAT_START_FOLDER holds the profile and the workspace instead of .vscode-test. --check runs
 * a user's first steps in a headless browser.
 * Imports only Node built-ins until the packages are installed.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, ensureDependencies } from "../runner/dependencies.mjs";
import { startLocalService } from "./localService.mjs";
import { findProgram, run } from "../runner/programs.mjs";
import { keptFolder, outFolder, projectFolder } from "../runner/project.mjs";
import { startDesktop } from "../vscode/desktop.mjs";
import { ensureVscode } from "../vscode/get.mjs";
import { serveVscode } from "../vscode/serve.mjs";

/** Fixed port, so that the browser keeps its storage for the address between starts. */
const PREFERRED_PORT = 8123;

/** @typedef {{stop: () => Promise<void>, ended?: Promise<void>}} Started */

/** Started programs, in order; stopped in reverse order. @type {Started[]} */
const started = [];
let isStopping = false;

// npm can end without passing the signal on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stopAndExit(0);
}, 1_000).unref();

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
  console.log("Getting Core Chat ready: packages, a VS Code, a build. Ctrl+C stops everything.");
  const code = findProgram("code");
  const isDesktop =
    code !== undefined && process.env["CORE_CHAT_START"] !== "browser" && !isChecking();
  // The packages and VS Code need nothing of each other.
  await Promise.all([ensureDependencies().then(build), isDesktop ? undefined : ensureVscode()]);
  const folder = startFolder();
  const service = await chooseService();
  const workspace = await prepareWorkspace(folder);
  const settings = { ...startSettings(), ...service };
  if (isDesktop) {
    await openDesktop(code, folder, workspace, settings);
  } else {
    await openInBrowser(folder, workspace, settings);
  }
}

function isChecking() {
  return process.argv.includes("--check");
}

/** Absolute folder of the profile and the sample workspace; a new folder for --check. */
function startFolder() {
  if (isChecking()) {
    const folder = mkdtempSync(join(tmpdir(), "core-chat-start-"));
    started.push({
      stop: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    });
    return folder;
  }
  return resolve(process.env["CORE_CHAT_START_FOLDER"] || keptFolder);
}

/** Settings that apply at each start, even if the profile was changed. */
function startSettings() {
  return {
    "chat.disableAIFeatures": true, // Leaves only Core Chat in the secondary side bar.
    "workbench.secondarySideBar.defaultVisibility": "visible",
    // Opens the sample's README in a window without tabs; the helper does that in the browser.
    "workbench.startupEditor": "readme",
  };
}

/**
 * Uses the project's own TypeScript server, because the VS Code from npm lacks that server and
 * shows an error when the first TypeScript file opens.
 */
function typescriptSettings() {
  return {
    "js/ts.tsdk.path": join(projectFolder, "node_modules/typescript/lib"),
    "js/ts.tsserver.automaticTypeAcquisition.enabled": false, // Downloads packages.
  };
}

/**
 * Copies the sample workspace. Changed files stay, deleted files are restored. If git is installed,
 * the copy is a repository of its own, so that users can ask about changes and commit them.
 *
 * @param {string} folder
 * @returns {Promise<string>} absolute
 */
async function prepareWorkspace(folder) {
  const workspace = join(folder, "sample-workspace");
  mkdirSync(workspace, { recursive: true });
  cpSync(join(projectFolder, "test/fixtures/sample-workspace"), workspace, {
    recursive: true,
    force: false,
  });
  if (findProgram("git") !== undefined && !existsSync(join(workspace, ".git"))) {
    await makeRepository(workspace).catch(() => {
      console.log(
        "The sample workspace could not be made a git repository. Everything else works.",
      );
    });
  }
  return workspace;
}

/**
 * Commits everything without the user's name, signature and hooks.
 *
 * @param {string} folder
 */
async function makeRepository(folder) {
  const config = ["user.name=Core Chat", "user.email=core-chat@localhost", "commit.gpgSign=false"];
  const flags = config.flatMap((one) => ["-c", one]);
  await run("git", ["init", "--quiet"], { cwd: folder });
  await run("git", ["add", "--all"], { cwd: folder });
  const commit = ["commit", "--quiet", "--no-verify", "--message", "Open the corner shop"];
  await run("git", [...flags, ...commit], { cwd: folder });
}

/**
 * Checks the user's own service, or starts the local service.
 *
 * @returns {Promise<Record<string, unknown>>} settings for the service
 */
async function chooseService() {
  const rules = await import(
    pathToFileURL(join(outFolder, "test/support/start/startRules.mjs")).href
  );
  const servicePrompts = /** @type {Record<string, string>} */ (rules.SERVICE_PROMPTS);
  /** @param {unknown} earlier prompts of the profile; the user's own prompts stay */
  const ownPrompts = (earlier) =>
    Object.fromEntries(
      Object.entries(earlier ?? {}).filter(([name, text]) => servicePrompts[name] !== text),
    );
  const own = process.env["CORE_CHAT_BASE_URL"];
  if (own) {
    const { baseUrl, isLocal, sentence } = rules.checkBaseUrl(own);
    if (baseUrl === undefined) throw new Error(`CORE_CHAT_BASE_URL: ${sentence}`);
    const path = process.env["CORE_CHAT_PATH"];
    console.log(`Service: ${baseUrl}${path ?? ""} (from CORE_CHAT_BASE_URL).`);
    console.log(
      isLocal
        ? '         If it requires a key, run "Core Chat: Set API Key" in VS Code.'
        : '         Choose "Set API Key" in the panel to enter your key.',
    );
    return {
      "coreChat.baseUrl": baseUrl,
      ...(path && { "coreChat.path": path }),
      "coreChat.prompts": ownPrompts,
    };
  }
  const service = await startLocalService();
  started.push(service);
  console.log(`Service: the local reference service at ${service.url}. No key is needed.`);
  console.log(
    "         It has no model: replies about the sample are prepared, others are an echo.",
  );
  const profiles = /** @type {{ name: string }[]} */ (await rules.localProfiles(fetch));
  for (const { name } of profiles) {
    console.log(`         ${name} runs on this machine: choose it with "Core Chat: Service…".`);
  }
  return {
    "coreChat.baseUrl": service.url,
    "coreChat.profiles": (/** @type {unknown} */ earlier) => {
      const own = /** @type {{ name: string }[]} */ (Array.isArray(earlier) ? earlier : []);
      const isOther = (/** @type {{ name: string }} */ one) =>
        profiles.every(({ name }) => name !== one.name);
      return [...profiles, ...own.filter(isOther)];
    },
    "coreChat.prompts": (/** @type {unknown} */ earlier) => ({
      ...servicePrompts,
      ...ownPrompts(earlier),
    }),
  };
}

/**
 * @param {string} code path of the `code` command
 * @param {string} folder
 * @param {string} workspace
 * @param {Readonly<Record<string, unknown>>} settings
 */
async function openDesktop(code, folder, workspace, settings) {
  const desktop = startDesktop({ code, dataDir: join(folder, "desktop"), workspace, settings });
  started.push(desktop);
  printInstructions("\nA new VS Code window opens with its own profile; yours is not changed.");
  await desktop.ended;
  console.log("The window was closed.");
  await stopAndExit(0);
}

/**
 * @param {string} folder
 * @param {string} workspace
 * @param {Readonly<Record<string, unknown>>} settings
 */
async function openInBrowser(folder, workspace, settings) {
  const vscode = await ensureVscode();
  const served = await serveVscode({
    vscode,
    dataDir: join(folder, "browser"),
    port: isChecking() ? 0 : PREFERRED_PORT,
    // The local service needs no forwarded port, and VS Code would announce one.
    settings: {
      ...settings,
      ...typescriptSettings(),
      "remote.autoForwardPorts": false,
      "workbench.startupEditor": "none",
    },
    folder: workspace,
    extensions: [projectFolder],
    openChat: true,
  });
  started.push(served);
  if (isChecking()) {
    const { checkWindow } = await import("./checkWindow.mjs");
    await stopAndExit((await checkWindow(served.url)) ? 0 : 1);
  }
  printInstructions(`\nOpen this address in a browser:\n\n  ${served.url}/`);
  await served.ended;
  if (!isStopping)
    throw new Error(
      `VS Code's server ended unexpectedly. Its log is ${join(folder, "browser/server.log")}.`,
    );
}

/** @param {string} first */
function printInstructions(first) {
  console.log(first);
  console.log(`
Core Chat opens on the right, with a screenshot of the sample shop attached. Ask "What is wrong with
the sum?" and press Enter: the reply marks what it means in the picture. The README next to it lists
more to try. If the panel is hidden: Ctrl+Shift+P (on a Mac Cmd+Shift+P), "Core Chat: Open Chat".
Press Ctrl+C here to stop everything.`);
}

/**
 * Stops all started programs in reverse order, and ends the process. A second call waits for the
 * first.
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
