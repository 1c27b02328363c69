/**
 * Measures a streamed rewrite of 400 lines in a file of 2,000 lines, in a real VS Code with the
 * production build, while real keys are pressed elsewhere in that file.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { programs } from "../../../esbuild.mjs";
import { measuringOf } from "../measuring.mjs";

export const title = "a streamed rewrite while somebody types";

export async function run({ log }) {
  const folder = join(process.cwd(), "out/bench/inline");
  const extension = join(folder, "extension");
  rmSync(extension, { recursive: true, force: true });
  mkdirSync(extension, { recursive: true });
  for (const name of ["package.json", "package.nls.json", "l10n", "media"]) {
    cpSync(name, join(extension, name), { recursive: true });
  }
  for (const [name, options] of Object.entries(programs({ isProduction: true }))) {
    const outdir = join(extension, name === "panel" ? "dist/webview" : "dist");
    await esbuild.build({ ...options, outdir });
  }
  const { measure } = await measuringOf("inline");
  await measure(extension, log);
}
