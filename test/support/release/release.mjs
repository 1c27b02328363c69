/**
 * Runs `npm run release`: all checks, on the newest and the oldest VS Code, then builds
 * out/release/core-chat-VERSION.vsix twice from the commit alone and compares the bytes.
 * `npm run release -- --package-only` skips the checks.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../runner/programs.mjs";
import { outFolder, projectFolder } from "../runner/project.mjs";

process.umask(0o022); // File modes are part of the package.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // Programs of this process end with it.
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

/** Runs the same checks as CI, then the tests that need VS Code in the oldest supported version. */
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
 * Checks that CHANGELOG.md lists the changes of this version, under its number or as unreleased.
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
 * Builds the package in a copy of the commit, as on a machine without any build output.
 *
 * @param {string} commit
 * @param {string} seconds time of the commit, since the Unix epoch
 * @param {string} name of the copy's folder
 * @returns {Promise<string>} absolute path of the package
 */
async function makePackage(commit, seconds, name) {
  const copy = join(copies, name);
  mkdirSync(copy, { recursive: true });
  const archive = join(copies, "commit.tar");
  await git("archive", "--format=tar", `--output=${archive}`, commit);
  await run("tar", ["-xf", archive, "-C", copy]);
  // Dates, their time zone and the order of names are part of the package too.
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds, TZ: "UTC", LC_ALL: "C" };
  console.log(`Building in ${name} …`);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: copy, env });
  await run("npm", ["run", "package"], { cwd: copy, env });
  return join(copy, "core-chat.vsix");
}

/**
 * @param {...string} args
 * @returns {Promise<string>} trimmed standard output
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
