/**
 * Plants faults in `src`, one at a time, and reports which run finds each: `npm test` (quick), only
 * what `npm run test:all` adds (all), or none. The faults are chosen from the syntax tree by a seed.
 *
 * `CORE_CHAT_BENCH_SEED` and `CORE_CHAT_BENCH_FAULTS` (a number for each folder) change the choice;
 * `CORE_CHAT_BENCH_ONLY` runs the faults whose place contains this text. A copy of the last commit is
 * changed, never the working tree.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
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
const LEVELS = ["unit", "page", "integration", "e2e"];

/**
 * @typedef {{path: string, line: number, kind: string, start: number, end: number, text: string}} Fault
 *   `text` replaces the text from `start` to `end`
 */

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  const copy = mkdtempSync(join(tmpdir(), "core-chat-faults-"));
  execFileSync("git", ["worktree", "add", "--detach", "--quiet", copy, "HEAD"]);
  for (const name of ["node_modules", ".vscode-test"]) symlinkSync(resolve(name), join(copy, name));
  try {
    log(`seed ${SEED}`);
    const random = randomFrom(SEED);
    const totals = new Map();
    for (const folder of FOLDERS) {
      for (const fault of chooseFaults(copy, folder, random)) {
        const place = `${fault.path}:${fault.line}`;
        if (!place.includes(process.env["CORE_CHAT_BENCH_ONLY"] ?? "")) continue;
        const finder = findingRun(copy, fault);
        totals.set(finder, (totals.get(finder) ?? 0) + 1);
        log(`${finder.padEnd(18)} ${place} ${fault.kind}: ${fault.text.slice(0, 60) || "removed"}`);
      }
    }
    log([...totals].map(([finder, count]) => `${finder}: ${count}`).join(", "));
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", copy]);
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Returns faults at random places of the folder's files.
 *
 * @param {string} root
 * @param {string} folder
 * @param {() => number} random
 * @returns {Fault[]}
 */
function chooseFaults(root, folder, random) {
  const files = readdirSync(join(root, "src", folder), { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
  const faults = files.flatMap((name) => faultsOf(root, join("src", folder, name)));
  return Array.from({ length: FAULTS_PER_FOLDER }, () => {
    const [fault] = faults.splice(Math.floor(random() * faults.length), 1);
    return fault;
  }).filter((fault) => fault !== undefined);
}

/**
 * Returns every fault that a file can have: a condition turned, a statement removed, two arguments
 * swapped.
 *
 * @param {string} root
 * @param {string} path
 * @returns {Fault[]}
 */
function faultsOf(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Fault[]} */
  const faults = [];
  /**
   * @param {string} kind
   * @param {ts.Node} node
   * @param {string} replacement
   */
  const add = (kind, node, replacement) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    faults.push({ path, line, kind, start, end, text: replacement });
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
        const [start, end] = [first.getStart(source), second.getEnd()];
        const line = source.getLineAndCharacterOfPosition(start).line + 1;
        faults.push({ path, line, kind: "arguments swapped", start, end, text: swapped });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/**
 * Returns the first run that fails with this fault: a level of the quick run, or "all" for what the
 * whole run adds; "none" if all pass.
 *
 * @param {string} root
 * @param {Fault} fault
 */
function findingRun(root, { path, start, end, text }) {
  const file = join(root, path);
  const original = readFileSync(file, "utf8");
  writeFileSync(file, original.slice(0, start) + text + original.slice(end));
  const passes = (/** @type {string[]} */ args) =>
    spawnSync(process.execPath, args, { cwd: root, stdio: "ignore" }).status === 0;
  try {
    for (const level of LEVELS) {
      if (!passes(["test/run.mjs", "--changed", level])) return `quick ${level}`;
    }
    if (!passes(["test/run.mjs", "--changed", "--all"])) return "all";
    return "none";
  } finally {
    writeFileSync(file, original);
  }
}
