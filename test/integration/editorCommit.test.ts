/**
 * Commit messages in a real repository, through VS Code's own git extension.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { poll } from "./editing";
import { run, suiteWithService } from "./editingSuite";
import { receivedRequests, releaseGate, scriptService, untilService } from "./reference";
import { Repository } from "./repository";

const generate = ({ open }: Repository) => run(COMMANDS.generateCommitMessage, open);

describe("generating a commit message", () => {
  const answers = suiteWithService();
  let repository: Repository;

  before(async () => {
    repository = await Repository.make("repository");
  });
  beforeEach(async () => {
    await repository.restore({ "a.txt": "one\ntwo\n" });
    repository.open.inputBox.value = "";
  });

  // Other tests' questions are not to hold what these leave behind.
  after(() => repository.restore({}));

  async function untilBox(text: string): Promise<void> {
    await poll(() => repository.open.inputBox.value === text, `${JSON.stringify(text)} in the box`);
  }

  /** VS Code tells each change of the box back, so an older one may come after a newer one. */
  async function untilKept(text: string): Promise<void> {
    let sinceMs = Date.now();
    await poll(
      () => {
        if (repository.open.inputBox.value !== text) {
          repository.open.inputBox.value = text;
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
    assert.equal(repository.open.inputBox.value, "fix: add two");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("+two"));
    assert.ok(asked.includes("feat: begin with one"));
  });

  it("writes nothing of what the model thinks first", async () => {
    await scriptService({
      blocks: ["fix: wrong\n", { gate: true }, "</think>\n\nfix: add two\n"],
    });
    const done = generate(repository);
    await untilService(({ waitingAtGate }) => waitingAtGate === 1);
    await releaseGate();
    await done;
    assert.equal(repository.open.inputBox.value, "fix: add two");
  });

  for (const delayMs of [10, 20, 40]) {
    it(`writes the whole message when a few characters come every ${delayMs} ms`, async () => {
      const message =
        "fix(money): format amounts with two decimals\n\n" +
        "Amounts were cut after the first decimal, so a total of 1.25 was shown as 1.2. They " +
        "are rounded half up now, as on the invoice, and the sum of the rows is the total.";
      const blocks = message.match(/[^]{1,4}/g) ?? [];
      await scriptService({ blocks, delayMs });
      await generate(repository);
      assert.equal(repository.open.inputBox.value, message);
      assert.deepEqual(answers.shown, []);
    });
  }

  it("describes what is staged, if anything is", async () => {
    await repository.restore({ "a.txt": "one\ntwo\n", "staged.txt": "staged line\n" }, [
      "staged.txt",
    ]);
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
    await run(COMMANDS.stopCommitMessage);
    await done;
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    assert.equal(repository.open.inputBox.value, "fix: add");
  });

  it("leaves the box to the person who types in it", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilBox("fix: add");
    repository.open.inputBox.value = "my own words";
    await untilKept("my own words");
    await releaseGate();
    await done;
    assert.equal(repository.open.inputBox.value, "my own words");
    assert.match(answers.shown[0]?.text ?? "", /^You edited the commit message/);
  });

  it("hears of each edit in the editor of the box", async () => {
    const seen: string[] = [];
    const root = `rootUri=${encodeURIComponent(repository.open.rootUri.toString())}`;
    const listening = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const { scheme, query } = document.uri;
      if (scheme === "vscode-scm" && query === root) seen.push(document.getText());
    });
    await run("workbench.view.scm");
    repository.open.inputBox.value = "typed here";
    await poll(() => seen.includes("typed here"), "the editor of the box to change");
    listening.dispose();
  });

  it("goes by what was begun and can bring it back", async () => {
    repository.open.inputBox.value = "fix the";
    await scriptService({ text: "fix: the second line" });
    answers.choose("Restore Draft");
    await generate(repository);
    await untilBox("fix the");
    assert.ok(JSON.stringify((await receivedRequests())[0]?.body).includes("fix the"));
  });

  it("leaves the box as it was and says why when the service fails", async () => {
    repository.open.inputBox.value = "begun";
    await scriptService({ status: 503, body: "" });
    await generate(repository);
    assert.equal(repository.open.inputBox.value, "begun");
    assert.match(answers.shown[0]?.text ?? "", /^The service is failing/);
  });

  it("asks before hidden characters stay in the box, and gives back what was there if not", async () => {
    await scriptService({ text: "fix: add\u202e two\u200b" });
    await generate(repository);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Remove and Use", "Use As Is"]);
    await untilBox("");
  });

  it("takes hidden characters out of the message where that is wanted", async () => {
    await untilKept("");
    await scriptService({ text: "fix: add\u202e two\u200b" });
    answers.choose("Remove and Use");
    await generate(repository);
    await untilBox("fix: add two");
  });

  it("says so when there is nothing to describe", async () => {
    await repository.restore({});
    await generate(repository);
    assert.match(answers.shown[0]?.text ?? "", /^There are no changes/);
    assert.equal((await receivedRequests()).length, 0);
  });
});
