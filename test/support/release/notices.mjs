/**
 * The licences of the packages that are inside the extension, as ThirdPartyNotices.txt holds them.
 * Run as a program it writes that file; a test compares it with the lock file.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder } from "../runner/project.mjs";

/** The file in the package, relative to the project. */
export const NOTICES_FILE = "ThirdPartyNotices.txt";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

const INTRODUCTION = `Third-party notices
===================

Core Chat contains the following packages, each under its own licence.
Made from package-lock.json by \`npm run notices\`.
`;

/** The text the file must hold: every package of run time, by name, with its licence. */
export function thirdPartyNotices() {
  const lock = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8"));
  const folders = Object.keys(lock.packages).filter(
    (folder) =>
      folder !== "" &&
      // Optional packages are native parts for Node, which no bundle holds.
      !lock.packages[folder].dev &&
      !lock.packages[folder].optional &&
      !nameOf(folder).startsWith("@types/"),
  );
  const sections = folders
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .map((folder) => {
      const { version, license } = lock.packages[folder];
      return `${"-".repeat(80)}\n${nameOf(folder)} ${version} (${license})\n\n${licenceIn(folder)}\n`;
    });
  return [INTRODUCTION, ...sections].join("\n");
}

/** @param {string} folder as the lock file names it, like `node_modules/a/node_modules/b` */
function nameOf(folder) {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** The licence files of a package as they come; its package.json names the licence in any case. */
function licenceIn(/** @type {string} */ folder) {
  const path = join(projectFolder, folder);
  const texts = readdirSync(path)
    .filter((name) => LICENCE_FILE.test(name))
    .sort()
    .map((name) => readFileSync(join(path, name), "utf8").replaceAll("\r\n", "\n").trim());
  return texts.length > 0 ? texts.join("\n\n") : "The package comes without a licence text.";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(projectFolder, NOTICES_FILE), thirdPartyNotices());
}
