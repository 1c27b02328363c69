/**
 * The history on a real disk with 5,000, 20,000 and 100,000 conversations: list, search key by key, also
 * while a reply is saved, memory and disk use. Beside it, over the same texts: a scan of packed texts,
 * ripgrep over the files and SQLite's FTS5, each if this machine has it. Then a conversation of 10,000
 * messages and the checkpoints of a reply. `CORE_CHAT_BENCH_SIZES=5000` measures that size only.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { conversations, SEED } from "./sample.mjs";

export const title = "list, search, open and save";

const sizes = (process.env["CORE_CHAT_BENCH_SIZES"] ?? "5000,20000,100000").split(",").map(Number);
const MEASURES = ["build", "search", "scan"];

export async function run({ log }) {
  const bundle = join(process.cwd(), "out/bench/history.mjs");
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("room.ts", import.meta.url))],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const room = await import(pathToFileURL(bundle).href);
  const sqlite = nodeWithSqlite();
  if (sqlite === undefined) log("FTS5: no Node here has node:sqlite");
  for (const size of sizes) {
    log(`\n### ${size.toLocaleString("en")} conversations (seed ${SEED})`);
    const root = conversations(room, size);
    for (const measure of MEASURES) measureApart(process.execPath, measure, root, bundle);
    measureApart(process.execPath, "ripgrep", root, bundle);
    if (sqlite) measureApart(sqlite, "fts5", root, bundle);
  }
  log("");
  measureApart(process.execPath, "one", "", bundle);
}

/** Runs a measurement in a process of its own, because memory is a part of it. */
function measureApart(node, name, root, bundle) {
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const args = ["--expose-gc", "--no-warnings", script, name, root, bundle];
  execFileSync(node, args, { stdio: "inherit" });
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
