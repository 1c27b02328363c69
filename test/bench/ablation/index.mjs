/**
 * Names a reply that needs each rule of reading replies to an edit: switches off one condition of
 * `src/replyCode` at a time and judges the replies of the corpus until a verdict differs. A rule
 * without such a reply has nothing that shows what it is for. Takes about half an hour.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import ts from "typescript";

export const title = "rules of reading replies, switched off one at a time";

const FOLDER = "src/replyCode";
const OUT = "out/ablation";
/** Files that mostly other features use. */
const OTHERS = new Set([
  "changeSet.ts",
  "commitReply.ts",
  "findTarget.ts",
  "hunks.ts",
  "insertedText.ts",
  "namedBlocks.ts",
  "patchParts.ts",
]);
/** File with the verdicts of the whole reader, and with the replies in the order of judging. */
const VERDICTS = join(OUT, "verdicts.json");
/** Limit for a reader that does not end without the rule, in milliseconds. */
const MAX_MS = 60_000;

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  mkdirSync(OUT, { recursive: true });
  rmSync(VERDICTS, { force: true });
  log(`all rules: ${await judgedWith(undefined)}`);
  for (const file of readdirSync(FOLDER).sort()) {
    if (OTHERS.has(file)) continue;
    const path = join(FOLDER, file);
    const text = readFileSync(path, "utf8");
    for (const rule of rulesIn(path, text)) {
      const needed = await judgedWith({ path, text: rule.text });
      log(`${file}:${rule.line}  ${rule.name}\n    ${needed}`);
    }
  }
  rmSync(OUT, { recursive: true });
}

/** Returns a source text without each of its conditions: a term of `&&` or `||`, or an `if`. */
function rulesIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const rules = [];
  const add = (node, replacement) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    rules.push({
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      name: `${text.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 90)} → ${replacement}`,
      text: text.slice(0, start) + replacement + text.slice(end),
    });
  };
  const visit = (node) => {
    if (ts.isIfStatement(node)) add(node.expression, "false");
    else if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const neutral = {
        [ts.SyntaxKind.BarBarToken]: "false",
        [ts.SyntaxKind.AmpersandAmpersandToken]: "true",
      };
      if (neutral[kind] !== undefined) {
        if (!isSame(node.left, kind)) add(node.left, neutral[kind]);
        add(node.right, neutral[kind]);
      }
    } else if (ts.isConditionalExpression(node)) {
      add(node.condition, "true");
      add(node.condition, "false");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return rules;
}

/** Returns true for `a && b` in `a && b && c`, whose terms are rules of their own. */
function isSame(node, kind) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === kind;
}

/** Builds the reader with a changed file, judges the replies and returns the line that judge.ts prints. */
async function judgedWith(changed) {
  const outfile = join(OUT, "judge.mjs");
  const plugin = {
    name: "changed-file",
    setup(build) {
      build.onLoad({ filter: /src\/replyCode\/\w+\.ts$/ }, ({ path }) =>
        changed !== undefined && path.endsWith(changed.path)
          ? { contents: changed.text, loader: "ts" }
          : undefined,
      );
    },
  };
  await esbuild.build({
    entryPoints: ["test/bench/ablation/judge.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { vscode: "./test/support/fakes/fakeVscode.ts" },
    plugins: [plugin],
    logLevel: "error",
  });
  const judging = promisify(execFile)("node", [outfile, VERDICTS], { timeout: MAX_MS });
  const { stdout } = await judging.catch(() => ({ stdout: "does not end" }));
  return stdout.trim();
}
