/**
 * Default user settings of a VS Code for tests and for `npm start`: quiet, offline, trusting the
 * opened folder. Callers add further settings.
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
  "remote.autoForwardPorts": false,
};

/**
 * Writes the user settings before VS Code starts. Settings that the user changed in that profile
 * stay, except those in `settings`.
 *
 * @param {string} path absolute path of the profile's settings.json
 * @param {Readonly<Record<string, unknown>>} settings a function receives the previous value and
 *   returns the new value
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
 * @returns {Record<string, unknown>} empty if there are none, or if plain JSON cannot parse them
 */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
