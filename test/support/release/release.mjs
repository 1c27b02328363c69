/**
 * `npm run release`: checks everything, on the newest and the oldest VS Code, then makes
 * out/release/core-chat-VERSION.vsix from the commit alone, twice in two folders, and only keeps it
 * when both have the same bytes. What is not committed is not in it.
 * `npm run release -- --package-only` leaves the checks out.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../runner/programs.mjs";
import { outFolder, projectFolder } from "../runner/project.mjs";

process.umask(0o022); // Modes of files are part of the package.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // the programs we started end with us
}

const copies = mkdtempSync(join(tmpdir(), "core-chat-release-"));
process.on("exit", () => rmSync(copies, { recursive: true, force: true }));

try {
  await release(!process.argv.includes("--package-only"));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {boolean} isChecked */
async function release(isChecked) {
  const changed = await git("status", "--porcelain");
  if (changed !== "") throw new Error(`Not everything is committed. Commit it first:\n${changed}`);
  const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  checkChangelog(version);
  const commit = await git("rev-parse", "HEAD");
  console.log(`Core Chat ${version}, commit ${commit}`);
  if (isChecked) await check();

  const seconds = await git("show", "--no-patch", "--format=%ct", commit);
  const first = await makePackage(commit, seconds, "one");
  const second = await makePackage(commit, seconds, "the/other");
  if (sha256(first) !== sha256(second)) {
    throw new Error("Two builds of the same commit differ, so nothing was released.");
  }
  const name = `core-chat-${version}.vsix`;
  const folder = join(outFolder, "release");
  mkdirSync(folder, { recursive: true });
  cpSync(first, join(folder, name));
  writeFileSync(join(folder, `${name}.sha256`), `${sha256(first)}  ${name}\n`);
  console.log(`Made twice with the same bytes: out/release/${name}\nSHA-256 ${sha256(first)}`);
}

/** What CI runs, then the tests that need a VS Code in the oldest one that is promised. */
async function check() {
  await run(join(projectFolder, ".ci/run"), [], { inherit: true });
  console.log("In the oldest VS Code …");
  await run(process.execPath, ["test/run.mjs", "integration", "e2e"], {
    cwd: projectFolder,
    env: { ...process.env, CORE_CHAT_TEST_VSCODE: "npm-oldest" },
    inherit: true,
  });
}

/**
 * The changes of this version have to be written down, under its number or as unreleased ones.
 *
 * @param {string} version
 */
function checkChangelog(version) {
  const text = readFileSync(join(projectFolder, "CHANGELOG.md"), "utf8");
  const [, heading = "", body = ""] = /^## (.+)\n([^]*?)(?=^## |$(?![^]))/m.exec(text) ?? [];
  if (heading !== "Unreleased" && !heading.startsWith(version)) {
    throw new Error(`CHANGELOG.md begins with "${heading}". Add the changes of ${version}.`);
  }
  if (!/^- \S/m.test(body)) throw new Error("CHANGELOG.md names no change. Add what is new.");
}

/**
 * Builds the package in a copy of the commit, as on a machine where nothing was built before.
 *
 * @param {string} commit
 * @param {string} seconds when it was made, since the Unix epoch
 * @param {string} name of the copy's folder
 * @returns {Promise<string>} absolute path of the package
 */
async function makePackage(commit, seconds, name) {
  const copy = join(copies, name);
  mkdirSync(copy, { recursive: true });
  const archive = join(copies, "commit.tar");
  await git("archive", "--format=tar", `--output=${archive}`, commit);
  await run("tar", ["-xf", archive, "-C", copy]);
  // Dates, their zone and the order of names are part of the package too.
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds, TZ: "UTC", LC_ALL: "C" };
  console.log(`Building in ${name} …`);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: copy, env });
  await run("npm", ["run", "package"], { cwd: copy, env });
  return join(copy, "core-chat.vsix");
}

/**
 * @param {...string} args
 * @returns {Promise<string>} what it says, without blanks around it
 */
async function git(...args) {
  return (await run("git", args, { cwd: projectFolder })).trim();
}

/**
 * @param {string} file
 * @returns {string} hexadecimal digits
 */
function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
