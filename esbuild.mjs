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

/** Host modules that `import()` loads on first use; each is bundled into a separate file. */
const lazyHostFiles = [
  "src/chat/historyList.ts",
  "src/chat/imageAttachments.ts",
  "src/context/validateImage.ts",
  "src/history/cleanup.ts",
  "src/history/conversationIndex.ts",
  "src/history/salvagedDraft.ts",
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

/** Returns the options of the extension's programs; the size benchmark builds them too. */
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
      plugins: [withBrowserTwins()],
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

/** Returns entry points by file name; their outputs are in no subfolders. */
function entriesByName(files) {
  const entries = Object.fromEntries(files.map((file) => [basename(file, ".ts"), file]));
  if (Object.keys(entries).length < files.length) throw new Error("two entries share a name");
  return entries;
}

/** Replaces `import()` of these files with a `require` of their outputs. */
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

/** Replaces each file of host/node with its browser twin. */
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
 * Removes the panel's imports of chunks that contain only esbuild's helpers and bind no name. The panel
 * would wait for each of these files.
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

/** Returns the files below `folder` whose name ends with `ending`, sorted. */
function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Returns the options of the tests in plain Node and of the programs that they start. */
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

/** Returns the options of the tests in VS Code's extension host, which provides `vscode`. */
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

/** Writes the panel's icons and character maps next to its script. */
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
