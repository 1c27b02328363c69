/**
 * Locates the project's folders, for code that runs directly and for code bundled into `out/`.
 * Imports only Node built-ins, because `npm start` uses this before packages are installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Root folder of the project, absolute: the nearest parent folder with Core Chat's package.json.
 */
export const projectFolder = findProjectFolder(dirname(fileURLToPath(import.meta.url)));

/**
 * Folder that is kept between runs and ignored by git: the VS Code of the tests, profiles, the
 * sample workspace.
 */
export const keptFolder = join(projectFolder, ".vscode-test");

/** Folder that every build recreates and git ignores: built tests, screenshots, results. */
export const outFolder = join(projectFolder, "out");

/**
 * @param {string} start absolute path of the folder to look in first
 * @returns {string}
 */
function findProjectFolder(start) {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "core-chat") {
      return folder;
    }
    if (folder === dirname(folder)) {
      throw new Error("The project's package.json was not found: run this from a full checkout.");
    }
  }
}
