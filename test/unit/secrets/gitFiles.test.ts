/**
 * Git's own files. Git itself is the reference: the spellings of `.git` that Git refuses, the texts that
 * Git accepts as configuration, and files that may be written must not make Git run a program.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isInGitDirectory, isInGitFolder, isRunningGitConfig } from "../../../src/secrets/gitFiles";
import { sensitivityOfFile } from "../../../src/secrets/sensitivePath";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { itWithRounds } from "../../support/depth";

/** The files of the reply that made Git run a program in VS Code: a `.git` file and its directory. */
const reportedFiles = (program: string) =>
  [
    ["lib/.git", "gitdir: gd\n"],
    ["lib/gd/HEAD", "ref: refs/heads/main\n"],
    ["lib/gd/config", `[core]\n\tfsmonitor = "${program}"\n`],
    ["lib/gd/objects/x", "x\n"],
    ["lib/gd/refs/x", "x\n"],
    ["lib/index.ts", "export {};\n"],
  ] as const;

describe("Git's own files", () => {
  const seed = firstSeed();
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  let folder = "";

  function git(at: string, ...args: string[]) {
    const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
    return spawnSync("git", ["-C", at, ...args], { env, encoding: "utf8", input: "" });
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "core-chat-git-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const spellings = { quick: 60, all: 250 };
  itWithRounds(
    `refuses each spelling of .git that Git refuses (seed ${seed})`,
    spellings,
    (turns) => {
      git(folder, "init", "-q");
      const { stdout } = git(folder, "hash-object", "-w", "--stdin");
      const protect = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"];
      const isRefused = (path: string) => {
        const entry = `100644,${stdout.trim()},${path}`;
        const { stderr } = git(folder, ...protect, "update-index", "--add", "--cacheinfo", entry);
        return /Invalid path/.test(stderr);
      };
      const letters = [".", "g", "i", "t", "G", "I", "T", "~1", "\u200c", "\ufeff", "\u206f", "x"];
      const ends = ["", ".", " ", "..", ". .", ":a", "::$INDEX_ALLOCATION", ":$DATA", "~1", "\\a"];
      const known = [".git", "GIT~1", ".GiT", "git~1", ".g\u200cit", "\u200e.git", ".gitx", "git"];
      let refused = 0;
      for (let turn = 0; turn < turns; turn++) {
        const name =
          random(2) === 0 ? pick(known) : Array.from({ length: 4 }, () => pick(letters)).join("");
        const path = `${pick(["", "a/", "a/b/"])}${name}${pick(ends)}${pick(["", "/config"])}`;
        // Git refuses `.` and `..` as well; those never reach a file of the workspace.
        if (path.split(/[/\\]/).some((one) => /^\.{0,2}$/.test(one)) || !isRefused(path)) continue;
        refused++;
        assert.ok(isInGitFolder(path), JSON.stringify(path));
      }
      assert.ok(refused > turns / 12, "Git refused too few spellings to show anything");
    },
  );

  it("does not take other names for .git", () => {
    for (const path of [
      ".github/a",
      ".gitignore",
      "digit",
      "git",
      "a.git",
      "src/git.ts",
      ".gitx/a",
    ]) {
      assert.equal(isInGitFolder(path), false, path);
    }
  });

  it("takes a folder with HEAD, objects and refs for a Git directory, whoever wrote them", async () => {
    const has = (files: readonly string[]) => (one: string) => Promise.resolve(files.includes(one));
    const isIn = (path: string, ...files: string[]) =>
      isInGitDirectory(path, has(files), has(files));
    assert.equal(await isIn("lib/gd/config", "lib/gd/HEAD", "lib/gd/objects", "lib/gd/refs"), true);
    assert.equal(await isIn("lib/gd/a/b/c", "lib/gd/HEAD", "lib/gd/objects", "lib/gd/refs"), true);
    assert.equal(await isIn("w/config", "w/HEAD", "w/commondir"), true);
    assert.equal(await isIn("config", "HEAD", "objects", "refs"), true);
    assert.equal(await isIn("/config", "/HEAD", "/objects", "/refs"), true);
    assert.equal(await isIn("lib/gd/config", "lib/gd/objects", "lib/gd/refs"), false);
    // The work tree of a bare repository is in its folder.
    assert.equal(await isIn("p/main/a.ts", "p/HEAD", "p/objects", "p/refs", "p/main/.git"), false);
    assert.equal(await isIn("p/config", "p/HEAD", "p/objects", "p/refs", "p/.git"), true);
    assert.equal(
      await isIn("lib/other/config", "lib/gd/HEAD", "lib/gd/objects", "lib/gd/refs"),
      false,
    );
  });

  const textCounts = { quick: 60, all: 300 };
  itWithRounds(`accepts the configuration that Git accepts (seed ${seed})`, textCounts, (turns) => {
    const parts = [
      "[user]",
      "[a.b]",
      '[a "b"]',
      '[a "b\\"c"]',
      '[a  "b" ]',
      "[a b]",
      "[]",
      "[ a]",
      "[user",
      "name",
      "name = x",
      "name=",
      " = x",
      "1a = b",
      "a-b = c # d",
      "a_b = c",
      'x = "y',
      'x = "y" z',
      "x = \\",
      "x = a\\",
      'x = \\n\\t\\b\\\\\\"',
      "x = \\q",
      "# c",
      "; c",
      "text of a page",
      "\t",
      "\r",
      "\n",
      "\n",
      "\n",
      "\n",
      " ",
      "x = 1",
      "\u00e9 = 1",
      "x = \u00e9",
      "- a",
      "{",
      "x =\ty\r\n",
    ];
    const file = join(folder, "config");
    let accepted = 0;
    for (let turn = 0; turn < turns; turn++) {
      const length = 1 + random(5);
      const text = `[core]\n${Array.from({ length }, () => pick(parts)).join(pick(["", "\n"]))}`;
      writeFileSync(file, text);
      const isAccepted = git(folder, "config", "-f", file, "--list").status === 0;
      if (isAccepted) accepted++;
      assert.equal(isRunningGitConfig(text), isAccepted, JSON.stringify(text));
    }
    assert.ok(
      accepted > turns / 15 && accepted < turns * 0.93,
      "the texts do not tell the two apart",
    );
  });

  it("finds a Git directory that a reply writes on a drive of Windows, in another case", async () => {
    const root = "/c:/code/shop/lib/GD";
    const together = ["head", "objects/x", "Refs/x"].map((name) => `${root}/${name}`);
    const file = { path: "/c:/code/shop/lib/gd/config", text: "", together };
    const found = await sensitivityOfFile({ ...file, exists: () => Promise.resolve(false) });
    assert.equal(found?.why, "git");
  });

  it("asks about configuration that may name a program, not about other settings", () => {
    for (const text of [
      "[core]\n\tfsmonitor = x\n",
      '\ufeff# x\r\n[FILTER "a"]\r\nclean = x',
      "[user]name=a\n[alias]a=!b",
      "[include]\npath=a",
      '[hook "a"] command = x',
    ]) {
      assert.equal(isRunningGitConfig(text), true, text);
    }
    for (const text of [
      "",
      "[user]\nname = a\n",
      "[server]\nport = 80\n",
      "# Core\n\n[core] is a section\n",
    ]) {
      assert.equal(isRunningGitConfig(text), false, text);
    }
    assert.equal(isRunningGitConfig(`[a ${" ".repeat(100_000)}"b"]\n`.repeat(20)), false);
  });

  const sets = { quick: 8, all: 60 };
  itWithRounds(`lets no reply make Git run a program (seed ${seed})`, sets, async (turns) => {
    const canary = join(folder, "ran");
    const program = `touch ${canary}`;
    const exists = (path: string) => Promise.resolve(existsSync(path));
    const configs = [
      `[core]\n\tfsmonitor = "${program}; false"\n`,
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${program}"\n`,
      `[CORE]fsmonitor="${program}"\n[core]bare=false\n`,
      `[diff]\n\texternal = "${program}"\n[core]\n\tpager = "${program}"\n`,
      `[filter "x"]\n\tclean = "${program}"\n\trequired = true\n`,
      "[include]\n\tpath = ../more\n",
      "[user]\n\tname = a\n",
    ];
    const texts: Readonly<Record<string, readonly string[]>> = {
      ".git": ["gitdir: gd\n", "gitdir: ../gd\n", "gitdir: ./\n", "gitdir: ../lib/gd\n"],
      HEAD: ["ref: refs/heads/main\n", `${"0".repeat(40)}\n`],
      config: configs,
      more: configs,
      ".gitattributes": ["* filter=x diff=x\n"],
      commondir: [".\n", "../gd\n"],
      "objects/x": ["x\n"],
      "refs/x": ["x\n"],
      "hooks/post-index-change": [`#!/bin/sh\n${program}\n`],
      "a.txt": ["a\n"],
    };
    const folders = ["", "lib/", "lib/gd/", "gd/", ".git/", "lib/.git/", ".GIT/"];
    let ranUnfiltered = 0;
    for (let turn = 0; turn < turns; turn++) {
      // Most sets complete one folder, as a reply would that tries; some files are missing or elsewhere.
      const home = pick(folders);
      const names = Object.keys(texts).filter(() => random(8) > 0);
      const drawn = names.map((name) => {
        const at = name === ".git" ? pick(["", "lib/"]) : random(10) === 0 ? pick(folders) : home;
        return [`${at}${name}`, pick(texts[name] ?? [])] as const;
      });
      const files = turn === 0 ? reportedFiles(program) : drawn;
      for (const isFiltered of [false, true]) {
        const workspace = join(folder, `${turn}-${isFiltered}`);
        mkdirSync(join(workspace, "lib/gd"), { recursive: true });
        if (turn % 3 === 0) git(workspace, "init", "-q");
        const together = files.map(([path]) => join(workspace, path));
        for (const [path, text] of files) {
          const at = join(workspace, path);
          const file = { path: at, inWorkspace: path, text, together, exists };
          if (isFiltered && (await sensitivityOfFile(file)) !== undefined) continue;
          try {
            write(at, text);
          } catch {
            // The set has a file and a folder of the same name.
          }
        }
        for (const at of ["", "lib", "lib/gd", "gd"].map((one) => join(workspace, one))) {
          if (!existsSync(at)) continue;
          git(at, "status");
          git(at, "diff");
        }
        if (!existsSync(canary)) continue;
        rmSync(canary);
        assert.equal(isFiltered, false, JSON.stringify(files));
        ranUnfiltered++;
      }
    }
    assert.ok(ranUnfiltered > 0, "no set made Git run a program without the rule");
  });
});
