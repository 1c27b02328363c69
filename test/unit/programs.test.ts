/** Tests the programs that esbuild.mjs builds: which files they have, and what each file holds. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

interface Programs {
  readonly host: esbuild.BuildOptions;
}

async function hostOptions(): Promise<esbuild.BuildOptions> {
  const { programs } = (await import(pathToFileURL(resolve("esbuild.mjs")).href)) as {
    programs: (options: { isProduction: boolean }) => Programs;
  };
  return programs({ isProduction: true }).host;
}

async function buildHost(): Promise<esbuild.Metafile> {
  const options = await hostOptions();
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

  it("imports only names that its files export, after chunks were merged", async function () {
    this.timeout(60_000);
    const outdir = mkdtempSync(join(tmpdir(), "core-chat-host-"));
    try {
      await esbuild.build({ ...(await hostOptions()), outdir });
      // Fails at an import without a matching export.
      await esbuild.build({
        entryPoints: [join(outdir, "extension.mjs")],
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        external: ["vscode"],
        write: false,
        outdir,
      });
      const files = readdirSync(join(outdir, "host"));
      assert.equal(files.filter((name) => name.startsWith("features-")).length, 1);
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });
});
