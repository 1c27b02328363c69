/**
 * Measures the production bundles in bytes: the download size and the code that VS Code loads at
 * start; and the lines of each feature.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { programs } from "../../../esbuild.mjs";
import { logFeatures } from "./features.mjs";

export const title = "production bundles against their limits, and lines by feature";

/** Limits of the product's targets, in kB of 1000 bytes. */
const LIMITS = { host: 250, panel: 200 };

/** Entry points that load before the panel is usable, if there are several. */
const FIRST = { host: ["src/extension.ts", "src/host/activation/features.ts"] };

/** Returns the files that load before the entry runs: the entry and its static imports. */
function firstScript(metafile, entry) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind, external } of metafile.outputs[file].imports) {
      if (kind === "import-statement" && !external) visit(path);
    }
  };
  visit(entry);
  return [...seen];
}

export async function run({ log }) {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-size-"));
  try {
    for (const [name, options] of Object.entries(programs({ isProduction: true }))) {
      const { metafile } = await esbuild.build({ ...options, outdir: join(folder, name) });
      const mains = FIRST[name] ?? Object.values(options.entryPoints).slice(0, 1);
      const entries = Object.keys(metafile.outputs).filter((file) =>
        mains.includes(metafile.outputs[file].entryPoint),
      );
      const files = [...new Set(entries.flatMap((entry) => firstScript(metafile, entry)))];
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      const zipped = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
      const all = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
      const limit = LIMITS[name];
      log(
        `${name}: ${(bytes / 1000).toFixed(1)} kB before it runs (${(zipped / 1000).toFixed(1)} kB zipped, ` +
          `${files.length} files), ${(all / 1000).toFixed(1)} kB with all lazy chunks; ` +
          `${limit === undefined ? "no limit" : `limit ${limit} kB: ${bytes <= limit * 1000 ? "held" : "EXCEEDED"}`}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  logFeatures({ entries: [...entryFiles()], log });
}

/** Returns the files of `src` in which a program begins, with the browser's twins. */
function entryFiles() {
  const entries = Object.values(programs({ isProduction: true })).flatMap(({ entryPoints }) =>
    Object.values(entryPoints),
  );
  const twins = readdirSync("src/host/web").map((name) => `src/host/web/${name}`);
  return new Set([...entries, ...twins].filter((file) => /^src\/.*\.tsx?$/.test(file)));
}
