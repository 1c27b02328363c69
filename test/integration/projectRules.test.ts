/**
 * Tests project rules and prompt files in a real workspace: which rules are sent with questions,
 * inline edits and commit messages, and which are never sent.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import type { NotePart, Part } from "../../src/conversation/message";
import { PromptFiles } from "../../src/host/context/promptFiles";
import { WorkspaceRules } from "../../src/host/context/workspaceRules";
import { COMMANDS } from "../../src/host/platform/contributions";
import { MapMemento, poll, selectLines, showFile, workspaceUri } from "./editing";
import { edit, run, suiteWithOutsideFolder, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { Repository } from "./repository";
import { clearUserSettings, setUserSettings } from "./settings";

const WRITTEN = ["AGENTS.md", "CLAUDE.md", ".github", "area", "rulesRepository/AGENTS.md"];
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

function write(path: string, text: string): vscode.Uri {
  const uri = workspaceUri(...path.split("/"));
  mkdirSync(dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
}

function remove(): void {
  for (const path of WRITTEN) {
    rmSync(workspaceUri(...path.split("/")).fsPath, { recursive: true, force: true });
  }
}

function partOf(uri: vscode.Uri): Part {
  const path = vscode.workspace.asRelativePath(uri);
  return { kind: "excerpt", path, uri: uri.toString(), languageId: "plaintext", text: "" };
}

/**
 * Repeats the request until its body matches: the extension loads changed rules a moment after the
 * files.
 */
async function untilRequest(ask: () => Promise<unknown>, pattern: RegExp): Promise<string> {
  for (let tries = 0; ; tries++) {
    await ask();
    const text = JSON.stringify((await receivedRequests()).at(-1)?.body ?? "");
    if (pattern.test(text)) return text;
    assert.ok(tries < 100, `no request with ${String(pattern)}`);
  }
}

describe("project rules", () => {
  const answers = suiteWithService({}, ["context.rules"]);
  const outsideFolder = suiteWithOutsideFolder();
  const log = { info() {}, warn() {}, error() {} };
  let rules: WorkspaceRules;

  beforeEach(() => {
    remove();
    rules = new WorkspaceRules(new MapMemento(), log);
  });
  afterEach(() => rules.dispose());
  after(remove);

  const notes = (...uris: vscode.Uri[]): Promise<NotePart | undefined> => rules.forFiles(uris);

  it("come from the root, the parent folders of a file and matching instructions", async () => {
    write("AGENTS.md", "Root rule.");
    write("area/AGENTS.md", "Area rule.");
    write("area/inner/CLAUDE.md", "Inner rule.");
    write(".github/copilot-instructions.md", "Copilot rule.");
    write(".github/instructions/py.instructions.md", '---\napplyTo: "**/*.py"\n---\nPython rule.');
    write(".github/instructions/hand.instructions.md", "By hand only.");
    const plain = await notes();
    assert.equal(plain?.source, "rules");
    assert.match(plain.text, /Copilot rule\.[^]*Root rule\./);
    assert.doesNotMatch(plain.text, /Area|Inner|Python|By hand/);
    assert.match(plain.detail ?? "", /^2 files · ~\d+ tokens$/);
    const inner = await rules.forQuestion([partOf(workspaceUri("area", "inner", "a.py"))]);
    assert.match(inner?.text ?? "", /Root rule\.[^]*Area rule\.[^]*Inner rule\.[^]*Python rule\./);
    assert.ok(!inner?.text.includes("applyTo") && !inner?.text.includes(workspaceUri().fsPath));
  });

  it("are reloaded when a file changes, and removed when it is deleted", async () => {
    const uri = write("AGENTS.md", "Old rule.");
    assert.match((await notes())?.text ?? "", /Old rule/);
    const state = () => rules.current([])?.part.text ?? "";
    writeFileSync(uri.fsPath, "New rule.");
    await poll(() => state().includes("New rule."), "the new rule");
    rmSync(uri.fsPath);
    await poll(() => state() === "", "no rule");
  });

  it("contain no hidden characters, and name the removed characters", async () => {
    write("AGENTS.md", "Use\u202e tabs\u200b.\u{e0041}");
    const note = await notes();
    assert.match(note?.text ?? "", /Use tabs\./);
    assert.match(note?.detail ?? "", /hidden characters removed/);
    for (const name of ["U+202E RIGHT-TO-LEFT OVERRIDE", "ZERO WIDTH SPACE", "TAG CHARACTER"]) {
      assert.ok(note?.tooltip?.includes(name), name);
    }
  });

  it("exclude links and files with secrets, and name them", async () => {
    const outside = join(outsideFolder(), "rules.md");
    writeFileSync(outside, "Canary.");
    symlinkSync(outside, workspaceUri("AGENTS.md").fsPath);
    write("area/AGENTS.md", `token ${TOKEN}`);
    write("CLAUDE.md", "Own rule.");
    const note = await notes(workspaceUri("area", "a.ts"));
    assert.match(note?.text ?? "", /Own rule\./);
    assert.ok(!note?.text.includes("Canary") && !note?.text.includes(TOKEN));
    assert.match(note?.tooltip ?? "", /Not included: AGENTS\.md/);
    assert.match(note?.tooltip ?? "", /Not included: area\/AGENTS\.md/);
  });

  it("are off by the setting and by the chip", async () => {
    write("AGENTS.md", "Root rule.");
    assert.ok((await notes()) !== undefined);
    rules.switch(false);
    assert.equal(rules.current([])?.isOn, false);
    assert.equal(await notes(), undefined);
    rules.switch(true);
    await setUserSettings({ "context.rules": false });
    assert.equal(await notes(), undefined);
    assert.equal(rules.current([]), undefined);
    await clearUserSettings("context.rules");
    assert.ok((await notes()) !== undefined);
  });

  it("are off in Restricted Mode", async () => {
    write("AGENTS.md", "Root rule.");
    const { workspace } = vscode;
    const isTrusted = Object.getOwnPropertyDescriptor(workspace, "isTrusted");
    Object.defineProperty(workspace, "isTrusted", { get: () => false, configurable: true });
    try {
      assert.equal(await notes(), undefined);
      assert.equal(rules.current([]), undefined);
    } finally {
      if (isTrusted !== undefined) Object.defineProperty(workspace, "isTrusted", isTrusted);
    }
  });

  it("are sent with questions, inline edits and commit messages", async () => {
    write("AGENTS.md", "Rule of the root.");
    write("area/AGENTS.md", "Rule of the area.");
    const ask = async () => {
      const editor = await showFile("area/asked.ts", "one\ntwo\n");
      selectLines(editor, 1, 1);
      await scriptService({ blocks: ["```ts\nONE\n```"] });
      await edit();
      await run(COMMANDS.inlineDiscard);
    };
    const body = await untilRequest(ask, /Rule of the area/);
    assert.match(body, /Rule of the root[^]*Rewrite line 1/);
    await untilRequest(async () => {
      const editor = await showFile("area/asked.ts", "one\ntwo\n");
      selectLines(editor, 1, 1);
      await scriptService({ blocks: ["It is one."] });
      const before = (await receivedRequests()).length;
      await run(COMMANDS.explainSelection);
      await poll(async () => (await receivedRequests()).length > before, "the question");
    }, /Rule of the root[^]*Rule of the area/);
  });

  it("go with a commit message by the changed files, and are named while it is written", async () => {
    const titles: string[] = [];
    const { withProgress } = vscode.window;
    const recorded: typeof withProgress = (options, task) => {
      titles.push(options.title ?? "");
      return withProgress(options, task);
    };
    Object.assign(vscode.window, { withProgress: recorded });
    const repository = await Repository.make("rulesRepository");
    await repository.restore({ "a.txt": "one\ntwo\n" });
    write("rulesRepository/AGENTS.md", "Write commits in lower case.");
    try {
      await untilRequest(async () => {
        await scriptService({ blocks: ["fix: two"] });
        await run(COMMANDS.generateCommitMessage, repository.open);
      }, /lower case/);
      const named = titles.filter((title) => /^Commit message: Project rules \(.+\)$/.test(title));
      assert.ok(named.length > 0, titles.join("\n"));
    } finally {
      Object.assign(vscode.window, { withProgress });
      await repository.restore({});
    }
  });

  describe("prompt files", () => {
    let prompts: PromptFiles;
    const storage = workspaceUri("area", "User", "globalStorage", "us");

    beforeEach(async () => {
      write(
        ".github/prompts/code review.prompt.md",
        "---\nmode: ask\n---\nReview ${file}\u200b: ${selection} ${input:depth}\n",
      );
      write(".github/prompts/other.md", "no prompt");
      write("area/User/prompts/mine.prompt.md", "My prompt for ${fileBasename}.");
      prompts = new PromptFiles(storage, systemClock);
      await poll(() => prompts.list?.length === 2, "two prompts");
    });
    afterEach(() => prompts.dispose());

    it("are listed by name and inserted without front matter, with their variables", async () => {
      assert.deepEqual(
        prompts.list?.map(({ name, path }) => [name, path]),
        [
          ["code-review", ".github/prompts/code review.prompt.md"],
          ["mine", "area/User/prompts/mine.prompt.md"],
        ],
      );
      const editor = await showFile("area/asked.ts", "one\ntwo\n");
      selectLines(editor, 2, 2);
      assert.equal(await prompts.read("code-review"), "Review area/asked.ts: two ${input:depth}");
      assert.match(answers.shown[0]?.text ?? "", /Hidden characters.*ZERO WIDTH SPACE/);
      assert.equal(await prompts.read("mine"), "My prompt for asked.ts.");
      assert.equal(await prompts.read("unknown"), undefined);
    });

    it("need a confirmation when they contain a secret", async () => {
      write(".github/prompts/code review.prompt.md", `Use ${TOKEN}`);
      assert.equal(await prompts.read("code-review"), undefined);
      assert.match(answers.shown[0]?.text ?? "", /may contain secrets/);
    });
  });
});
