/**
 * Builds the programs: the ES modules of the extension host and of the panel, with lazy chunks,
 * and the tests (found by pattern). Flags: --production (minified, no source maps), --watch,
 * --tests-only.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { iconStyles } from "./src/build/icons.mjs";
import { withManifestParts } from "./src/build/manifestParts.mjs";
import { withMergedChunks } from "./src/build/mergeChunks.mjs";
import { writeTailwind } from "./src/build/tailwindRuntime.mjs";

/**
 * Returns the options of the extension's programs; page tests and benchmarks build them too.
 *
 * @param {{ isProduction: boolean }} options
 * @returns {Record<"host" | "web" | "worker" | "styles" | "preview" | "boot" | "panel", esbuild.BuildOptions>}
 */
export function programs({ isProduction }) {
  const shared = sharedOptions(isProduction);
  return {
    /** The extension host: ES modules with a chunk for each `import()`; the editor provides `vscode`. */
    host: {
      ...shared,
      entryPoints: ["src/extension.ts"],
      outdir: "dist",
      outExtension: { ".js": ".mjs" },
      format: "esm",
      splitting: true,
      chunkNames: "host/[name]-[hash]",
      plugins: [
        withManifestParts(),
        withoutIdleImports(),
        ...(isProduction ? [withMergedChunks(hostGroups)] : []),
      ],
      platform: "node",
      // Prefers ES modules: the other form of jsonc-parser cannot be bundled.
      mainFields: ["module", "main"],
      target: "node22",
      external: ["vscode"],
    },
    /**
     * The extension host of a browser: a single file, because this host cannot load more, with the
     * browser twins of the files that need Node.
     */
    web: {
      ...shared,
      entryPoints: { extensionWeb: "src/extension.ts" },
      plugins: [withManifestParts(), withBrowserTwins()],
      supported: { "dynamic-import": false },
      outdir: "dist",
      format: "cjs",
      platform: "browser",
      mainFields: ["module", "main"],
      target: "chrome138",
      external: ["vscode"],
    },
    /** The panel's workers: one script each, which the page starts from a blob. */
    worker: {
      ...shared,
      entryPoints: {
        highlightWorker: "src/renderer/highlight/worker.ts",
        pictureWorker: "src/webview/pictures/worker.ts",
      },
      outdir: "dist/webview",
      format: "iife",
      platform: "browser",
      target: "chrome138",
    },
    /** Style sheets of the panel and of a preview, which the host inlines. */
    styles: {
      ...shared,
      entryPoints: {
        panel: "src/webview/panel.css",
        preview: "src/webview/preview/preview.css",
      },
      outdir: "dist/webview",
      target: "chrome138",
    },
    /** The page of a preview: one script, which the host inlines. */
    preview: {
      ...shared,
      entryPoints: { preview: "src/webview/previewMain.tsx" },
      outdir: "dist/webview",
      format: "iife",
      platform: "browser",
      target: "chrome138",
      jsx: "automatic",
      jsxImportSource: "preact",
    },
    /** The script in the panel's HTML, which loads the panel. */
    boot: {
      ...shared,
      entryPoints: { boot: "src/webview/bootMain.ts" },
      plugins: [withPanelAsFile()],
      outdir: "dist/webview",
      format: "esm",
      platform: "browser",
      target: "chrome138",
    },
    /** The panel: ES modules, so that rarely needed parts load only when they are used. */
    panel: {
      ...shared,
      entryPoints: { main: "src/webview/main.tsx" },
      outdir: "dist/webview",
      format: "esm",
      platform: "browser",
      target: "chrome138",
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      plugins: [withoutIdleImports(), ...(isProduction ? [withMergedChunks(panelGroups)] : [])],
      jsx: "automatic",
      jsxImportSource: "preact",
    },
  };
}

/**
 * Groups of the host: what `activate` loads next to its entry, and what the features load in addition.
 * The entry stays a file of its own, because VS Code decides on its address.
 *
 * @type {import("./src/build/mergeChunks.mjs").Groups}
 */
function hostGroups(loadedWith) {
  const [entry, ...first] = loadedWith("src/extension.ts");
  const features = loadedWith("src/host/activation/features.ts");
  return [first, features.filter((file) => file !== entry && !first.includes(file))];
}

/**
 * Groups of the panel: its first script, and what replies need in addition. Each file would be a request
 * of the page.
 *
 * @type {import("./src/build/mergeChunks.mjs").Groups}
 */
function panelGroups(loadedWith) {
  const first = loadedWith("src/webview/main.tsx");
  const renderer = loadedWith("src/webview/boot/renderer.ts");
  return [first, renderer.filter((file) => !first.includes(file))];
}

/**
 * Leaves the panel out of the script that loads it.
 *
 * @returns {esbuild.Plugin}
 */
function withPanelAsFile() {
  return {
    name: "with-panel-as-file",
    setup(build) {
      build.onResolve({ filter: /^\.\/main$/ }, () => ({ path: "./main.js", external: true }));
    },
  };
}

/**
 * Replaces each file of host/node with its browser twin.
 *
 * @returns {esbuild.Plugin}
 */
function withBrowserTwins() {
  return {
    name: "with-browser-twins",
    setup(build) {
      build.onResolve({ filter: /^(\.{1,2}\/)+node\/\w+$/ }, ({ path: imported, resolveDir }) => ({
        path: join(resolveDir, imported.replace("/node/", "/web/") + ".ts"),
      }));
    },
  };
}

/**
 * Removes imports that bind no name, of chunks without code of a module: they contain at most
 * esbuild's helpers, and each would be a file to wait for. Empty chunks are removed too.
 *
 * @returns {esbuild.Plugin}
 */
function withoutIdleImports() {
  return {
    name: "without-idle-imports",
    setup(build) {
      build.onEnd(({ metafile, errors }) => {
        if (errors.length > 0 || build.initialOptions.write === false) return;
        const outputs = Object.entries(metafile?.outputs ?? {});
        /** @param {esbuild.Metafile["outputs"][string]} output */
        const isIdle = ({ inputs }) =>
          Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
        const idle = outputs.filter(([file, output]) => /\.m?js$/.test(file) && isIdle(output));
        for (const [file, output] of outputs) {
          for (const [chunk] of idle) {
            const { imports } = output;
            if (!imports.some(({ path, kind }) => path === chunk && kind === "import-statement")) {
              continue;
            }
            const name = basename(chunk);
            const script = readFileSync(file, "utf8");
            const rest = script.replace(new RegExp(`import ?"[./\\w]*/${name}";\n?`), "");
            if (rest === script) continue; // Imports a helper of esbuild.
            writeFileSync(file, rest);
            output.imports = imports.filter(({ path }) => path !== chunk);
          }
        }
        for (const [chunk, { bytes }] of idle) {
          if (bytes > 0) continue;
          rmSync(chunk);
          delete metafile?.outputs[chunk];
        }
      });
    },
  };
}

/**
 * @param {boolean} isProduction
 * @returns {esbuild.BuildOptions}
 */
function sharedOptions(isProduction) {
  return {
    bundle: true,
    logLevel: "warning",
    minify: isProduction,
    sourcemap: isProduction ? false : "linked",
    legalComments: "none",
    metafile: true,
    define: { "process.env.NODE_ENV": isProduction ? '"production"' : '"development"' },
  };
}

/**
 * Returns the files below `folder` whose name ends with `ending`, sorted.
 *
 * @param {string} folder
 * @param {string} ending
 */
function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith(ending))
    .sort();
}

/**
 * Returns the options of the tests in plain Node and of the programs that they start; the benchmark
 * `faults` builds some of them.
 *
 * @returns {esbuild.BuildOptions}
 */
export function nodeTests() {
  return {
    ...sharedOptions(false),
    entryPoints: [
      ...filesBelow("test", ".test.ts").filter((name) => !name.startsWith("test/integration")),
      "test/service/main.ts",
      "test/support/start/startRules.ts",
      "test/screenshots/main.ts",
    ],
    outdir: "out/test",
    outbase: "test",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    // Test files of a run share modules, and so share a browser and a few VS Code servers.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    platform: "node",
    target: "node20",
    packages: "external",
    // Provides texts and settings of `vscode` without an editor.
    alias: { vscode: "./test/support/fakes/fakeVscode.ts" },
  };
}

/**
 * Returns the options of the tests in VS Code's extension host, which provides `vscode`. They are ES
 * modules as the extension is: VS Code 1.106 gives a CommonJS module another object of its API.
 *
 * @returns {esbuild.BuildOptions}
 */
function integrationTests() {
  return {
    ...sharedOptions(false),
    entryPoints: filesBelow("test/integration", ".test.ts"),
    outdir: "out/test/integration",
    outbase: "test/integration",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    external: ["vscode"],
  };
}

/**
 * Returns the options of the script that runs these tests; VS Code loads it with `require`.
 *
 * @returns {esbuild.BuildOptions}
 */
function integrationRunner() {
  return {
    ...integrationTests(),
    entryPoints: ["test/integration/index.ts"],
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  };
}

/** Writes the panel's icons, character maps and Tailwind's runtime next to its script. */
async function writeAssets() {
  mkdirSync("dist/webview", { recursive: true });
  writeFileSync("dist/webview/icons.css", await iconStyles());
  writeTailwind("dist/webview");
}

/**
 * Returns the sources of each test file, and below "programs" those of the extension, for
 * `npm test -- --changed`.
 *
 * @param {readonly esbuild.BuildResult[]} builtTests
 * @param {readonly esbuild.BuildResult[]} builtPrograms
 * @returns {Record<string, string[]>}
 */
function sourcesOf(builtTests, builtPrograms) {
  /** @type {Record<string, string[]>} */
  const sources = { programs: [] };
  for (const { metafile } of builtPrograms) {
    sources["programs"]?.push(...Object.keys(metafile?.inputs ?? {}));
  }
  for (const { metafile } of builtTests) {
    const outputs = metafile?.outputs ?? {};
    for (const name of Object.keys(outputs).filter((output) => output.endsWith(".test.mjs"))) {
      const files = new Set([name]);
      for (const file of files) {
        for (const { path } of outputs[file]?.imports ?? []) if (path in outputs) files.add(path);
      }
      sources[name] = [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    }
  }
  return sources;
}

/** @param {ReadonlySet<string>} flags */
async function main(flags) {
  const isProduction = flags.has("--production");
  const built = Object.values(programs({ isProduction }));
  if (flags.has("--watch")) {
    await writeAssets();
    for (const options of built) await (await esbuild.context(options)).watch();
    return;
  }
  /** @type {esbuild.BuildResult[]} */
  let builtPrograms = [];
  if (!flags.has("--tests-only")) {
    rmSync("dist", { recursive: true, force: true });
    builtPrograms = await Promise.all(built.map((options) => esbuild.build(options)));
    await writeAssets();
  }
  if (!isProduction) {
    rmSync("out/test", { recursive: true, force: true });
    const tests = [nodeTests(), integrationTests(), integrationRunner()];
    const builtTests = await Promise.all(tests.map((options) => esbuild.build(options)));
    writeFileSync("out/test/sources.json", JSON.stringify(sourcesOf(builtTests, builtPrograms)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(new Set(process.argv.slice(2)));
