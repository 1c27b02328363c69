/**
 * A long conversation in the shipped page, in headless Chromium: opening it, scrolling through it,
 * typing beneath it, and what it holds in memory.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

export const title = "2,000 messages with 100 pictures";

export async function run({ log }) {
  const folder = join("out", "bench");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, "transcript.mjs");
  await esbuild.build({
    entryPoints: ["test/bench/transcript/measure.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  const { measure } = await import(pathToFileURL(outfile).href);
  await measure(log);
}
