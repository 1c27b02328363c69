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
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
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
import { ensureVscode, isInstalled, testedVersion } from "./support/vscode/get.mjs";

/** @typedef {import("./support/runner/runIntegration.mjs").Counts} Counts */

const MINUTE_MS = 60_000;

/** Cores of the machine. */
const CORES = availableParallelism();

/**
 * Parts that run at the same time: more than there are cores, because a test of a browser or of VS Code
 * waits for a quarter of its time. Most parts of the added run have both.
 */
const LANES = { quick: CORES + 2, added: CORES + 1 };

/**
 * Levels by name, in the order in which their parts start: those that cannot be divided come first,
 * and the shortest parts last, so that all lanes end at about the same time. Each level installs only
 * its own requirements. `limitMs` is a fail-safe: several times the duration on two cores.
 *
 * @typedef {{depth: "quick" | "added", files: readonly string[], linePrefix?: string | undefined}} Part
 *   `files` are built test files
 * @typedef {object} Level
 * @property {(depth: Part["depth"]) => number} partCount number of parts that run separately, each
 *   with a part of the files
 * @property {boolean} [isInOrder] true if files that follow each other stay in one part
 * @property {() => Promise<void>} [prepare]
 * @property {(part: Part) => Promise<Counts>} run
 * @type {Readonly<Record<string, Level>>}
 */
const LEVELS = {
  integration: {
    partCount: () => 1,
    prepare: ensureChosenVscode,
    run: ({ depth, files }) => runIntegration({ depth, limitMs: 60 * MINUTE_MS, files }),
  },
  e2e: {
    partCount: (depth) => (depth === "quick" ? 1 : CORES),
    isInOrder: true, // Suites that follow each other share windows.
    prepare: ensureChosenVscode,
    run: ({ depth, files, linePrefix }) => {
      // The quick run uses the development build; the other one all tests with the packed extension.
      const isPacked = depth === "added";
      return runMocha(files, {
        depth: isPacked ? "all" : depth,
        env: isPacked ? { CORE_CHAT_VSIX: join(projectFolder, "core-chat.vsix") } : {},
        limitMs: 60 * MINUTE_MS,
        linePrefix,
      });
    },
  },
  page: {
    partCount: () => CORES, // Each part builds the panel.
    run: (part) => runMocha(part.files, { ...part, limitMs: 45 * MINUTE_MS }),
  },
  unit: {
    partCount: () => 2 * CORES,
    run: (part) => runMocha(part.files, { ...part, limitMs: 30 * MINUTE_MS }),
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

await record("preparation", prepare);
if (results.length === 0) {
  const startedAt = Date.now();
  await runDepth("quick");
  console.log(`\nThe quick run took ${seconds(startedAt)} s.`);
  if (flags.all) await runDepth("added");
  if (flags.all && isInstalled("oldest") && chosen.some(([name]) => name === "integration")) {
    const options = { depth: /** @type {const} */ ("quick"), limitMs: 60 * MINUTE_MS };
    await record("integration, oldest", () => runIntegration({ ...options, isOldest: true }));
  }
}
process.exitCode = report();

/** @param {"quick" | "added"} depth */
async function runDepth(depth) {
  const parts = chosen.flatMap(([name, level]) => partsOf(name, level, depth));
  const runParts = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) await part();
  };
  await Promise.all(Array.from({ length: LANES[depth] }, runParts));
  await rerunLevels(depth);
}

/**
 * Returns functions that run the parts of a level and record their counts.
 *
 * @param {string} name
 * @param {Level} level
 * @param {"quick" | "added"} depth
 */
function partsOf(name, level, depth) {
  const all = flags.changed ? changedTests(flags.since) : builtTests();
  const ofLevel = all.filter((file) => file.startsWith(`out/test/${name}/`)).sort();
  const count = Math.min(level.partCount(depth), ofLevel.length);
  return Array.from({ length: count }, (_, at) => {
    const files = level.isInOrder
      ? ofLevel.slice((at * ofLevel.length) / count, ((at + 1) * ofLevel.length) / count)
      : ofLevel.filter((_file, index) => index % count === at);
    const title = count === 1 ? name : `${name} ${at + 1}/${count}`;
    return async () => {
      console.log(`\n=== ${resultName(title, depth)} ===`);
      await record(resultName(name, depth), async () => {
        await level.prepare?.();
        return await level.run({ depth, files, linePrefix: `${title} │ ` });
      });
    };
  });
}

/** Returns all built test files, relative to the project's folder. */
function builtTests() {
  const names = readdirSync(join(projectFolder, "out/test"), { recursive: true });
  return names
    .map((name) => `out/test/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".test.mjs"));
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
    result.counts = await rerunFailed(result.counts, (files) => level.run({ depth, files }));
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
 * Runs a part of a level and adds its counts to those of the level. A part that throws counts as
 * failed.
 *
 * @param {string} name
 * @param {() => Promise<Counts | undefined | void>} run
 */
async function record(name, run) {
  const startedAt = Date.now();
  /** @param {Counts} counts */
  const add = (counts) => {
    const result = results.find((one) => one.level === name);
    const duration = seconds(startedAt);
    if (result === undefined) {
      results.push({ level: name, counts, seconds: duration });
      return;
    }
    result.counts = sum(result.counts, counts);
    result.seconds += duration;
  };
  /** @param {string} message */
  const fail = (message) => add({ passed: 0, failed: 1, failures: [{ title: name, message }] });
  try {
    const counts = await run();
    if (counts !== undefined) add(counts);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {Counts} a
 * @param {Counts} b of other files
 * @returns {Counts}
 */
function sum(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    failures: [...a.failures, ...b.failures],
    passedIn: { ...a.passedIn, ...b.passedIn },
    durationMs: { ...a.durationMs, ...b.durationMs },
  };
}

/** @returns {number} exit code */
function report() {
  console.log("\n=== result ===");
  for (const { level, counts } of results) {
    if (counts.passed + counts.failed === 0 && !flags.changed) {
      counts.failed = 1;
      counts.failures = [{ title: level, message: "It ran no test at all." }];
    }
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
