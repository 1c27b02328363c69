/**
 * Commit messages in a real repository, through VS Code's own git extension.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/contributions";
import { Answers, poll, workspaceUri } from "./editing";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  resetService,
  scriptService,
  untilService,
} from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  status(): Promise<void>;
}

const generate = (repository: Repository) =>
  Promise.resolve(vscode.commands.executeCommand(COMMANDS.generateCommitMessage, repository));

describe("generating a commit message", () => {
  const answers = new Answers();
  const root = workspaceUri("repository").fsPath;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
  let repository: Repository;

  before(async () => {
    await setUserSettings({ baseUrl: referenceUrl(), retries: 0 });
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(root));
    git("init", "-q");
    git("config", "user.email", "nobody@example.com");
    git("config", "user.name", "Nobody");
    writeFileSync(`${root}/a.txt`, "one\n");
    git("add", ".");
    git("commit", "-q", "-m", "feat: begin with one");
    const extension = vscode.extensions.getExtension<{
      getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<Repository | null> };
    }>("vscode.git");
    assert.ok(extension, "VS Code has no git extension");
    const api = (await extension.activate()).getAPI(1);
    const opened = await api.openRepository(vscode.Uri.file(root));
    assert.ok(opened, "the repository was not opened");
    repository = opened;
  });
  after(() => clearUserSettings("baseUrl", "retries"));
  beforeEach(async () => {
    await resetService();
    answers.shown.length = 0;
    answers.install();
    git("reset", "-q", "--hard");
    writeFileSync(`${root}/a.txt`, "one\ntwo\n");
    await repository.status();
    repository.inputBox.value = "";
  });
  afterEach(() => answers.restore());

  async function untilBox(text: string): Promise<void> {
    await poll(() => repository.inputBox.value === text, `${JSON.stringify(text)} in the box`);
  }

  /** VS Code tells each change of the box back, so an older one may come after a newer one. */
  async function untilKept(text: string): Promise<void> {
    let sinceMs = Date.now();
    await poll(
      () => {
        if (repository.inputBox.value !== text) {
          repository.inputBox.value = text;
          sinceMs = Date.now();
        }
        return Date.now() - sinceMs > 500;
      },
      `${JSON.stringify(text)} to stay in the box`,
    );
  }

  it("streams into the box, from all changes and in the style of the commits before", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilBox("fix: add");
    await releaseGate();
    await done;
    assert.equal(repository.inputBox.value, "fix: add two");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("+two"));
    assert.ok(asked.includes("feat: begin with one"));
  });

  it("describes what is staged, if anything is", async () => {
    writeFileSync(`${root}/staged.txt`, "staged line\n");
    git("add", "staged.txt");
    await repository.status();
    await scriptService({ text: "feat: stage it" });
    await generate(repository);
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("+staged line"));
    assert.ok(!asked.includes("+two"));
  });

  it("stops on Stop, with what arrived in the box", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilBox("fix: add");
    await vscode.commands.executeCommand(COMMANDS.stopCommitMessage);
    await done;
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    assert.equal(repository.inputBox.value, "fix: add");
  });

  it("leaves the box to the person who types in it", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilBox("fix: add");
    repository.inputBox.value = "my own words";
    await untilKept("my own words");
    await releaseGate();
    await done;
    assert.equal(repository.inputBox.value, "my own words");
  });

  it("goes by what was begun and can bring it back", async () => {
    repository.inputBox.value = "fix the";
    await scriptService({ text: "fix: the second line" });
    answers.choose("Bring Back My Text");
    await generate(repository);
    await untilBox("fix the");
    assert.ok(JSON.stringify((await receivedRequests())[0]?.body).includes("fix the"));
  });

  it("leaves the box as it was and says why when the service fails", async () => {
    repository.inputBox.value = "begun";
    await scriptService({ status: 503, body: "" });
    await generate(repository);
    assert.equal(repository.inputBox.value, "begun");
    assert.match(answers.shown[0]?.text ?? "", /^The service is failing/);
  });

  it("says so when there is nothing to describe", async () => {
    git("reset", "-q", "--hard");
    await repository.status();
    await generate(repository);
    assert.match(answers.shown[0]?.text ?? "", /^There are no changes/);
    assert.equal((await receivedRequests()).length, 0);
  });
});
