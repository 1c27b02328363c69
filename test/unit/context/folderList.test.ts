import assert from "node:assert/strict";
import { listedPaths } from "../../../src/context/folderList";

describe("listedPaths", () => {
  it("contains one path per line, sorted", () => {
    assert.equal(listedPaths(["b.ts", "a/c.ts", "a.ts"]), "a.ts\na/c.ts\nb.ts");
  });

  it("omits the deepest paths first and reports how many", () => {
    const deep = Array.from({ length: 5_000 }, (_, index) => `a/b/c/d/file${index}.ts`);
    const text = listedPaths([...deep, "readme.md"]);
    assert.match(text, /readme\.md/);
    assert.match(text, /\[… \d+ more files …\]$/);
    assert.ok(text.length < 60_000, `${text.length}`);
  });
});
