/**
 * Runs `npm test`: from a bare checkout, installs and builds, runs the test levels and ends with
 * the line `N passed, N failed`. `node test/run.mjs unit page` runs only those levels.
 * Imports only Node built-ins until the packages are installed.
 */
import { join } from "node:path";
import { ensureChromium } from "./support/browser/browser.mjs";
import { build, ensureDependencies } from "./support/runner/dependencies.mjs";
import { run } from "./support/runner/programs.mjs";
import { projectFolder } from "./support/runner/project.mjs";
import { runIntegration } from "./support/runner/runIntegration.mjs";
import { runMocha } from "./support/runner/runMocha.mjs";
import { rerunFailed } from "./support/runner/rerunFailed.mjs";
import { ensureVscode, testedVersion } from "./support/vscode/get.mjs";

/** @typedef {import("./support/runner/runIntegration.mjs").Counts} Counts */

const MINUTE_MS = 60_000;

/**
 * Levels by name; each installs only its own requirements. `limitMs` is a fail-safe: several times
 * the duration of a level on two cores.
 *
 * @type {Readonly<Record<string, () => Promise<Counts>>>}
 */
const LEVELS = {
  unit: () => runMocha(["out/test/unit/**/*.test.mjs"], { limitMs: 15 * MINUTE_MS }),
  page: async () => {
    const linePrefix = isBesideOthers("page") ? "page │ " : undefined;
    /** @param {readonly string[]} files */
    const runFiles = (files) => runMocha(files, { limitMs: 45 * MINUTE_MS, linePrefix });
    return await rerunFailed(await runFiles(["out/test/page/**/*.test.mjs"]), runFiles);
  },
  integration: async () => {
    await ensureChosenVscode();
    /** @param {readonly string[]} [files] */
    const runFiles = (files) => runIntegration({ limitMs: 40 * MINUTE_MS, files });
    return await rerunFailed(await runFiles(), runFiles);
  },
  e2e: async () => {
    await ensureChosenVscode();
    console.log("Packaging …");
    await run("npm", ["run", "package"], { cwd: projectFolder });
    const env = { CORE_CHAT_VSIX: join(projectFolder, "core-chat.vsix") };
    /** @param {readonly string[]} files */
    const runFiles = (files) => runMocha(files, { limitMs: 50 * MINUTE_MS, env });
    return await rerunFailed(await runFiles(["out/test/e2e/**/*.test.mjs"]), runFiles);
  },
};

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // Programs of this process end with it.
}

/** @type {[level: string, counts: Counts, seconds: number][]} */
const results = [];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in LEVELS));
if (unknown.length > 0) {
  console.error(
    `No such level: ${unknown.join(", ")}. There are ${Object.keys(LEVELS).join(", ")}.`,
  );
  process.exit(2);
}
const chosen = Object.entries(LEVELS).filter(
  ([name]) => names.length === 0 || names.includes(name),
);

/** Groups of levels that run in parallel; the levels of a group run one after the other. */
const GROUPS = [["unit", "integration"], ["page"]];

await count("preparation", prepare);
if (results.length === 0) {
  await Promise.all(GROUPS.map(runLevels));
  await runLevels(["e2e"]); // Alone: it packages the extension, and its `npm start` builds.
}
process.exitCode = report();

/** @param {readonly string[]} group */
async function runLevels(group) {
  for (const [name, level] of chosen.filter(([one]) => group.includes(one))) {
    console.log(`\n=== ${name} ===`);
    await count(name, level);
  }
}

/**
 * Returns true if a level of another group runs at the same time as this one.
 *
 * @param {string} name
 */
function isBesideOthers(name) {
  const others = GROUPS.filter((group) => !group.includes(name)).flat();
  return chosen.some(([one]) => others.includes(one));
}

async function prepare() {
  await ensureDependencies();
  if (chosen.some(([name]) => name !== "unit")) await ensureChromium();
  await build();
}

/** Installs the VS Code that the tests run in. */
async function ensureChosenVscode() {
  if (process.env["CORE_CHAT_TEST_VSCODE"] !== "desktop") {
    await ensureVscode({ version: testedVersion() });
  }
}

/**
 * Runs a step and records its counts. A step that throws, or a level without tests, counts as
 * failed.
 *
 * @param {string} name
 * @param {() => Promise<Counts | void>} step
 */
async function count(name, step) {
  const startedAt = Date.now();
  const seconds = () => (Date.now() - startedAt) / 1000;
  /** @param {string} message */
  const fail = (message) => {
    results.push([name, { passed: 0, failed: 1, failures: [{ title: name, message }] }, seconds()]);
  };
  try {
    const counts = await step();
    if (counts === undefined) return;
    if (counts.passed + counts.failed === 0) fail("It ran no test at all.");
    else results.push([name, counts, seconds()]);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** @returns {number} exit code */
function report() {
  console.log("\n=== result ===");
  for (const [level, { failures, flaky = [] }] of results) {
    for (const { title, message } of flaky) {
      console.log(`FLAKY ${level}, passed when its file was run again: ${title}\n${message}`);
    }
    for (const { title, message } of failures) console.log(`FAILED ${level}: ${title}\n${message}`);
  }
  console.log(`\n${"level".padEnd(12)} ${"passed".padStart(7)} ${"failed".padStart(7)} seconds`);
  let passed = 0;
  let failed = 0;
  for (const [level, counts, seconds] of results) {
    passed += counts.passed;
    failed += counts.failed;
    const numbers = [counts.passed, counts.failed, seconds.toFixed(0)];
    console.log(level.padEnd(12), ...numbers.map((number) => String(number).padStart(7)));
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
