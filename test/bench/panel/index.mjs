/**
 * The panel in a real VS Code with the packaged extension: activation, time until one can type, and
 * the way of a token from the socket to the screen.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { run as runProgram } from "../../support/programs.mjs";

export const title = "activation, opening, and from a token's bytes to its paint";

export async function run({ log }) {
  const folder = join("out", "bench");
  mkdirSync(folder, { recursive: true });
  const vsix = join(process.cwd(), folder, "core-chat.vsix");
  await runProgram("npm", ["run", "package", "--", "--out", vsix], {});
  process.env["CORE_CHAT_VSIX"] = vsix;
  const outfile = join(folder, "panel.mjs");
  await esbuild.build({
    entryPoints: ["test/bench/panel/measure.ts"],
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
