/**
 * Measures the history on a real disk with 2,500 conversations, a year of daily use, and with 20,000: the
 * list, a search key by key, also while a reply is saved, memory and disk use. Also measures a conversation
 * of 10,000 messages and the checkpoints of a reply. `CORE_CHAT_BENCH_SIZES=2500` measures that size only.
 */
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { conversations, SEED } from "./sample.mjs";

export const title = "list, search, open and save";

const sizes = (process.env["CORE_CHAT_BENCH_SIZES"] ?? "2500,20000").split(",");

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
  for (const size of sizes.map(Number)) {
    const { root, textBytes } = await conversations(bundle, size);
    const text = `${(textBytes / 1e6).toFixed(0)} MB of text`;
    log(`\n### ${size.toLocaleString("en")} conversations, ${text} (seed ${SEED})`);
    log(`load of the machine: ${loadavg()[0].toFixed(1)} for ${cpus().length} processors`);
    for (const measure of ["build", "search"]) measureApart(measure, root, bundle);
  }
  log("");
  measureApart("one", "", bundle);
}

/** Runs a measurement in a process of its own, because memory is a part of it. */
function measureApart(name, root, bundle) {
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const args = ["--expose-gc", "--no-warnings", script, name, root, bundle];
  execFileSync(process.execPath, args, { stdio: "inherit" });
}
