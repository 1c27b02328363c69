/**
 * Builds the programs: the extension host's bundle, the panel's ES modules with lazy chunks,
 * and the tests (found by pattern). Flags: --production (minified, no source maps), --watch,
 * --tests-only.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { iconStyles } from "./icons.mjs";
import { copyCharacterMaps, withPdfDecoders } from "./pdfLibrary.mjs";

/** Host modules that `import()` loads on first use; each is a file of its own. */
const lazyHostFiles = [
  "src/chat/historyList.ts",
  "src/chat/imageAttachments.ts",
  "src/context/validateImage.ts",
  "src/history/cleanup.ts",
  "src/history/conversationIndex.ts",
  "src/history/search.ts",
  "src/host/activation/features.ts",
  "src/host/chatApi/participant.ts",
  "src/host/chatApi/provider.ts",
  "src/host/context/automaticPart.ts",
  "src/host/context/contextFeatures.ts",
  "src/host/context/promptFiles.ts",
  "src/host/context/ruleFiles.ts",
  "src/host/context/terminalCommands.ts",
  "src/host/context/definitions.ts",
  "src/host/diagnostics/inspector.ts",
  "src/host/diagnostics/testConnection.ts",
  "src/host/editorCommands/answers.ts",
  "src/host/editorCommands/editorCommands.ts",
  "src/host/editorCommands/lightBulb.ts",
  "src/host/panel/help.ts",
  "src/host/panel/plainReplies.ts",
  "src/host/panel/showFirstSteps.ts",
  "src/host/pictures/onImageLinks.ts",
  "src/host/pictures/pictureFiles.ts",
  "src/host/pictures/takeScreenshot.ts",
  "src/host/preview/previewTab.ts",
  "src/host/replyActions/applyAll.ts",
  "src/host/replyActions/codeActions.ts",
  "src/host/replyActions/fileLinks.ts",
  "src/host/replyActions/proposals.ts",
  "src/host/settings/serviceCommands.ts",
  "src/host/settings/workspaceSettings.ts",
  "src/host/sourceControl/commitMessage.ts",
  "src/host/storage/moveCommand.ts",
  "src/host/storage/transfer.ts",
  "src/host/theme/colorTheme.ts",
  "src/pointing/instruction.ts",
  "src/service/client.ts",
  "src/service/response.ts",
];

/** The extension's two programs; also built by the size benchmark, into a folder of its own. */
export function programs({ isProduction }) {
  const shared = sharedOptions(isProduction);
  return {
    /** The extension host: CommonJS; `vscode` is provided by the editor. */
    host: {
      ...shared,
      entryPoints: entriesByName(["src/extension.ts", ...lazyHostFiles]),
      plugins: [loadLazily(lazyHostFiles)],
      supported: { "dynamic-import": false },
      outdir: "dist",
      outExtension: { ".js": ".cjs" },
      format: "cjs",
      platform: "node",
      // A package's ES modules first: jsonc-parser's other form cannot be bundled.
      mainFields: ["module", "main"],
      target: "node22",
      external: ["vscode"],
    },
    /**
     * The extension host of a browser: one file, as it can load no second one, with the twins of what
     * needs Node.
     */
    web: {
      ...shared,
      entryPoints: { extensionWeb: "src/extension.ts" },
      plugins: [insteadOfNode()],
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
        pdfWorker: "src/webview/pictures/pdfWorker.ts",
      },
      plugins: [withPdfDecoders()],
      outdir: "dist/webview",
      format: "iife",
      platform: "browser",
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
      plugins: [withoutIdleImports()],
      jsx: "automatic",
      jsxImportSource: "preact",
    },
  };
}

/** Entry points whose outputs have the names of the files, without their folders. */
function entriesByName(files) {
  const entries = Object.fromEntries(files.map((file) => [basename(file, ".ts"), file]));
  if (Object.keys(entries).length < files.length) throw new Error("two entries share a name");
  return entries;
}

/** Replaces `import()` of these files by a `require` of their outputs. */
function loadLazily(files) {
  const outputs = new Map(files.map((file) => [resolve(file), `./${basename(file, ".ts")}.cjs`]));
  return {
    name: "load-lazily",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path: imported, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const output = outputs.get(join(resolveDir, `${imported}.ts`));
        return output && { path: output, external: true };
      });
    },
  };
}

/** Takes the browser's twins where a file asks for what needs Node. */
function insteadOfNode() {
  return {
    name: "instead-of-node",
    setup(build) {
      build.onResolve({ filter: /^(\.{1,2}\/)+node\/\w+$/ }, ({ path: imported, resolveDir }) => ({
        path: join(resolveDir, imported.replace("/node/", "/web/") + ".ts"),
      }));
    },
  };
}

/**
 * Takes out of the panel's first script the imports that bind nothing, of chunks that hold nothing
 * but esbuild's own helpers: each would be one more file to wait for before the panel shows.
 */
function withoutIdleImports() {
  return {
    name: "without-idle-imports",
    setup(build) {
      build.onEnd(({ metafile, errors }) => {
        if (errors.length > 0) return;
        const { outdir } = build.initialOptions;
        const entry = join(outdir, "main.js");
        const imports = metafile.outputs[entry]?.imports ?? [];
        let script = readFileSync(entry, "utf8");
        for (const { path, kind } of imports) {
          const isIdle = Object.keys(metafile.outputs[path]?.inputs ?? { some: 1 }).length === 0;
          if (kind !== "import-statement" || !isIdle) continue;
          const name = path.split("/").at(-1);
          script = script.replace(new RegExp(`import ?"\\./chunks/${name}";\\n?`), "");
        }
        writeFileSync(entry, script);
      });
    },
  };
}

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
    // Files of one run share their modules, and with them one browser and few VS Codes.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    platform: "node",
    target: "node20",
    packages: "external",
    // Sentences of the host can be read without an editor; nothing else of it is there.
    alias: { vscode: "./test/support/fakes/fakeVscode.ts" },
  };
}

/** Tests that run inside VS Code's extension host: CommonJS, with `vscode` from the editor. */
function integrationTests() {
  return {
    ...sharedOptions(false),
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

/** Writes the panel's icons beside its script. */
async function writeIcons() {
  mkdirSync("dist/webview", { recursive: true });
  writeFileSync("dist/webview/icons.css", await iconStyles());
  copyCharacterMaps("dist/webview");
}

async function main(flags) {
  const isProduction = flags.has("--production");
  const built = Object.values(programs({ isProduction }));
  if (flags.has("--watch")) {
    await writeIcons();
    for (const options of built) await (await esbuild.context(options)).watch();
    return;
  }
  if (!flags.has("--tests-only")) {
    rmSync("dist", { recursive: true, force: true });
    await Promise.all(built.map((options) => esbuild.build(options)));
    await writeIcons();
  }
  if (!isProduction) {
    rmSync("out/test", { recursive: true, force: true });
    await Promise.all([esbuild.build(nodeTests()), esbuild.build(integrationTests())]);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(new Set(process.argv.slice(2)));
