/**
 * Builds the panel as in a release (minified, split into chunks) into a separate folder, so that
 * page tests need no other build.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { iconStyles } from "../../../icons.mjs";
import { copyCharacterMaps, withPdfDecoders } from "../../../pdfLibrary.mjs";

/** Result of a build. */
export interface PanelBuild {
  /** Folder with `webview/` (scripts, icons) and `media/`. */
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
  const { metafile } = await esbuild.build({
    entryPoints: { main: "src/webview/main.tsx" },
    outdir,
    bundle: true,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "chrome138",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  await esbuild.build({
    entryPoints: {
      highlightWorker: "src/renderer/highlight/worker.ts",
      pictureWorker: "src/webview/pictures/worker.ts",
      pdfWorker: "src/webview/pictures/pdfWorker.ts",
    },
    plugins: [withPdfDecoders()],
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    target: "chrome138",
    logLevel: "warning",
  });
  await esbuild.build({
    entryPoints: { preview: "src/webview/previewMain.tsx" },
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "chrome138",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, "icons.css"), await iconStyles());
  copyCharacterMaps(outdir);
  cpSync("media", join(folder, "media"), { recursive: true });
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
