/**
 * Installs unpacked extensions into the extensions folder of a served VS Code, without packaging
 * them. Uses VS Code's own layout: a folder PUBLISHER.NAME-VERSION each, and a list of all of them
 * in extensions.json.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Adds these extensions; other extensions in the folder stay. Each is a link to the whole source
 * folder, so a new build is used after the window is reloaded.
 *
 * VS Code identifies the extension that calls its API by comparing the real path of the calling
 * file with the real paths of the extension folders. A folder of links to single files does not
 * match: its extension runs without an identity, and its webviews receive no binary messages.
 *
 * @param {string} extensionsDir absolute, created if missing
 * @param {readonly string[]} sources absolute folders, each with a package.json
 */
export function installUnpacked(extensionsDir, sources) {
  mkdirSync(extensionsDir, { recursive: true });
  const added = sources.map((source) => link(extensionsDir, source));
  const ids = new Set(added.map((entry) => entry.identifier.id));
  const listPath = join(extensionsDir, "extensions.json");
  const others = readList(listPath).filter((entry) => !ids.has(entry.identifier.id));
  writeFileSync(listPath, JSON.stringify([...others, ...added]));
}

/**
 * @param {string} extensionsDir
 * @param {string} source
 */
function link(extensionsDir, source) {
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const id = `${manifest.publisher}.${manifest.name}`;
  const relativeLocation = `${id}-${manifest.version}`;
  for (const name of readdirSync(extensionsDir)) {
    if (name.startsWith(`${id}-`)) rmSync(join(extensionsDir, name), { recursive: true });
  }
  const target = join(extensionsDir, relativeLocation);
  symlinkSync(source, target, "junction"); // "junction" has an effect on Windows only.
  return {
    identifier: { id },
    version: manifest.version,
    location: { $mid: 1, path: target, scheme: "file" },
    relativeLocation,
    metadata: { installedTimestamp: 0, source: "vsix", pinned: true },
  };
}

/**
 * @param {string} path
 * @returns {{identifier: {id: string}}[]} extensions listed so far
 */
function readList(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return [];
  }
}
