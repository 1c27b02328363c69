/** What runs or obeys a file, by its path: names from the documentation of the programs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { sensitivityOf } from "../../../src/secrets/sensitivePath";

function linesOf(fixture: string): string[] {
  const text = readFileSync(`test/fixtures/writing/${fixture}.txt`, "utf8");
  return text.split("\n").filter((line) => line !== "" && !/^(?:#|https:)/.test(line));
}

function namesIn(fixture: string): string[] {
  return linesOf(fixture).flatMap((line) => line.split(" "));
}

/** Spellings of a path that name the same file on Windows or macOS. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replaceAll("/", "\\"),
  (path) => `${path}.`,
  (path) => `${path} . `,
  (path) => `${path}::$DATA`,
  (path) => path.replace(/^./, "$&\u200d"),
  (path) => `some/folder/${path}`,
  (path) => `c:\\work\\${path}`,
];

describe("files that run without being asked to", () => {
  it("asks about each file that a program runs or obeys by itself", () => {
    const unasked = namesIn("filesThatRun").filter((name) => !sensitivityOf(name));
    assert.deepEqual(unasked, []);
  });

  it("asks about such a file in each spelling of its path", () => {
    const unasked = namesIn("filesThatRun").flatMap((name) =>
      SPELLINGS.map((spell) => spell(name)).filter((path) => !sensitivityOf(path)),
    );
    assert.deepEqual(unasked, []);
  });

  it("does not ask about ordinary code, text and data", () => {
    const asked = namesIn("ordinaryFiles").filter((name) => sensitivityOf(name));
    assert.deepEqual(asked, []);
  });

  for (const [why, paths] of [
    ["runs-by-itself", ".bashrc .vscode/tasks.json CMakeLists.txt .claude/hooks/a.sh .unknown/a"],
    ["instructs-assistants", "AGENTS.md CLAUDE.md .cursor/rules/a.mdc docs/a.instructions.md"],
    ["guards-access", ".ssh/authorized_keys .env .env.local server.key /etc/sudoers"],
    ["git", ".git lib/.git .git/hooks/pre-commit a/.GIT/config git~1/config"],
  ] as const) {
    it(`gives the reason ${why}`, () => {
      for (const path of paths.split(" ")) assert.equal(sensitivityOf(path)?.why, why, path);
    });
  }

  it("asks about a short name of Windows, which can open any file, but not above the workspace", () => {
    for (const path of ["PACKAG~1.JSO", "VSCODE~1/tasks.json", "a\\CMAKEL~12.TXT:x", "jakefile"])
      assert.equal(sensitivityOf(path)?.why, "runs-by-itself", path);
    assert.equal(sensitivityOf("/c:/Users/RUNNER~1/src/cart.ts", "src/cart.ts"), undefined);
    assert.equal(sensitivityOf("src/a~b.ts") ?? sensitivityOf("notes.txt~"), undefined);
  });

  it("does not take the folders above the workspace for hidden folders of a tool", () => {
    const path = "/home/a/.worktrees/shop/src/cart.ts";
    assert.equal(sensitivityOf(path, "src/cart.ts"), undefined);
    assert.equal(
      sensitivityOf("/home/a/.worktrees/shop/.tool/a.js", ".tool/a.js")?.why,
      "runs-by-itself",
    );
  });

  it("asks about a Makefile of the workspace folder only, which Makefile Tools runs on opening", () => {
    for (const path of ["/a/Makefile", "C:\\a\\GNUmakefile", "/a/makefile."]) {
      const inWorkspace = path.replace(/^.*a(?=[/\\])/, "");
      assert.equal(sensitivityOf(path, inWorkspace)?.reader, "Makefile Tools", path);
    }
    assert.equal(sensitivityOf("/a/docs/Makefile", "/docs/Makefile"), undefined);
  });

  it("asks about a key, and not about a certificate", () => {
    const asks = (path: string, ...labels: string[]) => {
      const text = labels.map((label) => `-----BEGIN ${label}-----\nMII=\n`).join("");
      return sensitivityOf(path, path, text) !== undefined;
    };
    assert.ok(!asks("tls/server.pem", "CERTIFICATE", "CERTIFICATE"));
    assert.ok(!asks("tls/server.pem", "PUBLIC KEY"));
    assert.ok(asks("tls/server.pem", "CERTIFICATE", "PRIVATE KEY"));
    assert.ok(asks("tls/server.pem", "OPENSSH PRIVATE KEY"));
    assert.ok(asks("tls/server.pem"), "a text that is not known");
    assert.ok(asks("tls/server.key", "CERTIFICATE"), "another kind of file");
    assert.ok(asks(".ssh/server.pem", "CERTIFICATE"), "a folder of SSH");
    assert.ok(asks(".tool/server.pem", "CERTIFICATE"), "a hidden folder");
  });

  it("asks about a path that is too long to check", () => {
    assert.equal(sensitivityOf(`${"a/".repeat(600)}a.ts`)?.why, "runs-by-itself");
    assert.equal(sensitivityOf(`${"a/".repeat(400)}a.ts`), undefined);
  });

  it("gives the reason of the first row, whichever part of the path it names", () => {
    assert.equal(sensitivityOf(".cursor/rules/package.json")?.why, "instructs-assistants");
    assert.equal(sensitivityOf(".vscode/AGENTS.md")?.why, "instructs-assistants");
    assert.equal(sensitivityOf("kernels/a/kernel.json")?.reader, "Jupyter");
    assert.equal(sensitivityOf("kernels/a/b/kernel.json"), undefined);
  });

  it("names the program that reads the file", () => {
    assert.equal(sensitivityOf("CMakeLists.txt")?.reader, "CMake Tools");
    assert.equal(sensitivityOf("CLAUDE.md")?.reader, "Claude Code");
  });
});

/** Files that ask, of all files of a public repository. */
const ASKING: Readonly<Record<string, string>> = {
  express:
    ".eslintrc.yml .github/workflows/ci.yml .github/workflows/codeql.yml .github/workflows/legacy.yml .github/workflows/scorecard.yml .npmrc package.json",
  gin: ".github/workflows/codeql.yml .github/workflows/gin.yml .github/workflows/goreleaser.yml .github/workflows/trivy-scan.yml .golangci.yml Makefile testdata/certificate/key.pem",
  requests:
    ".coveragerc .github/workflows/close-issues.yml .github/workflows/codeql-analysis.yml .github/workflows/lint.yml .github/workflows/lock-issues.yml .github/workflows/publish.yml .github/workflows/run-tests.yml .github/workflows/typecheck.yml .github/workflows/zizmor.yml .pre-commit-config.yaml .readthedocs.yaml Makefile docs/conf.py pyproject.toml setup.py tests/certs/expired/ca/ca-private.key tests/certs/expired/server/server.key tests/certs/mtls/client/client.key tests/certs/valid/server/server.key tests/conftest.py tox.ini",
};

/** Workflows and other files that a server runs when they are pushed. */
const RUNS_ON_PUSH = /^\.github\/workflows\/|^\.readthedocs\.yaml$/;

describe("questions in public repositories", () => {
  const asking = new Map(
    Object.keys(ASKING).map((name) => {
      const files = linesOf(`repository-${name}`).map((line) => {
        const [, path = line, text = ""] = /^(.*?) (-----.*)$/.exec(line) ?? [];
        return { path, asks: sensitivityOf(path, path, text) !== undefined };
      });
      return [name, files];
    }),
  );

  for (const [name, files] of asking) {
    it(`asks in ${name} about workflows, keys, builds and configuration, and about nothing else`, () => {
      const asked = files.filter(({ asks }) => asks).map(({ path }) => path);
      assert.deepEqual(asked, ASKING[name]?.split(" "));
    });
  }

  it("asks about at most 4 % of the files, apart from those that run on a push", () => {
    const files = [...asking.values()].flat().filter(({ path }) => !RUNS_ON_PUSH.test(path));
    const asked = files.filter(({ asks }) => asks);
    assert.ok(asked.length <= 0.04 * files.length, `${asked.length} of ${files.length}`);
  });
});
