/**
 * Where the project's folders are, for code that runs as it is and for code bundled into `out/`.
 * Node built-ins only: `npm start` uses this before anything is installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder, absolute: the nearest folder above with Core Chat's package.json. */
export const projectFolder = findProjectFolder(dirname(fileURLToPath(import.meta.url)));

/** Kept between runs, ignored by git: the VS Code of the tests, profiles, the sample workspace. */
export const keptFolder = join(projectFolder, ".vscode-test");

/** Made new by every build, ignored by git: built tests, screenshots, results. */
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
