/** Tests the programs that esbuild.mjs builds: which files they have, and what each file holds. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

interface Programs {
  readonly host: esbuild.BuildOptions;
}

async function buildHost(): Promise<esbuild.Metafile> {
  const { programs } = (await import(pathToFileURL(resolve("esbuild.mjs")).href)) as {
    programs: (options: { isProduction: boolean }) => Programs;
  };
  const { host } = programs({ isProduction: true });
  const { metafile } = await esbuild.build({ ...host, metafile: true, write: false });
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
