/**
 * Runs `npm run release`: all checks, on the newest and the oldest VS Code, then builds
 * out/release/core-chat-VERSION.vsix twice from the commit alone, compares the bytes and adds the bill of
 * materials. Refuses while address.json is not filled in.
 * `npm run release -- --package-only` skips the checks.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../runner/programs.mjs";
import { outFolder, projectFolder } from "../runner/project.mjs";
import { checkAddress, readAddress } from "./address.mjs";
import { buildCommit, git, sha256 } from "./buildCommit.mjs";

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
  checkAddress(readAddress());
  const commit = await git("rev-parse", "HEAD");
  console.log(`Core Chat ${version}, commit ${commit}`);
  if (isChecked) await check();

  const { file: first, folder: copy } = await buildCommit(commit, "one");
  const { file: second } = await buildCommit(commit, "the/other");
  if (sha256(first) !== sha256(second)) {
    throw new Error("Two builds of the same commit differ, so nothing was released.");
  }
  const name = `core-chat-${version}.vsix`;
  const folder = join(outFolder, "release");
  mkdirSync(folder, { recursive: true });
  cpSync(first, join(folder, name));
  writeFileSync(join(folder, `${name}.sha256`), `${sha256(first)}  ${name}\n`);
  const sbom = join(folder, `core-chat-${version}.cdx.json`);
  await run(process.execPath, ["test/support/release/sbom.mjs", sbom], { cwd: copy });
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
