/**
 * Runs the tests: from a bare checkout, installs and builds, runs the levels and ends with the line
 * `N passed, N failed`. Imports only Node built-ins until the packages are installed.
 *
 * - `node test/run.mjs`: the quick run (`npm test`)
 * - `node test/run.mjs --all`: the quick run, then what only costs time (`npm run test:all`)
 * - `node test/run.mjs --changed [--since=COMMIT]`: only files whose build contains a file that was
 *   changed since a commit (default: the last one)
 * - `node test/run.mjs unit page`: only these levels
 */
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ensureChromium } from "./support/browser/browser.mjs";
import { changedTests } from "./support/runner/changedTests.mjs";
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
 * Levels by name. Each installs only its own requirements. `limitMs` is a fail-safe: several times
 * the duration of a level on two cores.
 *
 * @typedef {{depth: "quick" | "added", files?: readonly string[] | undefined}} Selection `files` are
 *   built test files; without them all are run
 * @type {Readonly<Record<string, (selection: Selection) => Promise<Counts | undefined>>>}
 */
const LEVELS = {
  unit: ({ depth, files = ["out/test/unit/**/*.test.mjs"] }) =>
    runMocha(files, {
      depth,
      limitMs: 30 * MINUTE_MS,
      lanes: lanes(),
      linePrefix: linePrefix("unit"),
    }),
  page: ({ depth, files = ["out/test/page/**/*.test.mjs"] }) =>
    runMocha(files, { depth, limitMs: 45 * MINUTE_MS, lanes: lanes() }),
  integration: async ({ depth, files }) => {
    await ensureChosenVscode();
    return await runIntegration({ depth, limitMs: 40 * MINUTE_MS, files });
  },
  e2e: async ({ depth, files = ["out/test/e2e/**/*.test.mjs"] }) => {
    await ensureChosenVscode();
    // The quick run uses the development build; the other one all tests with the packed extension.
    const isPacked = depth === "added";
    return await runMocha(files, {
      depth: isPacked ? "all" : depth,
      env: isPacked ? { CORE_CHAT_VSIX: join(projectFolder, "core-chat.vsix") } : {},
      limitMs: 50 * MINUTE_MS,
      lanes: lanes(),
      linePrefix: linePrefix("e2e"),
    });
  },
};

/** Levels with a browser or VS Code, which can be slow on a busy machine. */
const RERUN_LEVELS = new Set(["page", "integration", "e2e"]);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => process.exit(130)); // Programs of this process end with it.
}

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    since: { type: "string", default: "HEAD" },
  },
});
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

/** @type {{level: string, counts: Counts, seconds: number}[]} */
const results = [];

/** Groups of levels that run in parallel; the levels of a group run one after the other. */
const GROUPS = [
  ["page", "integration"],
  ["unit", "e2e"],
];

await count("preparation", prepare);
if (results.length === 0) {
  const startedAt = Date.now();
  await runDepth("quick");
  console.log(`\nThe quick run took ${seconds(startedAt)} s.`);
  if (flags.all) await runDepth("added");
}
process.exitCode = report();

/** @param {"quick" | "added"} depth */
async function runDepth(depth) {
  const files = flags.changed ? changedTests(flags.since) : undefined;
  await Promise.all(GROUPS.map((group) => runLevels(group, depth, files)));
  await rerunLevels(depth);
}

/**
 * @param {readonly string[]} group
 * @param {"quick" | "added"} depth
 * @param {readonly string[] | undefined} files built test files to run instead of all
 */
async function runLevels(group, depth, files) {
  for (const [name, level] of chosen.filter(([one]) => group.includes(one))) {
    const ofLevel = files?.filter((file) => file.startsWith(`out/test/${name}/`));
    if (ofLevel?.length === 0) continue;
    console.log(`\n=== ${resultName(name, depth)} ===`);
    await count(resultName(name, depth), () => level({ depth, files: ofLevel }));
  }
}

/**
 * Runs the files with failures again, now that nothing else uses the machine.
 *
 * @param {"quick" | "added"} depth
 */
async function rerunLevels(depth) {
  for (const [name, level] of chosen) {
    const result = results.find((one) => one.level === resultName(name, depth));
    if (result === undefined || !RERUN_LEVELS.has(name)) continue;
    const startedAt = Date.now();
    const again = async (/** @type {readonly string[]} */ files) =>
      (await level({ depth, files })) ?? result.counts;
    result.counts = await rerunFailed(result.counts, again);
    result.seconds += seconds(startedAt);
  }
}

/**
 * @param {string} level
 * @param {"quick" | "added"} depth
 */
function resultName(level, depth) {
  return depth === "quick" ? level : `${level}, ${depth}`;
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return Math.round((Date.now() - startedAt) / 1000);
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
  if (chosen.some(([name]) => name !== "unit")) {
    const version = await run(await ensureChromium(), ["--version"]);
    console.log(`Browser: ${version.trim()}; VS Code: ${testedVersion()}`);
  }
  if (flags.all && chosen.some(([name]) => name === "e2e")) {
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
 * @param {() => Promise<Counts | undefined | void>} step
 */
async function count(name, step) {
  const startedAt = Date.now();
  /** @param {string} message */
  const fail = (message) => {
    const counts = { passed: 0, failed: 1, failures: [{ title: name, message }] };
    results.push({ level: name, counts, seconds: seconds(startedAt) });
  };
  try {
    const counts = await step();
    if (counts === undefined) return;
    if (counts.passed + counts.failed === 0) fail("It ran no test at all.");
    else results.push({ level: name, counts, seconds: seconds(startedAt) });
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
  console.log("\nslowest files, seconds");
  for (const [file, ms] of slowestFiles()) {
    console.log(`${(ms / 1000).toFixed(0).padStart(6)} ${file}`);
  }
  console.log(`\n${"level".padEnd(18)} ${"passed".padStart(7)} ${"failed".padStart(7)} seconds`);
  let passed = 0;
  let failed = 0;
  for (const { level, counts, seconds: duration } of results) {
    passed += counts.passed;
    failed += counts.failed;
    const numbers = [counts.passed, counts.failed, duration];
    console.log(level.padEnd(18), ...numbers.map((number) => String(number).padStart(7)));
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Returns the ten files whose tests and hooks took longest, with milliseconds. */
function slowestFiles() {
  return results
    .flatMap(({ counts }) => Object.entries(counts.durationMs ?? {}))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([file, ms]) => /** @type {const} */ ([relative(projectFolder, file), ms]));
}
