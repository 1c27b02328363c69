/** Files that need a second confirmation, by path. */
import assert from "node:assert/strict";
import { sensitivityOf } from "../../../src/context/sensitivePath";

describe("sensitivityOf", () => {
  for (const path of [
    ".vscode/settings.json",
    "sub\\.vscode\\tasks.json",
    "/home/a/.bashrc",
    ".git/hooks/pre-commit",
    ".husky/pre-push",
    ".github/workflows/ci.yml",
    "Jenkinsfile",
    ".npmrc",
    "my.code-workspace",
    ".envrc",
    ".mcp.json",
    ".devcontainer.json",
    "eslint.config.mjs",
    ".prettierrc.cjs",
    "tests/conftest.py",
    ".config/nvim/init.lua",
    ".yarn/plugins/tool.cjs",
    "bitbucket-pipelines.yml",
    "lint-staged.config.js",
    "AUTORUN.INF",
    ".psqlrc",
    ".cursor/mcp.json",
    ".claude/settings.json",
    "app/package.json",
    "Makefile",
    "justfile",
    ".pre-commit-config.yaml",
    ".cargo/config.toml",
    ".bazelrc",
    "app/build.gradle.kts",
    "setup.py",
    ".vscode/mcp.json.",
    ".gitattributes",
  ]) {
    it(`classifies ${path} as code that runs automatically`, () => {
      assert.equal(sensitivityOf(path), "runs-by-itself");
    });
  }

  for (const path of [
    "/home/a/.ssh/authorized_keys",
    ".env",
    ".env.local",
    "server.key",
    "/etc/sudoers",
  ]) {
    it(`classifies ${path} as access control`, () => {
      assert.equal(sensitivityOf(path), "guards-access");
    });
  }

  for (const path of ["src/a.ts", "README.md", "settings.json", "src/env.ts", "keys/index.ts"]) {
    it(`does not classify ${path}`, () => {
      assert.equal(sensitivityOf(path), undefined);
    });
  }
});
