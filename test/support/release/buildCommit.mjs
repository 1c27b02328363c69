/** Builds the package of a commit in a copy of its own, so that the same commit gives the same bytes. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../runner/programs.mjs";
import { projectFolder } from "../runner/project.mjs";

process.umask(0o022); // File modes are part of the package.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // Programs of this process end with it.
}

const copies = mkdtempSync(join(tmpdir(), "core-chat-release-"));
process.on("exit", () => rmSync(copies, { recursive: true, force: true }));

/**
 * Builds the package in a copy of the commit, as on a machine without any build output.
 *
 * @param {string} commit
 * @param {string} name of the copy's folder
 * @returns {Promise<{ folder: string, file: string }>} absolute paths of the copy and of the package
 */
export async function buildCommit(commit, name) {
  const seconds = await git("show", "--no-patch", "--format=%ct", `${commit}^{commit}`);
  const folder = join(copies, name);
  mkdirSync(folder, { recursive: true });
  const archive = join(copies, "commit.tar");
  await git("archive", "--format=tar", `--output=${archive}`, commit);
  await run("tar", ["-xf", archive, "-C", folder]);
  // Dates, their time zone and the order of names are part of the package too.
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds, TZ: "UTC", LC_ALL: "C" };
  console.log(`Building in ${name} …`);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, env });
  await run("npm", ["run", "package"], { cwd: folder, env });
  return { folder, file: join(folder, "core-chat.vsix") };
}

/**
 * @param {...string} args
 * @returns {Promise<string>} trimmed standard output
 */
export async function git(...args) {
  return (await run("git", args, { cwd: projectFolder })).trim();
}

/**
 * @param {string} file
 * @returns {string} hexadecimal digits
 */
export function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
