/** Files that usually contain secrets, detected by name, and harmless files with similar names. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mayHoldSecrets } from "../../../src/secrets/secretNames";

function linesOf(fixture: string): string[] {
  const text = readFileSync(`test/fixtures/writing/${fixture}.txt`, "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

describe("mayHoldSecrets", () => {
  for (const path of linesOf("secretNames"))
    it(`includes ${path}`, () => assert.equal(mayHoldSecrets(path), true));
  for (const path of ["", ...linesOf("harmlessNames")]) {
    it(`excludes ${path || "an empty name"}`, () => assert.equal(mayHoldSecrets(path), false));
  }

  it("includes a path that is too long to check", () => {
    assert.equal(mayHoldSecrets(`.ssh/${"a/".repeat(600)}b`), true);
    assert.equal(mayHoldSecrets(`${"a/".repeat(400)}b.ts`), false);
  });
});
