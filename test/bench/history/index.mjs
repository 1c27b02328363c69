/**
 * Measures the history on a real disk with 2,500 and 20,000 conversations: the list, a search
 * key by key, also after large changes and while a reply is saved, memory and disk use. Compares the hits
 * with those of a plain scan, and the times with ripgrep and SQLite's FTS5 if they are installed. Also
 * measures a conversation of 10,000 messages and the checkpoints of a reply.
 * `CORE_CHAT_BENCH_SIZES=2500` measures that size only.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { compared, conversations, SEED } from "./sample.mjs";

export const title = "list, search, open and save";

const sizes = (process.env["CORE_CHAT_BENCH_SIZES"] ?? "2500,20000").split(",").map(Number);
const MEASURES = ["during", "build", "search", "changed", "exact"];

export async function run({ log }) {
  const bundle = join(process.cwd(), "out/bench/history.mjs");
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("product.ts", import.meta.url))],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const product = await import(pathToFileURL(bundle).href);
  const sqlite = nodeWithSqlite();
  if (sqlite === undefined) log("FTS5: no Node here has node:sqlite");
  const results = new Map();
  for (const size of sizes) {
    log(`\n### ${size.toLocaleString("en")} conversations (seed ${SEED})`);
    const root = conversations(product, size);
    log(`load of the machine: ${loadavg()[0].toFixed(1)} for ${cpus().length} processors`);
    const own = {};
    for (const measure of MEASURES)
      own[measure] = measureApart(process.execPath, measure, root, bundle);
    own.ripgrep = measureApart(process.execPath, "ripgrep", root, bundle);
    if (sqlite) own.fts5 = measureApart(sqlite, "fts5", root, bundle);
    results.set(size, own);
  }
  log("");
  measureApart(process.execPath, "one", "", bundle);
  for (const line of table(results)) log(line);
}

/** Returns the lines of a table: times by the clock, of others as a multiple of ours. */
function table(results) {
  const row = (title, cell) => [title, ...[...results.values()].map(cell)];
  const times = (value) => (value === undefined ? "-" : `${Math.round(value)} ms`);
  const multiple = (value, ours) =>
    value === undefined || ours === undefined ? "-" : `${Number((value / ours).toPrecision(2))}×`;
  const rows = [
    ["by the clock", ...[...results.keys()].map((size) => size.toLocaleString("en"))],
    row("list, first rows", ({ search }) => times(search.list)),
    ...compared.flatMap((text) => [
      row(text, ({ search }) => times(search[text])),
      row("  ripgrep", ({ ripgrep, search }) => multiple(ripgrep[text], search[text])),
      row("  FTS5", ({ fts5, search }) => multiple(fts5?.[text], search[text])),
    ]),
    row("texts, packed", ({ build }) => times(build.build)),
    row("  FTS5", ({ fts5, build }) => multiple(fts5?.build, build.build)),
    row("packed texts, share of the files' size", ({ build }) => build.disk.toFixed(2)),
    row("  FTS5", ({ fts5, build }) => multiple(fts5?.disk, build.disk)),
  ];
  const widths = rows[0].map((_, at) => Math.max(...rows.map((cells) => cells[at].length)));
  return rows.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
      .join("  "),
  );
}

/** Runs a measurement in a process of its own, because memory is a part of it. Returns its results. */
function measureApart(node, name, root, bundle) {
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const resultsPath = join(tmpdir(), `core-chat-bench-results-${process.pid}.json`);
  const args = ["--expose-gc", "--no-warnings", script, name, root, bundle, resultsPath];
  execFileSync(node, args, { stdio: "inherit" });
  const results = JSON.parse(readFileSync(resultsPath, "utf8"));
  rmSync(resultsPath);
  return results;
}

/** Returns this Node, or that of VS Code's server, whichever has node:sqlite. */
function nodeWithSqlite() {
  const folder = ".vscode-test";
  const servers = existsSync(folder) ? readdirSync(folder) : [];
  const nodes = servers.map((name) => join(folder, name, "node/bin/node")).filter(existsSync);
  return [process.execPath, ...nodes].find((node) => {
    try {
      execFileSync(node, ["--no-warnings", "-e", 'require("node:sqlite")'], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
