/** Lists in the syntax of .gitignore, compared with git itself. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ignoreListAnywhere, ignoreListOf } from "../../../src/context/ignoreList";

const PATHS = [
  "a.pem",
  "keys/a.pem",
  "private/x.txt",
  "src/private/x.txt",
  "src/a.ts",
  "src/a.test.ts",
  "docs/a/b/c.md",
  "docs/c.md",
  "build/keep.txt",
  "build/out/a.js",
  "#note",
  "!odd",
  "a b.txt",
  "b[1].txt",
  "{x}.txt",
  "log/1.log",
  "log/2.log",
];

const LISTS = [
  ["*.pem"],
  ["private/"],
  ["/private/"],
  ["private"],
  ["src/private"],
  ["src/**/x.txt"],
  ["**/x.txt"],
  ["docs/**"],
  ["docs/*"],
  ["docs/**/c.md"],
  ["build/*", "!build/keep.txt"],
  ["build/", "!build/keep.txt"],
  ["*", "!*.ts"],
  ["*.ts", "!*.test.ts"],
  ["\\#note", "\\!odd"],
  ["# a comment", "", "a\\ b.txt"],
  ["a b.txt   "],
  ["b\\[1\\].txt"],
  ["b[[]1].txt"],
  ["{x}.txt"],
  ["[0-9].log"],
  ["?.log"],
  ["log/[!1].log"],
  ["/*"],
  ["x.txt/"],
];

describe("ignoreListOf", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "core-chat-ignore-"));
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    for (const path of PATHS) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
    }
  });
  after(() => rmSync(root, { recursive: true }));

  for (const lines of LISTS)
    it(`agrees with git about ${JSON.stringify(lines)}`, () => {
      writeFileSync(join(root, ".gitignore"), lines.join("\n"));
      const options = { cwd: root, input: PATHS.join("\0") };
      const { stdout } = spawnSync("git", ["check-ignore", "--stdin", "-z", "--no-index"], options);
      const expected = stdout.toString().split("\0").filter(Boolean);
      assert.deepEqual(PATHS.filter(ignoreListOf(lines)), expected);
    });

  it("applies each line of a list of thousands of lines", () => {
    const others = Array.from({ length: 9_000 }, (_, line) => `*.kind${line}`);
    const list = ignoreListOf([...others, "/secret.txt", "!*.kind7"]);
    const paths = ["secret.txt", "src/secret.txt", "src/a.kind7", "src/a.kind8", "src/a.kind"];
    assert.deepEqual(paths.filter(list), ["secret.txt", "src/a.kind8"]);
  });
});

describe("ignoreListAnywhere", () => {
  const isListed = (line: string | readonly string[], path: string) =>
    ignoreListAnywhere(typeof line === "string" ? [line] : line)?.(path);

  for (const line of ["/contracts/", "contracts/", "/contracts", "contracts", "/contracts/**"])
    for (const parent of ["", "home/", "home/user/project/", "c:/users/me/", "a/contracts-old/"])
      it(`holds ${line} below /${parent}`, () => {
        assert.equal(isListed(line, `${parent}contracts/2026/acme.md`), true);
        assert.equal(isListed(line, `${parent}Contracts/acme.md`), true);
        assert.equal(isListed(line, `${parent}contracts-new/acme.md`), false);
      });

  it("holds a line with folders wherever these folders are", () => {
    assert.equal(isListed("/legal/contracts/*.md", "home/me/legal/contracts/acme.md"), true);
    assert.equal(isListed("legal/contracts", "home/me/legal/contracts/deep/acme.md"), true);
    assert.equal(isListed("/legal/contracts", "home/me/contracts/acme.md"), false);
    assert.equal(isListed("/legal/contracts", "home/me/illegal/contracts/acme.md"), false);
  });

  it("lets a later line include what an earlier one names, but nothing in such a folder", () => {
    const lines = ["*.pem", "!/public/site.pem", "/contracts/", "!/contracts/public.md"];
    assert.equal(isListed(lines, "home/me/public/site.pem"), false);
    assert.equal(isListed(lines, "home/me/private/site.pem"), true);
    assert.equal(isListed(lines, "home/me/contracts/public.md"), true);
  });
});
