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
 * Levels by name. Each installs only its own requirements, and runs all its tests or only the given
 * built files. `limitMs` is a fail-safe: several times the duration of a level on two cores.
 *
 * @type {Readonly<Record<string, (files?: readonly string[]) => Promise<Counts>>>}
 */
const LEVELS = {
  unit: (files = ["out/test/unit/**/*.test.mjs"]) =>
    runMocha(files, { limitMs: 30 * MINUTE_MS, lanes: lanes(), linePrefix: linePrefix("unit") }),
  page: (files = ["out/test/page/**/*.test.mjs"]) =>
    runMocha(files, { limitMs: 45 * MINUTE_MS, lanes: lanes() }),
  integration: async (files) => {
    await ensureChosenVscode();
    return await runIntegration({ limitMs: 40 * MINUTE_MS, files });
  },
  e2e: async (files = ["out/test/e2e/**/*.test.mjs"]) => {
    await ensureChosenVscode();
    const env = { CORE_CHAT_VSIX: join(projectFolder, "core-chat.vsix") };
    const limitMs = 50 * MINUTE_MS;
    return await runMocha(files, { limitMs, lanes: lanes(), env, linePrefix: linePrefix("e2e") });
  },
};

/** Levels with a browser or VS Code, which can be slow on a busy machine. */
const RERUN_LEVELS = new Set(["page", "integration", "e2e"]);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // Programs of this process end with it.
}

/** @type {{level: string, counts: Counts, seconds: number}[]} */
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
const GROUPS = [
  ["page", "integration"],
  ["unit", "e2e"],
];

await count("preparation", prepare);
if (results.length === 0) {
  await Promise.all(GROUPS.map(runLevels));
  await rerunLevels();
}
process.exitCode = report();

/** @param {readonly string[]} group */
async function runLevels(group) {
  for (const [name, level] of chosen.filter(([one]) => group.includes(one))) {
    console.log(`\n=== ${name} ===`);
    await count(name, level);
  }
}

/** Runs the files with failures again, now that nothing else uses the machine. */
async function rerunLevels() {
  for (const result of results) {
    const level = LEVELS[result.level];
    if (level === undefined || !RERUN_LEVELS.has(result.level)) continue;
    const startedAt = Date.now();
    result.counts = await rerunFailed(result.counts, level);
    result.seconds += (Date.now() - startedAt) / 1000;
  }
}

/** Returns the number of groups that run: levels of one group have all cores of the machine. */
function lanes() {
  return GROUPS.filter((group) => chosen.some(([name]) => group.includes(name))).length;
}

/**
 * Returns a prefix for the lines of a level while both groups run.
 *
 * @param {string} name
 */
function linePrefix(name) {
  return lanes() === 1 ? undefined : `${name} │ `;
}

async function prepare() {
  await ensureDependencies();
  if (chosen.some(([name]) => name !== "unit")) await ensureChromium();
  if (chosen.some(([name]) => name === "e2e")) {
    console.log("Packaging …");
    await run("npm", ["run", "package"], { cwd: projectFolder });
  }
  await build(); // Last, because packaging leaves a production build.
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
    const counts = { passed: 0, failed: 1, failures: [{ title: name, message }] };
    results.push({ level: name, counts, seconds: seconds() });
  };
  try {
    const counts = await step();
    if (counts === undefined) return;
    if (counts.passed + counts.failed === 0) fail("It ran no test at all.");
    else results.push({ level: name, counts, seconds: seconds() });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** @returns {number} exit code */
function report() {
  console.log("\n=== result ===");
  for (const { level, counts } of results) {
    const { failures, flaky = [] } = counts;
    for (const { title, message } of flaky) {
      console.log(`FLAKY ${level}, passed when its file was run again: ${title}\n${message}`);
    }
    for (const { title, message } of failures) console.log(`FAILED ${level}: ${title}\n${message}`);
  }
  console.log(`\n${"level".padEnd(12)} ${"passed".padStart(7)} ${"failed".padStart(7)} seconds`);
  let passed = 0;
  let failed = 0;
  for (const { level, counts, seconds } of results) {
    passed += counts.passed;
    failed += counts.failed;
    const numbers = [counts.passed, counts.failed, seconds.toFixed(0)];
    console.log(level.padEnd(12), ...numbers.map((number) => String(number).padStart(7)));
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
