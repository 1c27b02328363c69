/**
 * Builds the panel as in a release (minified, split into chunks) into a separate folder, so that
 * page tests need no other build.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { programs } from "../../../esbuild.mjs";
import { iconStyles } from "../../../src/build/icons.mjs";
import { writeTailwind } from "../../../src/build/tailwindRuntime.mjs";

/** Result of a build. */
export interface PanelBuild {
  /** Folder with `webview/`: scripts, styles and icons. */
  readonly folder: string;
  /** Bytes of the first script and of every chunk that it imports statically. */
  readonly firstScriptBytes: number;
}

let built: Promise<PanelBuild> | undefined;

/** Builds once per process. */
export function buildPanel(): Promise<PanelBuild> {
  built ??= build();
  return built;
}

async function build(): Promise<PanelBuild> {
  const folder = resolve("out", "page", String(process.pid));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outdir = join(folder, "webview");
  const { panel, boot, worker, preview, styles } = programs({ isProduction: true });
  const [{ metafile }] = await Promise.all([
    esbuild.build({ ...panel, outdir, metafile: true as const }),
    ...[boot, worker, preview, styles].map((options) => esbuild.build({ ...options, outdir })),
  ]);
  writeFileSync(join(outdir, "icons.css"), await iconStyles());
  writeTailwind(outdir);
  return { folder, firstScriptBytes: bytesOfFirstScript(metafile) };
}

function bytesOfFirstScript({ outputs }: esbuild.Metafile): number {
  const entry = Object.keys(outputs).find((name) => name.endsWith("webview/main.js"));
  const seen = new Set<string>();
  const toVisit = entry === undefined ? [] : [entry];
  let bytes = 0;
  for (let name = toVisit.pop(); name !== undefined; name = toVisit.pop()) {
    const output = outputs[name];
    if (output === undefined || seen.has(name)) continue;
    seen.add(name);
    bytes += output.bytes;
    for (const { path, kind } of output.imports)
      if (kind === "import-statement") toVisit.push(path);
  }
  return bytes;
}
