/**
 * Compares the cut of a long conversation with the smallest cut for each question. A service with a
 * cache reads only what differs from the request before.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import * as esbuild from "esbuild";

export const title = "text that a service reads again in a long conversation";

const OUT = "out/prefix.mjs";

/** @param {{ log: (line: string) => void }} options */
export async function run({ log }) {
  for (const [name, share] of [
    ["this tree", undefined],
    ["the smallest cut for each question", "1"],
  ]) {
    await build(share);
    log(`${name}:`);
    log(execFileSync("node", [OUT], { encoding: "utf8" }).trimEnd());
  }
  rmSync(OUT);
}

/** Builds the measurement, with another share of the budget that is filled after a cut. */
async function build(share) {
  const declaration = /const FILLED_SHARE = [\d.]+;/;
  const plugin = {
    name: "filled-share",
    setup({ onLoad }) {
      onLoad({ filter: /src\/context\/budget\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!declaration.test(text)) throw new Error("the share of the budget is not declared");
        const contents = share ? text.replace(declaration, `const FILLED_SHARE = ${share};`) : text;
        return { contents, loader: "ts" };
      });
    },
  };
  await esbuild.build({
    entryPoints: ["test/bench/prefix/measure.ts"],
    outfile: OUT,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [plugin],
    logLevel: "error",
  });
}
