/** Finds the tests whose build contains a changed file. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { projectFolder } from "./project.mjs";

/** Folders of tests that use the whole extension. */
const WITH_PROGRAMS = /^out\/test\/(?:page|integration|e2e)\//;

/**
 * Returns the built test files that contain a file which was changed since a commit, or was never
 * committed. Throws an error if there is no such commit. Needs a build.
 *
 * @param {string} commit
 * @returns {string[]} relative to the project's folder
 */
export function changedTests(commit) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: projectFolder, encoding: "utf8" }).split("\n").filter(Boolean);
  const changed = new Set([
    ...git("diff", "--name-only", commit, "--"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ]);
  /** @type {Record<string, string[]>} */
  const { programs = [], ...tests } = JSON.parse(
    readFileSync(`${projectFolder}/out/test/sources.json`, "utf8"),
  );
  const isChanged = (/** @type {string} */ file) => changed.has(file);
  const isProgramChanged = programs.some(isChanged);
  return Object.entries(tests)
    .filter(
      ([test, sources]) =>
        sources.some(isChanged) || (isProgramChanged && WITH_PROGRAMS.test(test)),
    )
    .map(([test]) => test);
}
