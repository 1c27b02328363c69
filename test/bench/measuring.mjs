/**
 * Bundles the TypeScript part of a benchmark for Node when the benchmark runs, so that benchmarks
 * can use the modules of the tests.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

/**
 * Bundles `measure.ts` of a benchmark's folder and returns its exports.
 *
 * @param {string} name the benchmark's folder below test/bench
 */
export async function measuringOf(name) {
  const outfile = join(process.cwd(), "out/bench", `${name}.mjs`);
  await esbuild.build({
    entryPoints: [`test/bench/${name}/measure.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  return await import(pathToFileURL(outfile).href);
}
