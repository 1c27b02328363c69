/**
 * Plants faults in `src`, one at a time, and reports the tests that find each. Unit tests whose build
 * contains the file run first, until one fails; then the other levels of `npm test`, then what only
 * `npm run test:all` adds ("all"). The faults are chosen from the syntax tree by a seed.
 *
 * `CORE_CHAT_BENCH_SEED` and `CORE_CHAT_BENCH_FAULTS` (a number for each folder) change the choice;
 * `CORE_CHAT_BENCH_FROM` chooses in an older commit, for a comparison with it, and leaves out what was
 * changed since; `CORE_CHAT_BENCH_ONLY` runs the faults whose place contains this text;
 * `CORE_CHAT_BENCH_LEVELS=unit` runs no other level, and `CORE_CHAT_BENCH_NEAREST` at most so many
 * unit test files. A copy of the last commit is changed, never the
 * working tree.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import ts from "typescript";
import { nodeTests } from "../../../esbuild.mjs";
import { randomFrom } from "../random.mjs";

export const title = "planted faults, and the tests that find them";

const FOLDERS = [
  "history",
  "service",
  "replyCode",
  "edit",
  "host/access",
  "chat",
  "renderer",
  "webview",
];
const SEED = Number(process.env["CORE_CHAT_BENCH_SEED"] ?? 20261127);
const FAULTS_PER_FOLDER = Number(process.env["CORE_CHAT_BENCH_FAULTS"] ?? 8);
const CHOSEN_IN = process.env["CORE_CHAT_BENCH_FROM"] ?? "HEAD";
const LEVELS = (process.env["CORE_CHAT_BENCH_LEVELS"] ?? "page,integration,e2e,all").split(",");
const NEAREST = Number(process.env["CORE_CHAT_BENCH_NEAREST"] ?? Infinity);

/** Time after which a run of unit tests counts as a failed one: a fault can cause an endless loop. */
const UNIT_LIMIT_MS = 600_000;
const UNIT_TEST_LIMIT_MS = 60_000;

/**
 * @typedef {{path: string, line: number, kind: string, before: string, after: string}} Fault
 *   `after` replaces `before`, whole lines of the file that occur once
 */

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  const copy = mkdtempSync(join(tmpdir(), "core-chat-faults-"));
  execFileSync("git", ["worktree", "add", "--detach", "--quiet", copy, "HEAD"]);
  for (const name of ["node_modules", ".vscode-test"]) symlinkSync(resolve(name), join(copy, name));
  try {
    log(`seed ${SEED}, ${git("rev-parse", "--short", CHOSEN_IN).trim()}`);
    spawnSync(process.execPath, ["esbuild.mjs", "--tests-only"], { cwd: copy, stdio: "ignore" });
    const random = randomFrom(SEED);
    const totals = new Map();
    for (const fault of FOLDERS.flatMap((folder) => chooseFaults(folder, random))) {
      const place = `${fault.path}:${fault.line}`;
      if (!place.includes(process.env["CORE_CHAT_BENCH_ONLY"] ?? "")) continue;
      const finder = await findingRun(copy, fault);
      const [level = ""] = finder.split(" ");
      totals.set(level, (totals.get(level) ?? 0) + 1);
      log(`${finder.padEnd(48)} ${place} ${fault.kind}`);
    }
    log([...totals].map(([level, count]) => `${level}: ${count}`).join(", "));
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", copy]);
    rmSync(copy, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/**
 * Returns faults at random places of the folder's files.
 *
 * @param {string} folder
 * @param {() => number} random
 * @returns {Fault[]}
 */
function chooseFaults(folder, random) {
  const files = git("ls-tree", "-r", "--name-only", CHOSEN_IN, `src/${folder}/`).split("\n");
  const faults = files.filter((name) => /\.tsx?$/.test(name)).flatMap(faultsOf);
  return Array.from({ length: FAULTS_PER_FOLDER }, () => {
    const [fault] = faults.splice(Math.floor(random() * faults.length), 1);
    return fault;
  }).filter((fault) => fault !== undefined);
}

/**
 * Returns every fault that a file can have: a condition turned, a statement removed, two arguments
 * swapped.
 *
 * @param {string} path
 * @returns {Fault[]}
 */
function faultsOf(path) {
  const text = git("show", `${CHOSEN_IN}:${path}`);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Fault[]} */
  const faults = [];
  /**
   * @param {string} kind
   * @param {ts.Node} first
   * @param {string} replacement
   * @param {ts.Node} [last]
   */
  const add = (kind, first, replacement, last = first) => {
    const [start, end] = [first.getStart(source), last.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const [from, to] = [wholeLines(text, start, -1), wholeLines(text, end, 1)];
    const before = text.slice(from, to);
    const after = text.slice(from, start) + replacement + text.slice(end, to);
    faults.push({ path, line, kind, before, after });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add("condition turned", condition, `!(${condition.getText(source)})`);
    }
    if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) {
      add("statement removed", node, ";");
    }
    if (ts.isCallExpression(node) && node.arguments.length >= 2) {
      const [first, second] = node.arguments;
      if (first && second && !ts.isSpreadElement(first) && !ts.isSpreadElement(second)) {
        const swapped = `${second.getText(source)}, ${first.getText(source)}`;
        add("arguments swapped", first, swapped, second);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/**
 * Returns where the lines around an offset begin or end: as many that the text before or after the
 * offset occurs once.
 *
 * @param {string} text
 * @param {number} offset
 * @param {-1 | 1} direction
 */
function wholeLines(text, offset, direction) {
  let at = offset;
  for (let lines = 0; lines < 6; lines++) {
    const next = direction < 0 ? text.lastIndexOf("\n", at - 1) : text.indexOf("\n", at + 1);
    if (next < 0) return direction < 0 ? 0 : text.length;
    at = next;
    const isOnce =
      text.split(direction < 0 ? text.slice(at, offset) : text.slice(offset, at)).length === 2;
    if (isOnce) break;
  }
  return at;
}

/**
 * Returns the first run that fails with this fault, with its file for unit tests; "none" if all pass,
 * and "gone" if the last commit no longer has these lines.
 *
 * @param {string} root
 * @param {Fault} fault
 */
async function findingRun(root, { path, before, after }) {
  const file = join(root, path);
  const original = readFileSync(file, "utf8");
  if (original.split(before).length !== 2) return "gone";
  writeFileSync(
    file,
    original.replace(before, () => after),
  );
  const passes = (/** @type {string[]} */ args) =>
    spawnSync(process.execPath, args, { cwd: root, stdio: "ignore" }).status === 0;
  try {
    const failing = await failingUnitTest(root, path);
    if (failing !== undefined) return `unit ${failing}`;
    for (const level of LEVELS.filter((name) => name !== "unit")) {
      if (!passes(["test/run.mjs", "--changed", level === "all" ? "--all" : level])) return level;
    }
    return "none";
  } finally {
    writeFileSync(file, original);
  }
}

/**
 * Returns the first unit test file of the quick run that fails, among those whose build contains a
 * file; undefined if all pass. The nearest files run first.
 *
 * @param {string} root
 * @param {string} path of the changed file
 */
async function failingUnitTest(root, path) {
  /** @type {Record<string, string[]>} */
  const sources = JSON.parse(readFileSync(join(root, "out/test/sources.json"), "utf8"));
  const folder = `out/test/unit/${path.split("/")[1]}/`;
  const name = path.replace(/^.*\/|\.tsx?$/g, "");
  const distance = (/** @type {string} */ test) =>
    (test.startsWith(folder) ? 0 : 1000) +
    (test.endsWith(`/${name}.test.mjs`) ? 0 : (sources[test]?.length ?? 0));
  const tests = Object.keys(sources)
    .filter((test) => test.startsWith("out/test/unit/") && sources[test]?.includes(path))
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, NEAREST);
  if (tests.length === 0) return undefined;
  const entryPoints = tests.map((test) => test.replace(/^out\//, "").replace(/\.mjs$/, ".ts"));
  entryPoints.push("test/service/main.ts"); // A test starts the program.
  const built = { outdir: "out/faults", logLevel: /** @type {const} */ ("silent") };
  await esbuild.build({ ...nodeTests(), entryPoints, ...built, absWorkingDir: root });
  const resultPath = join(root, "out/faults/result.json");
  const { status } = spawnSync(
    process.execPath,
    [
      ...["node_modules/mocha/bin/mocha.js", "--grep", "@all", "--invert", "--bail", "--exit"],
      ...["--timeout", String(UNIT_TEST_LIMIT_MS)],
      ...["--reporter", "json", "--reporter-option", `output=${resultPath}`],
      ...tests.map((test) => test.replace(/^out\/test/, "out/faults")),
    ],
    { cwd: root, stdio: "ignore", timeout: UNIT_LIMIT_MS, killSignal: "SIGKILL" },
  );
  if (status === 0) return undefined;
  try {
    const [failure] = JSON.parse(readFileSync(resultPath, "utf8")).failures;
    return String(failure.file).replace(/^.*out\/faults\/unit\/|\.mjs$/g, "");
  } catch {
    return status === null ? "(endless)" : "(not loaded)";
  } finally {
    rmSync(resultPath, { force: true });
  }
}
