/**
 * Names a reply or test that needs each rule of reading replies: forces one condition of
 * `src/replyCode` at a time, judges the replies of the corpus and runs the tests until a verdict
 * differs. Only the samples in which the condition has the other value are judged. A rule without
 * such a sample has nothing that shows its purpose.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import ts from "typescript";

export const title = "rules of reading replies, switched off one at a time";

const FOLDER = "src/replyCode";
const OUT = "out/ablation";

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  mkdirSync(OUT, { recursive: true });
  const rules = [];
  const files = readdirSync(FOLDER);
  const changed = new Map(
    files.sort().map((file) => {
      const path = resolve(FOLDER, file);
      return [path, withRules(file, readFileSync(path, "utf8"), rules)];
    }),
  );
  const outfile = join(OUT, "judge.mjs");
  await build(outfile, changed);
  const { judgeRules } = await import(`${pathToFileURL(resolve(outfile)).href}?${Date.now()}`);
  await judgeRules(rules, log);
  rmSync(OUT, { recursive: true });
}

/**
 * Returns a source text in which each condition passes through `rule(number, value)`: a term of `&&`
 * or `||`, an `if`, and the condition of a loop, which is only counted.
 */
function withRules(file, text, rules) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inserts = [];
  const wrap = (node, values) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const condition = text.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 90);
    const number = rules.push({ name: `${file}:${line}  ${condition}`, values }) - 1;
    inserts.push({ at: start, text: `rule(${number}, `, isEnd: false, length: end - start });
    inserts.push({ at: end, text: ")", isEnd: true, length: end - start });
  };
  const visit = (node) => {
    if (ts.isIfStatement(node)) wrap(node.expression, [false]);
    else if (ts.isWhileStatement(node)) wrap(node.expression, []);
    else if (ts.isForStatement(node) && node.condition) wrap(node.condition, []);
    else if (ts.isConditionalExpression(node)) wrap(node.condition, [true, false]);
    else if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isAnd = kind === ts.SyntaxKind.AmpersandAmpersandToken;
      if (isAnd || kind === ts.SyntaxKind.BarBarToken) {
        if (!isSame(node.left, kind)) wrap(node.left, [isAnd]);
        wrap(node.right, [isAnd]);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  // From the end of the text; of two that meet, the inner one is next to the condition.
  inserts.sort((one, other) => {
    if (one.at !== other.at) return other.at - one.at;
    if (one.isEnd !== other.isEnd) return one.isEnd ? 1 : -1;
    return one.isEnd ? other.length - one.length : one.length - other.length;
  });
  return inserts.reduce(
    (result, insert) => result.slice(0, insert.at) + insert.text + result.slice(insert.at),
    text,
  );
}

/** Returns true for `a && b` in `a && b && c`, whose terms are rules of their own. */
function isSame(node, kind) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === kind;
}

async function build(outfile, changed) {
  const plugin = {
    name: "changed-files",
    setup({ onLoad }) {
      onLoad({ filter: /src\/replyCode\/\w+\.ts$/ }, ({ path }) =>
        changed.has(path) ? { contents: changed.get(path), loader: "ts" } : undefined,
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
}
