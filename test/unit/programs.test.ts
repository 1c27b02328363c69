/** Tests the programs that esbuild.mjs builds: which files they have, and what each file holds. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
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

async function buildHost(): Promise<esbuild.Metafile> {
  const options = await optionsOf("host");
  const { metafile } = await esbuild.build({ ...options, metafile: true, write: false });
  return metafile;
}

describe("the extension host's program", () => {
  let outputs: esbuild.Metafile["outputs"];
  before(async function () {
    this.timeout(60_000);
    ({ outputs } = await buildHost());
  });

  it("has each module in one file", () => {
    const files = new Map<string, string[]>();
    for (const [file, { inputs }] of Object.entries(outputs)) {
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
    const external = Object.values(outputs).flatMap(({ imports }) =>
      imports.filter((each) => each.external === true).map(({ path }) => path),
    );
    assert.deepEqual(
      [...new Set(external)].filter((path) => path !== "vscode" && !path.startsWith("node:")),
      [],
    );
  });
});

describe("a program whose chunks are merged", () => {
  for (const [name, entry] of [
    ["host", "extension.mjs"],
    ["panel", "main.js"],
  ] as const) {
    it(`imports only names that its files export (${name})`, async function () {
      this.timeout(60_000);
      await withBuilt(name, async (outdir) => {
        const options = await optionsOf(name);
        // Fails at an import without a matching export.
        await esbuild.build({
          ...options,
          entryPoints: [join(outdir, entry)],
          plugins: [],
          minify: false,
          outdir: join(outdir, "again"),
          write: false,
        });
      });
    });
  }

  it("has the host's features in one file", () =>
    withBuilt("host", (outdir) => {
      const files = readdirSync(join(outdir, "host"));
      assert.equal(files.filter((name) => name.startsWith("features-")).length, 1);
    }));

  it("has all that the panel needs first in one file, which imports nothing before it runs", () =>
    withBuilt("panel", (_outdir, { outputs }) => {
      const main = Object.values(outputs).find(
        ({ entryPoint }) => entryPoint === "src/webview/main.tsx",
      );
      assert.ok(main);
      assert.deepEqual(
        main.imports.filter(({ kind }) => kind !== "dynamic-import"),
        [],
      );
    }));
});

/** Builds a program into a folder that is removed afterwards. */
async function withBuilt(
  name: Name,
  check: (outdir: string, metafile: esbuild.Metafile) => void | Promise<void>,
): Promise<void> {
  const outdir = mkdtempSync(join(tmpdir(), "core-chat-program-"));
  try {
    const options = { ...(await optionsOf(name)), outdir, metafile: true as const };
    const { metafile } = await esbuild.build(options);
    await check(outdir, metafile);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
