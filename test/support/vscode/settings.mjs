/**
 * User settings for a VS Code that is a guest on this machine: quiet, offline, trusting the folder
 * it is given. What a test or `npm start` wants beyond that is added by the caller.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** @type {Readonly<Record<string, unknown>>} */
const GUEST_SETTINGS = {
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.enableExperiments": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.openRepositoryInParentFolders": "never",
};

/**
 * Writes the user settings before VS Code starts. Settings the user changed in that profile stay,
 * except those named in `settings`, which hold for this start.
 *
 * @param {string} path absolute path of the profile's settings.json
 * @param {Readonly<Record<string, unknown>>} settings a function gets the value of before and
 *   returns the new one
 */
export function writeSettings(path, settings) {
  mkdirSync(dirname(path), { recursive: true });
  const earlier = read(path);
  const changed = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === "function" ? value(earlier[name]) : value,
  ]);
  const all = { ...GUEST_SETTINGS, ...earlier, ...Object.fromEntries(changed) };
  writeFileSync(path, JSON.stringify(all, null, 2));
}

/**
 * @param {string} path
 * @returns {Record<string, unknown>} empty when there are none, or none that plain JSON can read
 */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
