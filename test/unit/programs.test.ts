/** Tests the programs that esbuild.mjs builds: which files they have, and what each file holds. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

type Name = "host" | "panel";

async function optionsOf(name: Name): Promise<esbuild.BuildOptions> {
  const { programs } = (await import(pathToFileURL(resolve("esbuild.mjs")).href)) as {
    programs: (options: { isProduction: boolean }) => Record<Name, esbuild.BuildOptions>;
  };
  return programs({ isProduction: true })[name];
}

describe("the programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-program-"));
  const built: Partial<Record<Name, esbuild.Metafile["outputs"]>> = {};

  before(async function () {
    this.timeout(120_000);
    for (const name of ["host", "panel"] as const) {
      const options = { ...(await optionsOf(name)), outdir: join(folder, name) };
      built[name] = (await esbuild.build({ ...options, metafile: true })).metafile.outputs;
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  describe("of the extension host", () => {
    it("has each module in one file", () => {
      const files = new Map<string, string[]>();
      for (const [file, { inputs }] of Object.entries(built.host ?? {})) {
        for (const input of Object.keys(inputs))
          files.set(input, [...(files.get(input) ?? []), file]);
      }
      assert.ok(files.has("src/extension.ts"));
      assert.deepEqual(
        [...files].filter(([, found]) => found.length > 1),
        [],
      );
    });

    it("starts with a module that needs no other package than the editor's", () => {
      const external = Object.values(built.host ?? {}).flatMap(({ imports }) =>
        imports.filter((each) => each.external === true).map(({ path }) => path),
      );
      assert.deepEqual(
        [...new Set(external)].filter((path) => path !== "vscode" && !path.startsWith("node:")),
        [],
      );
    });
  });

  describe("whose chunks are merged", () => {
    it("has all that the panel needs first in one file, which imports nothing before it runs", () => {
      const main = Object.values(built.panel ?? {}).find(
        ({ entryPoint }) => entryPoint === "src/webview/main.tsx",
      );
      assert.ok(main);
      assert.deepEqual(
        main.imports.filter(({ kind }) => kind !== "dynamic-import"),
        [],
      );
    });
  });
});
