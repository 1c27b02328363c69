/**
 * Packages the extension, and measures the panel of the package in a real VS Code: activation, time until
 * the user can type, and the delay of a token from the socket to the screen.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { run as runProgram } from "../../support/runner/programs.mjs";

export const title = "activation, opening, and from a token's bytes to its paint";

/** @param {{log: (line: string) => void}} options */
export async function run({ log }) {
  const folder = join(process.cwd(), "out/bench");
  mkdirSync(folder, { recursive: true });
  const vsix = join(folder, "core-chat.vsix");
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
