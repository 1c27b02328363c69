/** Finds the lines of real files that a trace names: only those that may be sent without a question. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCode, findTracedLines } from "../../src/host/context/tracedLines";
import { workspaceUri } from "./editing";

const FOLDER = "traced-lines";
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `const line${at + 1} = ${at + 1};\n`).join("");

describe("the lines that a trace names", () => {
  const { fsPath: folder } = workspaceUri(FOLDER);
  let outside = "";

  before(() => {
    for (const name of ["shop", "admin", "node_modules/dep/shop"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    writeFileSync(join(folder, "shop/basket.ts"), lines(30));
    writeFileSync(join(folder, "shop/rates.ts"), `${lines(5)}${"  inner();\n".repeat(90)}`);
    writeFileSync(join(folder, "admin/basket.ts"), lines(30));
    writeFileSync(join(folder, "node_modules/dep/shop/basket.ts"), lines(30));
    writeFileSync(join(folder, "shop/token.ts"), `const key = "ghp_${"a1B2".repeat(9)}";\n`);
    outside = mkdtempSync(join(tmpdir(), "core-chat-"));
    mkdirSync(join(outside, "shop"));
    writeFileSync(join(outside, "shop/basket.ts"), lines(30));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  });

  it("are offered with the code around, without installed, missing, outside and secret ones", async () => {
    const frames = [
      `/app/${FOLDER}/shop/basket.ts:12:3`,
      `${join(folder, "shop/rates.ts")}:60:1`,
      `${join(outside, "shop/basket.ts")}:3:1`,
      `/app/${FOLDER}/node_modules/dep/shop/basket.ts:4:1`,
      `/app/${FOLDER}/shop/basket.ts:31:1`,
      `/app/${FOLDER}/shop/token.ts:1:1`,
      `/app/basket.ts:5:1`,
    ];
    const trace = ["TypeError: x", ...frames.map((frame) => `    at run (${frame})`)].join("\n");
    const references = await findTracedLines(trace);
    assert.deepEqual(
      references.map(({ label, detail }) => [label, detail]),
      [
        ["basket.ts:12", `${FOLDER}/shop`],
        ["rates.ts:60", `${FOLDER}/shop`],
      ],
    );
    const [, rates] = await Promise.all(references.map(async (one) => (await one.gather()).parts));
    const [part] = rates ?? [];
    assert.ok(part?.kind === "excerpt");
    assert.deepEqual(
      [part.startLine, part.endLine, part.focus],
      [45, 75, { startLine: 60, endLine: 60 }],
    );
  });

  it("or a mark shows are of the same files, and a search that was canceled has none", async () => {
    writeFileSync(
      join(folder, "shop/secret.ts"),
      `const key = "ghp_${"a1B2".repeat(9)}"; // line17\n`,
    );
    const labelsOf = async (signal: AbortSignal) =>
      (await findCode("Line17", "", signal)).map(({ label, detail }) => [label, detail]);
    assert.deepEqual((await labelsOf(new AbortController().signal)).sort(), [
      ["basket.ts:17", `${FOLDER}/admin`],
      ["basket.ts:17", `${FOLDER}/shop`],
    ]);
    assert.deepEqual(await labelsOf(AbortSignal.abort()), []);
  });
});
