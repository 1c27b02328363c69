/** Tests generating commit messages in a real repository with VS Code's own git extension. */
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

  let second: Repository | undefined;
  const makeSecond = async () => (second ??= await Repository.make("repository-two"));

  // Later tests must not find the changes of this group.
  after(() => repository.restore({}));

  async function untilBox(text: string): Promise<void> {
    await poll(() => repository.open.inputBox.value === text, `${JSON.stringify(text)} in the box`);
  }

  /**
   * Sets the input box until the text stays: VS Code echoes each change, so an older change may
   * arrive after a newer one.
   */
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

  it("is written into the input box as a whole, from all changes and in the style of earlier commits", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilService(({ waitingAtGate }) => waitingAtGate === 1);
    assert.equal(repository.open.inputBox.value, "");
    await releaseGate();
    await done;
    assert.equal(repository.open.inputBox.value, "fix: add two");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("+two"));
    assert.ok(asked.includes("feat: begin with one"));
  });

  it("shows in the status bar that the model thinks, and writes nothing of it", async () => {
    const shown: string[] = [];
    const original = vscode.window.withProgress;
    Reflect.set(
      vscode.window,
      "withProgress",
      (options: vscode.ProgressOptions, task: Parameters<typeof original>[1]) => {
        if (options.location === vscode.ProgressLocation.Window) shown.push(options.title ?? "");
        return original.call(vscode.window, options, task);
      },
    );
    try {
      const thought = (reasoning: string) => ({ delta: { reasoning } });
      const blocks = [thought("Two "), thought("and two."), "no\n</think>\n\nfix: add two\n"];
      await scriptService({ blocks });
      await generate(repository);
    } finally {
      Reflect.set(vscode.window, "withProgress", original);
    }
    assert.deepEqual(shown, ["Commit message: Thinking…"]);
    assert.equal(repository.open.inputBox.value, "fix: add two");
  });

  it("is the message of a commit that is amended", async () => {
    const amended = await Repository.make("repository-amended");
    await amended.restore({ "a.txt": "one\ntwo\n" }, ["a.txt"]);
    const count = amended.countCommits();
    await scriptService({ text: "feat: begin with one and two" });
    await generate(amended);
    await run("git.commitStagedAmend", amended.open);
    await poll(
      () => amended.lastMessage() === "feat: begin with one and two",
      "the commit to have the message",
    );
    assert.equal(amended.countCommits(), count);
    await poll(() => amended.open.inputBox.value === "", "the box to be empty");
  });

  it("belongs to the repository of the button or the chosen one, with several", async () => {
    const other = await makeSecond();
    await other.restore({ "a.txt": "one\nother\n" });
    await scriptService({ text: "fix: add other" }, { text: "fix: add two" });
    await generate(other);
    assert.equal(other.open.inputBox.value, "fix: add other");
    assert.equal(repository.open.inputBox.value, "");
    answers.pick("repository");
    await run(COMMANDS.generateCommitMessage);
    assert.equal(repository.open.inputBox.value, "fix: add two");
    assert.equal(other.open.inputBox.value, "fix: add other");
    const [one, two] = (await receivedRequests()).map(({ body }) => JSON.stringify(body));
    assert.ok(one?.includes("+other") === true && !one.includes("+two"));
    assert.ok(two?.includes("+two") === true && !two.includes("+other"));
    await other.restore({});
  });

  it("stops with Stop and writes the text that arrived into the input box", async () => {
    await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
    const done = generate(repository);
    await untilService(({ waitingAtGate }) => waitingAtGate === 1);
    await run(COMMANDS.stopCommitMessage);
    await done;
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    assert.equal(repository.open.inputBox.value, "fix: add");
  });

  it("does not replace what the user typed meanwhile, unless the user wants that", async () => {
    for (const isReplaced of [false, true]) {
      await untilKept("");
      await scriptService({ blocks: ["fix: add", { gate: true }, " two\n"] });
      if (isReplaced) answers.choose("Replace");
      const done = generate(repository);
      await untilService(({ waitingAtGate }) => waitingAtGate === 1);
      await untilKept("my own words");
      await releaseGate();
      await done;
      await untilBox(isReplaced ? "fix: add two" : "my own words");
      assert.match(answers.shown[0]?.text ?? "", /^You edited the commit message/);
    }
  });

  it("includes the text typed before and can restore it", async () => {
    repository.open.inputBox.value = "fix the";
    await scriptService({ text: "fix: the second line" });
    answers.choose("Restore Draft");
    await generate(repository);
    await untilBox("fix the");
    assert.ok(JSON.stringify((await receivedRequests())[0]?.body).includes("fix the"));
  });

  it("leaves the input box unchanged and reports the failure of the service", async () => {
    repository.open.inputBox.value = "begun";
    await scriptService({ status: 503, body: "" });
    await generate(repository);
    assert.equal(repository.open.inputBox.value, "begun");
    assert.match(answers.shown[0]?.text ?? "", /^The service reported an error/);
  });

  it("asks before hidden characters are written into the input box, and removes them", async () => {
    const reply = { text: "fix: add\u202e two\u200b" };
    await untilKept("");
    await scriptService(reply, reply);
    await generate(repository);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Remove and Use", "Use As Is"]);
    await untilBox("");
    answers.choose("Remove and Use");
    await generate(repository);
    await untilBox("fix: add two");
  });

  it("reports that there is nothing to describe", async () => {
    await repository.restore({});
    await generate(repository);
    assert.match(answers.shown[0]?.text ?? "", /^There are no changes/);
    assert.equal((await receivedRequests()).length, 0);
  });
});
