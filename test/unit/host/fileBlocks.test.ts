/** The files that a reply names for its code blocks, in the notations of models. */
import assert from "node:assert/strict";
import { fileBlocks } from "../../../src/host/replyActions/fileBlocks";

function files(markdown: string): Record<string, string[]> {
  return Object.fromEntries(
    fileBlocks(markdown).map(({ path, code }) => [path, code.map(({ kind }) => kind)]),
  );
}

function block(info: string, ...lines: string[]): string {
  return ["```" + info, ...lines, "```", ""].join("\n");
}

describe("files that blocks of a reply name", () => {
  it("are named in the info string, a comment, or the line before", () => {
    const reply = [
      block('ts title="src/a.ts"', "one();"),
      block("ts:src/b.ts", "two();"),
      block("py", "# src/c.py", "three()"),
      "Change `src/d.css`:\n",
      block("css", "a { color: red }"),
      "**src/e.html**\n",
      block("html", "<!-- src/f.html -->", "<p>"),
    ].join("\n");
    assert.deepEqual(files(reply), {
      "src/a.ts": ["lines"],
      "src/b.ts": ["lines"],
      "src/c.py": ["lines"],
      "src/d.css": ["lines"],
      "src/f.html": ["lines"],
    });
  });

  it("are named in the headers of diffs, several in one block", () => {
    const diff = block(
      "diff",
      "diff --git a/src/a.ts b/src/a.ts",
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -1 +1 @@",
      "-one",
      "+two",
      "--- /dev/null",
      "+++ b/src/new.ts",
      "@@ -0,0 +1 @@",
      "+fresh",
    );
    // Git's headers are the same for each file; a file without one belongs to the file before.
    assert.deepEqual(Object.keys(files(diff)), ["src/a.ts"]);
    const plain = block(
      "diff",
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -1 +1 @@",
      "-one",
      "+two",
      "--- /dev/null",
      "+++ b/src/new.ts",
      "@@ -0,0 +1 @@",
      "+fresh",
    );
    assert.deepEqual(files(plain), { "src/a.ts": ["patch"], "src/new.ts": ["patch"] });
    const patch = block(
      "",
      "*** Begin Patch",
      "*** Update File: src/a.ts",
      "@@",
      "-one",
      "+two",
      "*** Add File: src/b.ts",
      "+fresh",
      "*** End Patch",
    );
    assert.deepEqual(files(patch), { "src/a.ts": ["patch"], "src/b.ts": ["patch"] });
  });

  it("are listed once, with all their code in order", () => {
    const reply = `${block("ts src/a.ts", "one();")}\n${block("ts src/a.ts", "two();")}`;
    assert.deepEqual(files(reply), { "src/a.ts": ["lines", "lines"] });
  });

  it("are not those of commands, of prose and outside the workspace", () => {
    const reply = [
      "Run the tests of `src/a.test.ts`:\n",
      block("bash", "npm test"),
      "No name here.\n",
      block("ts", "const a = 1;"),
      block("ts ../../etc/passwd.ts", "evil();"),
      block("ts /etc/cron.d/evil.ts", "evil();"),
    ].join("\n");
    assert.deepEqual(files(reply), {});
  });
});
