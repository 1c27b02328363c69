/**
 * The measuring part of a benchmark is TypeScript and uses what the tests use: it is bundled for
 * Node when the benchmark runs.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

/**
 * Bundles `measure.ts` of a benchmark's folder and gives what it exports.
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
