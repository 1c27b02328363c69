/**
 * Creates a real git repository in the tests' workspace and opens it in VS Code's own git
 * extension.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceUri } from "./editing";

/** Part of the git extension's API that the tests use. */
interface OpenRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  status(): Promise<void>;
}

/** A repository with a single commit: `a.txt` contains the line "one". */
export class Repository {
  private constructor(
    private readonly root: string,
    /** Repository object of the git extension, as passed to commands of its menus. */
    readonly open: OpenRepository,
  ) {}

  /** Creates the repository in a folder of the workspace and opens it. */
  static async make(name: string): Promise<Repository> {
    const { fsPath: root } = workspaceUri(name);
    mkdirSync(root, { recursive: true });
    run(root, "init", "-q");
    run(root, "config", "user.email", "nobody@example.com");
    run(root, "config", "user.name", "Nobody");
    writeFileSync(join(root, "a.txt"), "one\n");
    run(root, "add", ".");
    run(root, "commit", "-q", "-m", "feat: begin with one");
    const extension = vscode.extensions.getExtension<{
      getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<OpenRepository | null> };
    }>("vscode.git");
    assert.ok(extension, "VS Code has no git extension");
    const api = (await extension.activate()).getAPI(1);
    const open = await api.openRepository(vscode.Uri.file(root));
    assert.ok(open, "the repository was not opened");
    return new Repository(root, open);
  }

  /** Restores the committed files, deletes all others, then writes `files` and stages `staged`. */
  async restore(files: Readonly<Record<string, string>>, staged: string[] = []): Promise<void> {
    run(this.root, "reset", "-q", "--hard");
    run(this.root, "clean", "-q", "-f", "-d");
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.root, name), text);
    if (staged.length > 0) run(this.root, "add", ...staged);
    await this.open.status();
  }

  /** Commits these files on a new branch and checks the branch out. */
  async commit(files: Readonly<Record<string, string>>, branch: string): Promise<void> {
    run(this.root, "checkout", "-q", "-b", branch);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.root, name), text);
    run(this.root, "add", ".");
    run(this.root, "commit", "-q", "-m", `feat: begin ${branch}`);
    await this.open.status();
  }

  /** Sets a value of this repository's configuration; an empty one removes it. */
  async configure(name: string, value: string): Promise<void> {
    run(this.root, "config", ...(value === "" ? ["--unset", name] : [name, value]));
    await this.open.status();
  }

  async write(name: string, text: string): Promise<void> {
    writeFileSync(join(this.root, name), text);
    await this.open.status();
  }

  countCommits(): number {
    const cwd = this.root;
    return Number(execFileSync("git", ["rev-list", "--count", "HEAD"], { cwd }).toString());
  }

  /** Returns the message of the last commit. */
  lastMessage(): string {
    return execFileSync("git", ["log", "-1", "--format=%B"], { cwd: this.root }).toString().trim();
  }

  /** Checks out a branch with git, overwriting local changes. */
  checkOut(branch: string): void {
    run(this.root, "checkout", "-q", "-f", branch);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.open.rootUri, name);
  }
}

function run(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, stdio: "pipe" });
}
