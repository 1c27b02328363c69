/**
 * Starts the installed desktop VS Code with the built Core Chat and a separate profile, so that the
 * user's own settings and extensions stay unchanged.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { start, stop } from "../runner/programs.mjs";
import { projectFolder } from "../runner/project.mjs";
import { helperFolder, withoutParent } from "./serve.mjs";
import { writeSettings } from "./settings.mjs";

/**
 * Opens a window and resolves `ended` when the window is closed.
 *
 * @param {object} options
 * @param {string} options.code absolute path of the `code` command
 * @param {string} options.dataDir absolute folder for the profile, created if missing
 * @param {string} options.workspace absolute path of the folder to open
 * @param {Readonly<Record<string, unknown>>} options.settings user settings for this start
 * @returns {{ended: Promise<void>, stop: () => Promise<void>}}
 */
export function startDesktop({ code, dataDir, workspace, settings }) {
  const userDataDir = join(dataDir, "user-data");
  mkdirSync(userDataDir, { recursive: true });
  writeSettings(join(userDataDir, "User/settings.json"), settings);
  const child = start(
    code,
    [
      "--new-window",
      "--wait", // Makes `code` end when the window is closed.
      `--user-data-dir=${userDataDir}`,
      `--extensions-dir=${join(dataDir, "extensions")}`,
      `--extensionDevelopmentPath=${projectFolder}`,
      `--extensionDevelopmentPath=${helperFolder}`,
      "--disable-workspace-trust",
      "--skip-release-notes",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      workspace,
    ],
    { env: { ...withoutParent(process.env), CORE_CHAT_HELPER_OPEN: "1" }, inherit: true },
  );
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
  return { ended, stop: () => stop(child) };
}
