/**
 * Collects the licenses of the packages inside the extension, as in ThirdPartyNotices.txt. As a
 * program, writes that file; a test compares the file with the lock file.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder } from "../runner/project.mjs";

/** Path of the notices file, relative to the project. */
export const NOTICES_FILE = "ThirdPartyNotices.txt";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

const INTRODUCTION = `Third-party notices
===================

Core Chat contains the following packages, each under its own license.
Made from package-lock.json by \`npm run notices\`.
`;

/** Returns the required content of the file: every runtime package, by name, with its license. */
export function thirdPartyNotices() {
  const lock = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8"));
  const folders = Object.keys(lock.packages).filter(
    (folder) =>
      folder !== "" &&
      // Optional packages are native parts for Node, which no bundle contains.
      !lock.packages[folder].dev &&
      !lock.packages[folder].optional &&
      !nameOf(folder).startsWith("@types/"),
  );
  const sections = folders
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .map((folder) => {
      const { version, license } = lock.packages[folder];
      return `${"-".repeat(80)}\n${nameOf(folder)} ${version} (${license})\n\n${licensesOf(folder)}\n`;
    });
  return [INTRODUCTION, ...sections].join("\n");
}

/** @param {string} folder as the lock file names it, like `node_modules/a/node_modules/b` */
function nameOf(folder) {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/**
 * Returns the text of a package's license files, unchanged.
 *
 * @param {string} folder
 */
function licensesOf(folder) {
  const path = join(projectFolder, folder);
  const texts = readdirSync(path)
    .filter((name) => LICENSE_FILE.test(name))
    .sort()
    .map((name) => readFileSync(join(path, name), "utf8").replaceAll("\r\n", "\n").trim());
  return texts.length > 0 ? texts.join("\n\n") : "The package comes without a license text.";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(projectFolder, NOTICES_FILE), thirdPartyNotices());
}
