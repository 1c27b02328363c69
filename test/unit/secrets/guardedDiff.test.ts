/** Diffs without secrets: only the names of sensitive files are included. */
import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/clock";
import { TimeSlice } from "../../../src/base/timeSlice";
import { guardedDiff, type DiffContext } from "../../../src/secrets/guardedDiff";

const CANARY = "canary-in-a-diff";
/**
 * Looks like a line of a private key; built at run time so that secret scanners ignore this file.
 */
const KEY_LINE = "b3BlbnNzaC1rZXkt".repeat(4);
const KEY_END = ["-----END RSA PRIV", "ATE KEY-----"].join("");
const ORDINARY =
  "diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+two\n";

function section(head: string, line = `+${CANARY}`): string {
  return `${head}\n@@ -0,0 +1 @@\n${line}\n`;
}

const SECRET: readonly (readonly [string, string])[] = [
  [
    "a new file",
    section("diff --git a/.env b/.env\nnew file mode 100644\n--- /dev/null\n+++ b/.env"),
  ],
  ["no prefixes", section("diff --git .env .env\n--- .env\n+++ .env")],
  ["other prefixes", section("diff --git i/x/id_rsa w/x/id_rsa\n--- i/x/id_rsa\n+++ w/x/id_rsa")],
  [
    "a name with blanks",
    section("diff --git a/my prod.env b/my prod.env\n--- a/my prod.env\t\n+++ b/my prod.env\t"),
  ],
  [
    "a name in quotes",
    section(
      'diff --git "a/\\303\\274.env" "b/\\303\\274.env"\n--- "a/\\303\\274.env"\n+++ "b/\\303\\274.env"',
    ),
  ],
  [
    "a renamed file",
    section(
      "diff --git a/.env b/notes.txt\nrename from .env\nrename to notes.txt\n--- a/.env\n+++ b/notes.txt",
    ),
  ],
  ["a merge", section("diff --cc .env\nindex 1,2..3\n--- a/.env\n+++ b/.env")],
  [
    "colors",
    `\u001b[1mdiff --git a/.env b/.env\u001b[m\n\u001b[1m--- a/.env\u001b[m\n\u001b[36m@@ -1 +1 @@\u001b[m\n+${CANARY}\n`,
  ],
  ["a link", section("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l")],
  [
    "a secret in an ordinary file",
    section("diff --git a/c.ini b/c.ini\n--- a/c.ini\n+++ b/c.ini", `-DB_PASSWORD=${CANARY}`),
  ],
  [
    "lines from the middle of a key",
    section(
      "diff --git a/k.txt b/k.txt\n--- a/k.txt\n+++ b/k.txt",
      ` ${KEY_LINE}\n+${KEY_LINE}\n+${CANARY}`,
    ),
  ],
  [
    "the end of a key",
    section("diff --git a/k.ts b/k.ts\n--- a/k.ts\n+++ b/k.ts", `+"${CANARY}",\n "${KEY_END}"`),
  ],
  ["a binary patch", `diff --git a/k.p12 b/k.p12\nGIT binary patch\nliteral 9\n${CANARY}\n`],
];

function guarded(diff: string, files: readonly (readonly string[])[], context?: DiffContext) {
  const slice = new TimeSlice(systemClock, new AbortController().signal);
  return guardedDiff(diff, files, slice, context);
}

describe("guardedDiff", () => {
  for (const [name, diff] of SECRET) {
    it(`contains only the name of the file: ${name}`, async () => {
      const { text, leftOut } = await guarded(ORDINARY + diff + ORDINARY, []);
      assert.ok(!text.includes(CANARY), text);
      assert.equal(leftOut.length, 1);
      assert.ok(text.startsWith(ORDINARY) && text.endsWith(ORDINARY), text);
    });
  }

  it("returns an ordinary diff unchanged", async () => {
    const secretLines = new Set();
    const files = [["src/a.ts"]];
    assert.deepEqual(await guarded(ORDINARY, files), { text: ORDINARY, leftOut: [], secretLines });
    assert.deepEqual(await guarded("", []), { text: "", leftOut: [], secretLines });
  });

  it("drops the output of another program if a changed file may contain secrets", async () => {
    const foreign = `.env --- Text\n1 ${CANARY}\n`;
    const { text, leftOut } = await guarded(foreign, [[".env"], ["a.ts"]]);
    assert.deepEqual([text, leftOut], ["", [".env"]]);
    assert.equal((await guarded("a.ts --- TypeScript\n1 two\n", [["a.ts"]])).leftOut.length, 0);
  });

  const head = "diff --git a/notes.txt b/notes.txt\n";
  const renamed = section(`${head}new file mode 100644\n--- /dev/null\n+++ b/notes.txt`);

  it("excludes a file that had a secret name, even if the diff shows no rename", async () => {
    const { text, leftOut } = await guarded(ORDINARY + renamed, [["notes.txt", "prod.tfvars"]]);
    assert.ok(!text.includes(CANARY), text);
    assert.deepEqual(leftOut, ["notes.txt"]);
  });

  it("excludes a new file with the lines of a secret file, in any order", async () => {
    const gone = "diff --git a/prod.tfvars b/prod.tfvars\ndeleted file mode 100644\n";
    const deleted = section(`${gone}--- a/prod.tfvars\n+++ /dev/null`, `-${CANARY}`);
    for (const diff of [deleted + renamed, renamed + deleted]) {
      const { text, leftOut } = await guarded(diff, []);
      assert.ok(!text.includes(CANARY), text);
      assert.equal(leftOut.length, 2);
    }
    assert.ok((await guarded(deleted + ORDINARY, [])).text.endsWith(ORDINARY));
  });

  it("excludes files of a repository in a secret folder", async () => {
    const plain = section("diff --git a/config b/config\n--- a/config\n+++ b/config");
    assert.ok((await guarded(plain, [])).text.includes(CANARY));
    assert.ok(!(await guarded(plain, [], { root: "/home/me/.kube" })).text.includes(CANARY));
  });

  it("excludes lines of a secret that begins above the hunk", async () => {
    const manifest = [
      "kind: Secret",
      "metadata:",
      "  name: a",
      "data:",
      "  a: b",
      `  c: ${CANARY}`,
    ];
    const hunk = `diff --git a/m.yml b/m.yml\n--- a/m.yml\n+++ b/m.yml\n@@ -6 +6 @@\n-  c: d\n+  c: ${CANARY}\n`;
    assert.ok((await guarded(hunk, [])).text.includes(CANARY));
    const texts = new Map([["m.yml", manifest.join("\n")]]);
    assert.ok(!(await guarded(hunk, [], { texts })).text.includes(CANARY));
    const other = new Map([["m.yml", `password: tr0ub4dor\n${"a: b\n".repeat(9)}`]]);
    assert.ok((await guarded(hunk, [], { texts: other })).text.includes(CANARY));
  });

  const yaml = "diff --git a/m.yml b/m.yml\n--- a/m.yml\n+++ b/m.yml\n";
  const FORMATS: readonly (readonly [string, string])[] = [
    ["words of two versions in a line", "@@ -1 +1 @@\npass [-one-]{+canary+} two\n"],
    ["an indented line of both versions", "@@ -1,2 +1,2 @@\n  a: [-one-]{+canary+}\n  b: c\n"],
    ["words in lines of their own", "@@ -1 +1 @@\n a: \n-one\n+canary\n~\n"],
    ["colors only", "@@ -1 +1 @@\na: \u001b[31mone\u001b[m\u001b[32mcanary\u001b[m\n"],
    ["fewer lines than counted", "@@ -1,3 +1,3 @@\n-one\n+canary\n"],
    ["more lines than counted", "@@ -1 +1 @@\n-one\n+two\n+canary\n"],
  ];
  for (const [name, hunk] of FORMATS) {
    it(`leaves out changes in another format than git's own: ${name}`, async () => {
      const { text, leftOut } = await guarded(ORDINARY + yaml + hunk + ORDINARY, []);
      assert.ok(!text.includes("canary"), text);
      assert.deepEqual(leftOut, ["m.yml"]);
      assert.ok(text.startsWith(ORDINARY) && text.endsWith(ORDINARY), text);
    });
  }

  const PLAIN: readonly (readonly [string, string])[] = [
    ["two hunks", "@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9 @@ f() {\n-a\n b\n"],
    ["no line at the end", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"],
    ["an empty line without a blank", "@@ -1,2 +1,3 @@\n a\n\n+b\n"],
    ["a merge", "@@@ -1,2 -1,3 +1,3 @@@\n  a\n++b\n- c\n -d\n+ e\n"],
    ["a line that looks like a head", "@@ -1 +1 @@\n-@@ -1 +1 @@\n+--- a\n"],
    ["a submodule after it", "@@ -1 +1 @@\n-a\n+b\nSubmodule lib 1234567..89abcde:\n  > one\n"],
  ];
  for (const [name, hunk] of PLAIN) {
    it(`keeps changes in git's own format: ${name}`, async () => {
      const diff = yaml + hunk + ORDINARY;
      assert.equal((await guarded(diff, [])).text, diff);
    });
  }

  it("excludes a name and its value that other lines of the diff separate", async () => {
    const apart = [
      "@@ -1,2 +1,2 @@\n passwords:\n-  # none\n+  - tr0ub4dor9\n",
      "@@ -2 +2 @@\n-password: none\n+password: >-\n@@ -5,0 +6 @@\n+  tr0ub4dor9\n",
    ];
    for (const hunk of apart) {
      assert.deepEqual((await guarded(yaml + hunk, [])).leftOut, ["m.yml"], hunk);
    }
  });
});
