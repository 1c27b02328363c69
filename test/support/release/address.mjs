/**
 * The public address of the project, which address.json holds. `npm run address` writes it where GitHub and
 * VS Code read it; a release refuses to leave it empty.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder } from "../runner/project.mjs";

/** Path of the only file in which a maintainer writes the address. */
export const ADDRESS_FILE = "test/support/release/address.json";

/** @typedef {{ repository: string, codeOwner: string, security: string }} Address */

/** @type {Readonly<Record<keyof Address, RegExp>>} */
const FORMS = {
  repository: /^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/,
  codeOwner: /^@[\w/-]+$/,
  security: /^(https:\/\/|mailto:)\S+$/,
};

/** @returns {Address} */
export function readAddress() {
  return JSON.parse(readFileSync(join(projectFolder, ADDRESS_FILE), "utf8"));
}

/**
 * Throws unless each part of the address is filled in.
 *
 * @param {Readonly<Record<string, string>>} address
 */
export function checkAddress(address) {
  const wrong = Object.entries(FORMS).filter(([name, form]) => !form.test(address[name] ?? ""));
  if (wrong.length === 0) return;
  const names = wrong.map(([name]) => name).join(", ");
  throw new Error(`Fill in ${names} in ${ADDRESS_FILE}, run "npm run address" and commit it.`);
}

/**
 * Returns the files that have the address, by path. Without an address they name nobody.
 *
 * @param {Address} address
 */
export function filesWithAddress({ repository, codeOwner, security }) {
  const note = `# Made from ${ADDRESS_FILE} by "npm run address".\n`;
  const link =
    security === ""
      ? ""
      : `contact_links:
  - name: Security problem
    url: ${security}
    about: Please report it in private. SECURITY.md says what counts.
`;
  const manifest = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  if (repository !== "") {
    manifest.repository = { type: "git", url: `${repository}.git` };
    manifest.bugs = { url: `${repository}/issues` };
  }
  return {
    ".github/CODEOWNERS": note + (codeOwner === "" ? "" : `* ${codeOwner}\n`),
    ".github/ISSUE_TEMPLATE/config.yml": `${note}blank_issues_enabled: false\n${link}`,
    "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(filesWithAddress(readAddress())))
    writeFileSync(join(projectFolder, path), text);
}
