/**
 * Merges chunks that load together. esbuild makes a chunk for each set of lazy parts that share a
 * module, so the host's features would load from some 90 files and the panel from 30; each costs time.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, relative, resolve } from "node:path";
import * as esbuild from "esbuild";

/** Import of a minified chunk: the imported names, and the file. */
const IMPORT = /\bimport(?:\{([^{}]*)\}from)?"([^"]+)"/g;

/**
 * Returns the groups of files to merge. `loadedWith` returns the file of an entry point and the files
 * that it imports, directly or not.
 *
 * @typedef {(loadedWith: (entryPoint: string) => string[]) => string[][]} Groups
 */

/**
 * Merges each group into its first file. Code that is loaded later imports from the merged files. For
 * minified chunks only.
 *
 * @param {Groups} groups
 * @returns {esbuild.Plugin}
 */
export function withMergedChunks(groups) {
  return {
    name: "with-merged-chunks",
    setup(build) {
      build.onEnd(async ({ metafile, errors }) => {
        const { initialOptions } = build;
        if (!metafile || errors.length > 0 || initialOptions.write === false) return;
        const { outputs } = metafile;
        for (const files of groups((entryPoint) => loadedWith(outputs, entryPoint)))
          await mergeChunks(outputs, files, initialOptions);
      });
    },
  };
}

/**
 * Returns the file of an entry point and the files that it imports, directly or not.
 *
 * @param {esbuild.Metafile["outputs"]} outputs
 * @param {string} entryPoint
 */
function loadedWith(outputs, entryPoint) {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entryPoint);
  if (entry === undefined) throw new Error(`no file of ${entryPoint}`);
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) seen.add(path);
    }
  }
  return [...seen];
}

/**
 * Merges files into the first of them, which keeps its own exports, and changes the imports of all
 * other files. The exports of the others get the name of their file.
 *
 * @param {esbuild.Metafile["outputs"]} outputs is changed too
 * @param {readonly string[]} files
 * @param {Pick<esbuild.BuildOptions, "platform" | "target">} options
 */
async function mergeChunks(outputs, files, { platform = "node", target: language = "esnext" }) {
  const [target = "", ...others] = files;
  /** @type {(file: string, name: string) => string} */
  const renamed = (file, name) =>
    file === target ? name : `${basename(file, extname(file)).replaceAll(/\W/g, "_")}_${name}`;
  const exported = files.flatMap((file) => {
    const names = (outputs[file]?.exports ?? []).map((name) => `${name} as ${renamed(file, name)}`);
    return `export{${names.join(",")}}from"${pathFrom(target, file)}";`;
  });
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: exported.join("\n"), resolveDir: dirname(target) },
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: "esm",
    platform,
    target: language,
    plugins: [onlyWith(files, target)],
  });
  writeFileSync(target, outputFiles[0]?.contents ?? "");
  const [merged] = Object.values(metafile.outputs);
  const own = outputs[target];
  if (!merged || !own) throw new Error("esbuild wrote no file");
  own.bytes = merged.bytes;
  own.exports = merged.exports;
  for (const file of others) {
    Object.assign(own.inputs, outputs[file]?.inputs);
    own.imports.push(...(outputs[file]?.imports ?? []));
    delete outputs[file];
    rmSync(file);
  }
  own.imports = own.imports.filter(({ path }) => !files.includes(path));
  for (const [file, output] of Object.entries(outputs)) {
    if (file === target || !output.imports.some(({ path }) => files.includes(path))) continue;
    const folder = dirname(file);
    const script = readFileSync(file, "utf8").replaceAll(IMPORT, (whole, names, path) => {
      const from = files.find((one) => resolve(one) === resolve(folder, path));
      if (from === undefined) return whole;
      const list = String(names ?? "").replaceAll(/([\w$]+)(?: as ([\w$]+))?/g, (_, name, as) => {
        return `${renamed(from, name)} as ${as ?? name}`;
      });
      return `import{${list}}from"${pathFrom(file, target)}"`;
    });
    writeFileSync(file, script);
    output.bytes = Buffer.byteLength(script);
    output.imports = output.imports.map((each) =>
      files.includes(each.path) ? { ...each, path: target } : each,
    );
  }
}

/**
 * Returns the path of a file as an import of another.
 *
 * @param {string} importer
 * @param {string} file
 */
function pathFrom(importer, file) {
  const path = relative(dirname(importer), file).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/**
 * Bundles these files; everything else stays an import, from the file that they become.
 *
 * @param {readonly string[]} files
 * @param {string} target
 * @returns {esbuild.Plugin}
 */
function onlyWith(files, target) {
  const bundled = new Set(files.map((file) => resolve(file)));
  return {
    name: "only-with",
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ path, kind, resolveDir }) => {
        if (!path.startsWith(".")) return { path, external: true };
        const file = resolve(resolveDir, path);
        const isBundled = kind !== "dynamic-import" && bundled.has(file);
        return isBundled
          ? { path: file }
          : { path: pathFrom(resolve(target), file), external: true };
      });
    },
  };
}
