/**
 * Checks the import rules of src/README.md on every file below src: allowed imports, the order of
 * the subfolders of chat, host and webview, no import cycles, and file sizes.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { filesBelow } from "../support/source/files";

/**
 * Allowed imports of a top-level folder, separated by spaces. The page's content security policy allows
 * only the small version of zod.
 */
interface Layer {
  readonly folders: string;
  readonly packages: string;
}

const PURE =
  "base pointing protocol conversation service secrets pictures context history search ask markdown";
const RENDERER_PACKAGES =
  "markdown-it katex @mermaid-js/tiny @shikijs/core @shikijs/engine-javascript @shikijs/langs " +
  "@shikijs/types @shikijs/vscode-textmate";

const LAYERS: Readonly<Record<string, Layer>> = {
  base: { folders: "", packages: "tokenx" },
  pointing: { folders: "", packages: "zod/mini" },
  protocol: { folders: "base pointing", packages: "zod/mini" },
  conversation: { folders: "base pointing", packages: "zod/mini" },
  service: { folders: "base", packages: "zod/mini eventsource-parser" },
  markdown: { folders: "base", packages: "markdown-it" },
  secrets: { folders: "base", packages: "" },
  pictures: { folders: "base", packages: "" },
  context: { folders: "base conversation", packages: "" },
  history: { folders: "base conversation", packages: "zod/mini" },
  search: { folders: "base conversation history", packages: "zod/mini" },
  ask: { folders: "base conversation pictures context service", packages: "" },
  chat: {
    folders: "base pointing protocol conversation pictures context history search ask",
    packages: "",
  },
  replyCode: { folders: "base markdown", packages: "diff" },
  edit: { folders: "base conversation context ask replyCode", packages: "" },
  host: { folders: `${PURE} replyCode chat edit`, packages: "vscode zod/mini jsonc-parser" },
  renderer: { folders: "base markdown", packages: RENDERER_PACKAGES },
  webview: {
    folders: "base pointing protocol markdown renderer",
    packages: "preact @preact/signals @vscode/l10n pixelmatch zod/mini",
  },
  "extension.ts": { folders: "base host", packages: "vscode" },
};

/** Folders from which `type`-only imports are also allowed: the types of a port. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { chat: ["service"] };

/** Subfolders of host, lowest layer first. A file imports from its own folder and from lower layers. */
const HOST_LAYERS = [
  "platform node web theme messages",
  "policy",
  "settings access",
  "pictures panel inline",
  "context preview transfer",
  "chatApi sourceControl diagnostics storage replyActions editorCommands pictureCommands",
  "activation",
];

/** Subfolders of chat, lowest layer first. Files directly in chat may import all of them. */
const CHAT_LAYERS = ["conversation", "view", "pictures"];

/** Subfolders of webview, lowest layer first. Files directly in webview may import all of them. */
const WEBVIEW_LAYERS =
  "state, ui, pictures, pointing preview, transcript composer history, boot".split(", ");

interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, "utf8");
  const lines = source.matchAll(/^(import|export)\s+(type\s)?[^;'"]*?from\s+["']([^"']+)["']/gm);
  const plain = source.matchAll(/\bimport\s*\(?\s*["']([^"']+)["']/g);
  return [
    ...[...lines].map((match) => ({ specifier: match[3] ?? "", isTypeOnly: Boolean(match[2]) })),
    ...[...plain].map((match) => ({ specifier: match[1] ?? "", isTypeOnly: false })),
  ];
}

function topFolder(file: string): string {
  return file.split("/")[1] ?? "";
}

/** Returns the source file that a relative import of `file` names; undefined if there is none. */
function importedFile(file: string, specifier: string): string | undefined {
  const path = join(dirname(file), specifier);
  return [`${path}.ts`, `${path}.tsx`].find((candidate) => existsSync(candidate));
}

function localImports(file: string): string[] {
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => importedFile(file, specifier))
    .filter((imported) => imported !== undefined);
}

const files = filesBelow("src", /\.tsx?$/);

describe("the architecture", () => {
  it("follows the table of allowed imports", () => {
    assert.ok(files.length > 50, `only ${files.length} files were found`);
    const violations: string[] = [];
    for (const file of files) {
      const folder = topFolder(file);
      const allowed = LAYERS[folder];
      for (const { specifier, isTypeOnly } of importsOf(file)) {
        if (specifier.startsWith(".")) {
          const path = join(dirname(file), specifier);
          if (/^package(\.nls)?\.json$/.test(path) && folder === "host") continue;
          const target = topFolder(path);
          const isTypeAllowed = isTypeOnly && TYPES_ONLY[folder]?.includes(target);
          if (
            target !== folder &&
            !allowed?.folders.split(" ").includes(target) &&
            !isTypeAllowed
          ) {
            violations.push(`${file} imports ${target}`);
          }
          continue;
        }
        const name = specifier.replace(/^node:/, "");
        const isBuiltin = specifier.startsWith("node:") || builtinModules.includes(name);
        const isAllowed = isBuiltin
          ? file.startsWith("src/host/node/")
          : allowed?.packages.split(" ").some((one) => `${specifier}/`.startsWith(`${one}/`));
        if (!isAllowed) violations.push(`${file} imports ${specifier}`);
      }
    }
    assert.deepEqual(violations, []);
  });

  for (const [folder, layers] of [
    ["chat", CHAT_LAYERS],
    ["host", HOST_LAYERS],
    ["webview", WEBVIEW_LAYERS],
  ] as const) {
    it(`has no import in ${folder} from a folder of the same or a higher layer`, () => {
      const start = `src/${folder}/`;
      const subfolderOf = (file: string) =>
        file.slice(start.length).includes("/") ? (file.split("/")[2] ?? "") : undefined;
      const layerOf = (file: string) => {
        const subfolder = subfolderOf(file);
        if (subfolder === undefined) return layers.length;
        return layers.findIndex((layer) => layer.split(" ").includes(subfolder));
      };
      const violations: string[] = [];
      for (const file of files.filter((name) => name.startsWith(start))) {
        if (layerOf(file) === -1) violations.push(`${file} is in no layer`);
        for (const imported of localImports(file)) {
          if (!imported.startsWith(start) || subfolderOf(imported) === subfolderOf(file)) continue;
          if (layerOf(imported) >= layerOf(file)) violations.push(`${file} imports ${imported}`);
        }
      }
      assert.deepEqual(violations, []);
    });
  }

  it("decides in one file whether text of a reply may be written", () => {
    const rules = ["src/secrets/sensitivePath.ts", "src/secrets/gitFiles.ts"];
    const users = files.filter((file) => localImports(file).some((one) => rules.includes(one)));
    assert.deepEqual(
      users.filter((file) => !rules.includes(file)),
      ["src/host/access/writeAccess.ts"],
    );
  });

  it("has no import cycle, type-only imports included", () => {
    const graph = new Map(files.map((file) => [file, localImports(file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
        return;
      }
      if (done.has(file)) return;
      for (const imported of graph.get(file) ?? []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(cycles, []);
  });

  it("has a browser twin for each file of host/node that other folders import", () => {
    const imported = new Set(
      files
        .filter((file) => !file.startsWith("src/host/node/"))
        .flatMap(localImports)
        .filter((file) => file.startsWith("src/host/node/")),
    );
    assert.ok(imported.size > 0);
    const exportsOf = (file: string) =>
      [...readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)]
        .map(([, name]) => name)
        .sort();
    for (const file of imported) {
      const twin = file.replace("/node/", "/web/");
      assert.ok(files.includes(twin), `${twin} is missing`);
      assert.deepEqual(exportsOf(twin), exportsOf(file), twin);
    }
  });
});
