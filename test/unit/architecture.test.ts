/**
 * The import table of src/README.md, as data, against the import lines of every file found below
 * src. A file in no room fails, and so does a room the table does not name.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { filesBelow } from "../support/source/files";

/** What the files of one room may import: other rooms, and packages. */
interface Room {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

const PURE = [
  "base",
  "protocol",
  "conversation",
  "service",
  "context",
  "history",
  "ask",
  "markdown",
];

const ROOMS: Readonly<Record<string, Room>> = {
  base: { rooms: [], packages: [] },
  protocol: { rooms: ["base"], packages: ["zod"] },
  conversation: { rooms: ["base"], packages: ["zod"] },
  service: { rooms: ["base"], packages: ["zod", "eventsource-parser"] },
  markdown: { rooms: [], packages: ["markdown-it", "markdown-it-footnote"] },
  context: { rooms: ["base", "conversation"], packages: ["tokenx"] },
  history: { rooms: ["base", "conversation"], packages: ["zod"] },
  ask: { rooms: ["base", "conversation", "context", "service"], packages: [] },
  chat: {
    rooms: ["base", "protocol", "conversation", "context", "history", "ask"],
    packages: [],
  },
  inline: { rooms: ["base", "conversation", "context", "ask"], packages: ["diff"] },
  host: { rooms: [...PURE, "chat", "inline"], packages: ["vscode", "zod", "jsonc-parser"] },
  webview: {
    rooms: ["base", "protocol", "markdown"],
    packages: [
      "preact",
      "@preact/signals",
      "@vscode/l10n",
      "zod",
      "markdown-it",
      "katex",
      "@mermaid-js/tiny",
      "@shikijs/core",
      "@shikijs/engine-javascript",
      "@shikijs/langs",
      "@shikijs/types",
      "@shikijs/vscode-textmate",
    ],
  },
  "extension.ts": { rooms: ["base", "host"], packages: ["vscode"] },
};

/** Rooms a `type`-only import may name beyond the table: a port's words, nothing that runs. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { chat: ["service"] };

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

function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

function packageOf(specifier: string): string {
  const names = specifier.split("/");
  return names.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

const files = filesBelow("src", /\.tsx?$/);

describe("the house", () => {
  it("has every file in a room of the table", () => {
    const rooms = new Set(files.map(roomOf));
    assert.ok(files.length > 50, `only ${files.length} files were found`);
    assert.deepEqual([...rooms].filter((room) => !(room in ROOMS)).sort(), []);
  });

  it("imports only along the table", () => {
    const strays: string[] = [];
    for (const file of files) {
      const room = roomOf(file);
      const allowed = ROOMS[room];
      for (const { specifier, isTypeOnly } of importsOf(file)) {
        if (specifier.startsWith(".")) {
          const target = roomOf(join(dirname(file), specifier));
          const isTypeAllowed = isTypeOnly && TYPES_ONLY[room]?.includes(target);
          if (target !== room && !allowed?.rooms.includes(target) && !isTypeAllowed) {
            strays.push(`${file} imports room ${target}`);
          }
          continue;
        }
        const name = specifier.replace(/^node:/, "");
        const isBuiltin = specifier.startsWith("node:") || builtinModules.includes(name);
        const isAllowed = isBuiltin
          ? file.startsWith("src/host/node/")
          : allowed?.packages.includes(packageOf(specifier));
        if (!isAllowed) strays.push(`${file} imports ${specifier}`);
      }
    }
    assert.deepEqual(strays, []);
  });

  it("has a browser's twin for everything that is asked of Node", () => {
    const asked = files
      .filter((file) => !file.startsWith("src/host/node/"))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => /^(\.{1,2}\/)+node\//.test(specifier))
          .map(({ specifier }) => join(dirname(file), `${specifier}.ts`)),
      );
    assert.ok(asked.length > 0);
    const exportsOf = (file: string) =>
      [...readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)]
        .map(([, name]) => name)
        .sort();
    for (const file of asked) {
      const twin = file.replace("/node/", "/web/");
      assert.ok(files.includes(twin), `${twin} is missing`);
      assert.deepEqual(exportsOf(twin), exportsOf(file), twin);
    }
  });

  it("begins every file with a sentence about it", () => {
    const silent = files.filter((file) => !readFileSync(file, "utf8").startsWith("/**\n"));
    assert.deepEqual(silent, []);
  });

  it("keeps files small enough for one idea", () => {
    const long = files.filter((file) => readFileSync(file, "utf8").split("\n").length > 400);
    assert.deepEqual(long, []);
  });

  it("never leaves the zod flavour that the page's policy allows", () => {
    const classic = files.filter((file) =>
      importsOf(file).some(({ specifier }) => specifier === "zod"),
    );
    assert.deepEqual(classic, []);
  });
});
