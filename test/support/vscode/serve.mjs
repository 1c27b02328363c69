/**
 * Serves a VS Code installed by get.mjs on 127.0.0.1, with a separate profile, until it is stopped.
 * Imports only Node built-ins, because `npm start` uses this before packages are installed.
 */
import { execFile } from "node:child_process";
import { createWriteStream, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { run, start, stop } from "../runner/programs.mjs";
import { projectFolder } from "../runner/project.mjs";
import { registerDisplayLanguage } from "./displayLanguage.mjs";
import { installUnpacked } from "./installUnpacked.mjs";
import { writeSettings } from "./settings.mjs";

/** Time limit for the server's first response, in milliseconds (measured: 1-3 s). */
const START_LIMIT_MS = 60_000;

/** Helper extension that makes open windows apply changed settings. */
export const helperFolder = join(projectFolder, "test/support/vscode/helperExtension");

/**
 * @typedef {object} ServeOptions
 * @property {import("./get.mjs").Vscode} vscode
 * @property {string} dataDir absolute folder for the profile and the log, created if missing
 * @property {Readonly<Record<string, unknown>>} [settings] user settings for this start
 * @property {string} [locale] display language for extensions, such as zh-cn
 * @property {boolean} [smokeTest] true enables the `payload` query of pages, and hides messages
 *   in the corner; for integration tests only
 * @property {string} [extensionsDir] absolute; `dataDir`/ext by default
 * @property {readonly string[]} [extensions] absolute folders of unpacked extensions
 * @property {boolean} [openChat] opens the Core Chat panel in each window; false by default
 * @property {string} [folder] absolute path of the workspace that a page opens by default
 * @property {number} [port] preferred port; another free port if unset or in use
 * @property {NodeJS.ProcessEnv} [env] environment of the extension host; by default this process's
 *
 * @typedef {object} ServedVscode owned by the caller, who must call `stop`
 * @property {string} url such as http://127.0.0.1:8123, without a trailing slash
 * @property {number} port
 * @property {(vsixPath: string) => Promise<void>} installExtension installs for pages that open afterwards
 * @property {(settings: Readonly<Record<string, unknown>>) => void} changeSettings changes user settings;
 *   open windows apply them together, a moment later
 * @property {() => Promise<void>} untilSettingsApplied resolves when a window has applied what
 *   `changeSettings` changed last
 * @property {(settings: Readonly<Record<string, unknown>>) => void} resetSettings replaces the user settings
 *   for windows that open afterwards, including those of `changeSettings`
 * @property {() => Promise<number>} killExtensionHosts kills them as a crash does; resolves with
 *   their number when they have ended
 * @property {Promise<void>} ended settles when the server has ended for any reason
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the server and resolves when it responds. Throws an error with the server's last lines if
 * the server ends or does not respond.
 *
 * @param {ServeOptions} options
 * @returns {Promise<ServedVscode>}
 */
export async function serveVscode(options) {
  const { vscode, dataDir, locale, smokeTest = false, env = process.env } = options;
  const extensionsDir = options.extensionsDir ?? join(dataDir, "ext");
  const userDataDir = join(dataDir, "data");
  installUnpacked(extensionsDir, [helperFolder, ...(options.extensions ?? [])]);
  let revision = Date.now();
  const revisionPath = join(dataDir, "settings-revision");
  const settingsPath = join(userDataDir, "User/settings.json");
  writeSettings(settingsPath, options.settings ?? {});
  writeFileSync(revisionPath, "");
  if (locale !== undefined) registerDisplayLanguage(userDataDir, locale);

  const port = await freePort(options.port);
  const shared = [
    vscode.serverMain,
    "--accept-server-license-terms",
    ...["--server-data-dir", dataDir, "--extensions-dir", extensionsDir],
  ];
  const serverEnv = {
    ...withoutParent(env),
    // Keeps VS Code from replacing a given environment with that of a login shell.
    ...(options.env && { VSCODE_CLI: "1" }),
    CORE_CHAT_HELPER_REVISION: revisionPath,
    CORE_CHAT_HELPER_OPEN: options.openChat ? "1" : "",
  };
  const child = start(
    vscode.node,
    [
      ...shared,
      ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
      "--disable-telemetry",
      "--disable-websocket-compression", // Its time on this machine is longer than the bytes take.
      ...(smokeTest ? ["--enable-smoke-test-driver"] : []),
      ...(options.folder === undefined ? [] : ["--default-folder", options.folder]),
      ...(locale === undefined ? [] : ["--locale", locale]),
    ],
    { env: serverEnv, endsWithParent: true },
  );
  const lastLines = keepOutput(child, join(dataDir, "server.log"));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswers(url, child);
  } catch (error) {
    await stop(child);
    throw new Error(`${error instanceof Error ? error.message : error}\n${lastLines()}`);
  }
  return {
    url,
    port,
    async installExtension(vsixPath) {
      const args = [...shared, "--install-extension", vsixPath, "--force"];
      await run(vscode.node, args, { env: serverEnv, limitMs: 60_000 });
      if (locale !== undefined) registerDisplayLanguage(userDataDir, locale);
    },
    changeSettings(settings) {
      writeSettings(settingsPath, settings);
      writeFileSync(revisionPath, String((revision += 1)));
    },
    async untilSettingsApplied() {
      const asked = readFileSync(revisionPath, "utf8");
      const path = `${revisionPath}.applied`;
      for (const untilMs = Date.now() + 90_000; asked !== ""; await delay(50)) {
        if (existsSync(path) && readFileSync(path, "utf8") === asked) return;
        if (Date.now() > untilMs) throw new Error("No window applied the changed settings.");
      }
    },
    resetSettings(settings) {
      rmSync(settingsPath, { force: true });
      writeSettings(settingsPath, settings);
      writeFileSync(revisionPath, "");
    },
    async killExtensionHosts() {
      const ids = await extensionHostsBelow(child.pid ?? 0);
      for (const id of ids) killIfRunning(id);
      while (ids.length > 0 && (await areRunning(ids))) await delay(20);
      return ids.length;
    },
    ended: new Promise((resolve) => void child.once("exit", () => resolve())),
    stop: () => stop(child),
  };
}

/**
 * Returns a free port: the preferred port if it is free.
 *
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred = 0) {
  const server = createServer();
  try {
    return await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(preferred, "127.0.0.1", () => {
        const address = server.address();
        resolve(address !== null && typeof address === "object" ? address.port : 0);
      });
    });
  } catch (error) {
    if (preferred === 0) throw error;
    return await freePort();
  } finally {
    server.close();
  }
}

/**
 * Removes variables of VS Code's own terminal, which would confuse a second VS Code started from
 * it.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function withoutParent(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name)),
  );
}

/**
 * Returns the process ids of the extension hosts among the direct and indirect children of a
 * process.
 *
 * @param {number} rootId
 * @returns {Promise<number[]>}
 */
async function extensionHostsBelow(rootId) {
  const rows = await listProcesses();
  const below = new Set([rootId]);
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const { id, parentId } of rows) if (below.has(parentId)) below.add(id);
  }
  const isHost = (/** @type {string} */ args) => args.includes("--type=extensionHost");
  return rows.filter(({ id, args }) => below.has(id) && isHost(args)).map(({ id }) => id);
}

/**
 * Returns true if any of these extension hosts still runs; a zombie has no arguments.
 *
 * @param {readonly number[]} ids
 */
async function areRunning(ids) {
  const rows = await listProcesses();
  return rows.some(({ id, args }) => ids.includes(id) && args.includes("--type=extensionHost"));
}

/**
 * Kills a process that may have ended in the meantime.
 *
 * @param {number} id
 */
function killIfRunning(id) {
  try {
    process.kill(id, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function listProcesses() {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [, id, parentId, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id: Number(id), parentId: Number(parentId), args }];
  });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} logPath
 * @returns {() => string} last lines of output
 */
function keepOutput(child, logPath) {
  const log = createWriteStream(logPath);
  let last = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      log.write(text);
      last = (last + text).slice(-2_000);
    });
  }
  child.once("close", () => log.end());
  return () => last;
}

/**
 * @param {string} url
 * @param {import("node:child_process").ChildProcess} child
 */
async function untilAnswers(url, child) {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error("VS Code's server ended while starting.");
    if (Date.now() > deadline) throw new Error("VS Code's server did not answer for a minute.");
    try {
      const response = await fetch(`${url}/version`);
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await delay(100);
  }
}
