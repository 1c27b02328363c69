/**
 * Counts what each rule of reading replies to an edit changes: switches off one condition of
 * `src/replyCode` at a time and judges all replies of the corpus. A rule that changes nothing has no
 * reply that needs it. Takes about
 * half an hour.
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
const OTHERS = new Set(["commitReply.ts", "findTarget.ts", "hunks.ts", "insertedText.ts"]);
/** Limit for a reader that does not end without the rule, in milliseconds. */
const MAX_MS = 60_000;

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  mkdirSync(OUT, { recursive: true });
  const whole = await countsWith(undefined);
  log(`all rules: ${JSON.stringify(whole)}`);
  for (const file of readdirSync(FOLDER).sort()) {
    if (OTHERS.has(file)) continue;
    const path = join(FOLDER, file);
    const text = readFileSync(path, "utf8");
    for (const rule of rulesIn(path, text)) {
      const counts = await countsWith({ path, text: rule.text });
      const change = (name) => `${counts[name] - whole[name]}`.padStart(6);
      const figures = counts && ["exact", "asked", "wrong"].map(change).join("");
      log(`${figures ?? "     does not end"}  ${file}:${rule.line}  ${rule.name}`);
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

/** Builds the reader with a changed file and counts the verdicts; undefined if it does not end. */
async function countsWith(changed) {
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
  const { stdout } = await promisify(execFile)("node", [outfile], { timeout: MAX_MS }).catch(
    () => ({ stdout: "" }),
  );
  return stdout === "" ? undefined : JSON.parse(stdout);
}
