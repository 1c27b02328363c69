/**
 * Reads stack traces, compiler and test output. The texts have the form of public reports with other
 * names; the places were written down by someone who did not see the code.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { fileOf, traceIn } from "../../../src/markdown/tracePlaces";

/** A text, the report whose form it has, and the files of the workspace in which it is pasted. */
const caseSchema = z.object({
  format: z.string(),
  source: z.string(),
  text: z.string(),
  title: z.nullable(z.string()),
  /** Number of lines by path. */
  workspace: z.record(z.string(), z.number()),
  folder: z.string(),
  root: z.nullable(z.string()),
  /** Each as path:line. */
  places: z.array(z.string()),
});

const CASES = z
  .array(caseSchema)
  .parse(JSON.parse(readFileSync("test/fixtures/traces/traces.json", "utf8")));

describe("the places of a trace", () => {
  for (const { format, source, text, title, workspace, folder, root, places } of CASES) {
    it(`${format}: ${source}`, () => {
      const files = Object.keys(workspace).map((path) => ({ folder, path }));
      const trace = traceIn(text);
      const lines = trace?.places.flatMap(({ path, line }) => {
        const slashed = path.replaceAll("\\", "/");
        const below = root !== null && slashed.startsWith(`${root.replaceAll("\\", "/")}/`);
        const own = below ? slashed.slice(root.length + 1) : fileOf(path, files)?.path;
        return own !== undefined && (workspace[own] ?? 0) >= line ? [`${own}:${line}`] : [];
      });
      assert.deepEqual([...new Set(lines)], places);
      if (places.length > 0) assert.equal(trace?.name ?? null, title);
    });
  }
});
