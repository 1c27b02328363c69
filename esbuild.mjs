/**
 * Builds the programs: the extension host's bundle, the panel's ES modules with lazy chunks,
 * and the tests (found by pattern). Flags: --production (minified, no source maps), --watch,
 * --tests-only.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has("--production");

const shared = {
  bundle: true,
  logLevel: "warning",
  minify: isProduction,
  sourcemap: isProduction ? false : "linked",
  legalComments: "none",
  metafile: true,
  define: { "process.env.NODE_ENV": isProduction ? '"production"' : '"development"' },
};

/** The extension host: one CommonJS file; `vscode` is given by the editor. */
const host = {
  ...shared,
  entryPoints: { extension: "src/extension.ts" },
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  platform: "node",
  target: "node22",
  external: ["vscode"],
};

/** The panel: ES modules, so that rarely needed parts load only when they are used. */
const webview = {
  ...shared,
  entryPoints: { main: "src/webview/main.tsx" },
  outdir: "dist/webview",
  format: "esm",
  platform: "browser",
  target: "chrome138",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
};

/** Every file below `folder` whose name ends as given, sorted. */
function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Tests that run in plain Node, and the programs they start: one ES module each. */
function nodeTests() {
  return {
    ...shared,
    minify: false,
    entryPoints: [
      ...filesBelow("test", ".test.ts").filter((name) => !name.startsWith("test/integration")),
      "test/service/main.ts",
    ],
    outdir: "out/test",
    outbase: "test",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
  };
}

/** Tests that run inside VS Code's extension host: CommonJS, with `vscode` from the editor. */
function integrationTests() {
  return {
    ...shared,
    minify: false,
    entryPoints: [
      ...filesBelow("test/integration", ".test.ts"),
      ...filesBelow("test/integration", "index.ts"),
    ],
    outdir: "out/test/integration",
    outbase: "test/integration",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    platform: "node",
    target: "node22",
    packages: "external",
    external: ["vscode"],
  };
}

/** The icon font is not script: it is shipped beside the panel as it comes. */
function copyIcons() {
  const icons = "node_modules/@vscode/codicons/dist";
  mkdirSync("dist/webview", { recursive: true });
  for (const name of ["codicon.css", "codicon.ttf"]) {
    cpSync(join(icons, name), join("dist/webview", name));
  }
}

if (flags.has("--watch")) {
  copyIcons();
  for (const options of [host, webview]) await (await esbuild.context(options)).watch();
} else {
  if (!flags.has("--tests-only")) {
    rmSync("dist", { recursive: true, force: true });
    const [hostResult, webviewResult] = await Promise.all([
      esbuild.build(host),
      esbuild.build(webview),
    ]);
    copyIcons();
    mkdirSync("out", { recursive: true });
    writeFileSync("out/meta-host.json", JSON.stringify(hostResult.metafile));
    writeFileSync("out/meta-webview.json", JSON.stringify(webviewResult.metafile));
  }
  if (!isProduction) {
    rmSync("out/test", { recursive: true, force: true });
    await Promise.all([esbuild.build(nodeTests()), esbuild.build(integrationTests())]);
  }
}
