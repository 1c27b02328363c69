/**
 * Tests applying all code of a reply as a single change: nothing is written before the user keeps
 * it, each file is reviewed separately, and an undo reverts the change of a file.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { silentLog } from "../../src/base/log";
import { reasonOf } from "../../src/host/access/writeAccess";
import { changeOf, showChange, type ReplyChange } from "../../src/host/replyActions/applyAll";
import { Proposals } from "../../src/host/replyActions/proposals";
import { plainText, poll, workspaceUri } from "./editing";
import { suiteWithAnswers } from "./editingSuite";

const CART =
  "function one() {\n  return first(1);\n}\n\nfunction two() {\n  return second(2);\n}\n";

/** A new folder for each test, because VS Code reads a changed file again only after a delay. */
let folder = "";

function write(name: string, text: string): vscode.Uri {
  const uri = workspaceUri(folder, name);
  mkdirSync(dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
}

function onDisk(name: string): string {
  return readFileSync(workspaceUri(folder, name).fsPath, "utf8");
}

async function textOf(name: string): Promise<string> {
  return plainText(await vscode.workspace.openTextDocument(workspaceUri(folder, name)));
}

function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\`\`\`\n\n`;
}

function replyOfThreeFiles(): string {
  return [
    "Two functions change, and one file is new.\n\n",
    block(`js ${folder}/cart.js`, "function two() {\n  log('two');\n  return second(2);\n}\n"),
    block(
      "diff",
      `--- a/${folder}/list.txt\n+++ b/${folder}/list.txt\n@@ -900,3 +900,3 @@\n alpha\n-beta\n+BETA\n gamma\n`,
    ),
    block(`js ${folder}/inner/added.js`, `// ${folder}/inner/added.js\nexport const added = 1;\n`),
  ].join("");
}

describe("applying all code of a reply", () => {
  const answers = suiteWithAnswers();
  let proposals: Proposals;
  let change: ReplyChange | undefined;
  let tests = 0;

  beforeEach(() => {
    tests += 1;
    folder = `applied-${tests}`;
    proposals = new Proposals(silentLog);
    write("cart.js", CART);
    write("list.txt", "alpha\nbeta\ngamma\ndelta\n");
  });
  afterEach(async () => {
    change?.dispose();
    change = undefined;
    proposals.dispose();
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty || document.uri.scheme !== "file") continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
    rmSync(workspaceUri(folder).fsPath, options);
  });

  async function make(reply: string): Promise<ReplyChange> {
    change = await changeOf(reply, proposals);
    assert.ok(change);
    return change;
  }

  function fileIn({ files }: ReplyChange, path: string) {
    const file = files.find((one) => one.path === `${folder}/${path}`);
    assert.ok(file, files.map((one) => one.path).join());
    return file;
  }

  it("lists each file, and writes nothing before the user selects Keep", async () => {
    const made = await make(replyOfThreeFiles());
    assert.deepEqual(
      made.files.map(({ path, problem }) => [path, problem]),
      [
        [`${folder}/cart.js`, undefined],
        [`${folder}/list.txt`, undefined],
        [`${folder}/inner/added.js`, undefined],
      ],
    );
    showChange(made, proposals);
    for (const { proposal } of made.files) if (proposal) await proposals.showDiff(proposal);
    assert.equal(await textOf("cart.js"), CART);
    assert.equal(onDisk("list.txt"), "alpha\nbeta\ngamma\ndelta\n");
    assert.ok(!existsSync(workspaceUri(folder, "inner").fsPath));
  });

  it("keeps one file, discards another, and undoes the kept file in one step", async () => {
    const made = await make(replyOfThreeFiles());
    assert.ok(await made.keep(fileIn(made, "cart.js")));
    const kept = CART.replace("  return second(2);", "  log('two');\n  return second(2);");
    assert.equal(await textOf("cart.js"), kept);
    await made.discard(fileIn(made, "list.txt"));
    assert.equal(await textOf("list.txt"), "alpha\nbeta\ngamma\ndelta\n");
    assert.deepEqual(
      made.files.map(({ state }) => state),
      ["kept", "discarded", "pending"],
    );
    const document = await vscode.workspace.openTextDocument(workspaceUri(folder, "cart.js"));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    assert.equal(plainText(document), CART);
  });

  it("applies a diff by its content, and creates a new file without the line with its name", async () => {
    const made = await make(replyOfThreeFiles());
    await made.keepAll();
    assert.equal(await textOf("list.txt"), "alpha\nBETA\ngamma\ndelta\n");
    assert.equal(onDisk("inner/added.js"), "export const added = 1;\n");
    assert.deepEqual(made.pending, []);
  });

  it("removes a new file again with one undo", async () => {
    const made = await make(replyOfThreeFiles());
    const { proposal } = fileIn(made, "inner/added.js");
    assert.ok(proposal);
    await proposals.keep(proposal.uri);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "export const added = 1;\n");
    await vscode.commands.executeCommand("undo");
    const { fsPath } = workspaceUri(folder, "inner", "added.js");
    await poll(() => Promise.resolve(!existsSync(fsPath)), "the new file to go");
  });

  it("joins several blocks of one file", async () => {
    const first = "function one() {\n  return changed(1);\n}\n";
    const second = "function two() {\n  return changed(2);\n}\n";
    const made = await make(
      block(`js ${folder}/cart.js`, first) + block(`js ${folder}/cart.js`, second),
    );
    assert.equal(made.files.length, 1);
    await made.keepAll();
    assert.equal(await textOf("cart.js"), `${first}\n${second}`);
  });

  it("records a decision in the diff, and returns to the list", async () => {
    const returned: ReplyChange[] = [];
    change = await changeOf(replyOfThreeFiles(), proposals, (one) => returned.push(one));
    assert.ok(change);
    const { proposal } = fileIn(change, "cart.js");
    assert.ok(proposal);
    await proposals.showDiff(proposal);
    await proposals.keep(proposal.uri);
    assert.deepEqual(returned, [change]);
    assert.equal(fileIn(change, "cart.js").state, "kept");
    assert.equal(change.pending.length, 2);
  });

  it("replaces a placeholder with lines of the file, and never writes the placeholder", async () => {
    const known =
      "function one() {\n  // ... existing code ...\n}\n\nfunction two() {\n  return third(3);\n}\n";
    const made = await make(block(`js ${folder}/cart.js`, known));
    await made.keepAll();
    assert.equal(await textOf("cart.js"), CART.replace("second(2)", "third(3)"));
    const unclear = "// ... existing code ...\nfunction other() {}\n// ... existing code ...\n";
    for (const [path, text] of [
      [`${folder}/list.txt`, unclear],
      [`${folder}/new.js`, unclear],
    ] as const) {
      const refused = await make(block(`js ${path}`, text));
      assert.deepEqual(refused.pending, [], path);
      assert.match(refused.files[0]?.problem ?? "", /unclear|omits parts/);
    }
    assert.ok(!existsSync(workspaceUri(folder, "new.js").fsPath));
  });

  it("explains the next step when no block names a file", async () => {
    assert.equal(await changeOf(block("js", "one();\n"), proposals), undefined);
    assert.match(answers.shown[0]?.text ?? "", /No code block of this reply names a file/);
  });

  it("writes nothing of a Git directory that a reply spreads over several files", async () => {
    const made = await make(
      [
        block(`text ${folder}/lib/.git`, `# ${folder}/lib/.git\ngitdir: gd\n`),
        block(`ini ${folder}/lib/gd/HEAD`, `# ${folder}/lib/gd/HEAD\nref: refs/heads/main\n`),
        block(`ini ${folder}/lib/gd/config`, '[core]\n\tfsmonitor = "touch ran"\n'),
        block(`json ${folder}/lib/gd/objects/x.json`, "{}\n"),
        block(`json ${folder}/lib/gd/refs/x.json`, "{}\n"),
        block(`ts ${folder}/lib/index.ts`, "export const one = 1;\n"),
      ].join(""),
    );
    assert.deepEqual(
      made.files.map(({ path, problem }) => [path.slice(folder.length + 1), problem]),
      ["lib/.git", "lib/gd/HEAD", "lib/gd/config", "lib/gd/objects/x.json", "lib/gd/refs/x.json"]
        .map((path): [string, string | undefined] => [
          path,
          "Not written: part of a Git directory, from which Git runs commands.",
        ])
        .concat([["lib/index.ts", undefined]]),
    );
    await made.keepAll();
    assert.deepEqual(readdirSync(workspaceUri(folder, "lib").fsPath), ["index.ts"]);
    assert.deepEqual(answers.shown, []);
  });

  it("writes nothing next to a HEAD, objects and refs that are on the disk", async () => {
    for (const name of ["gd/HEAD", "gd/objects/x", "gd/refs/x"])
      write(name, "ref: refs/heads/main\n");
    const made = await make(block(`ini ${folder}/gd/config`, "[user]\n\tname = a\n"));
    assert.match(made.files[0]?.problem ?? "", /part of a Git directory/);
  });

  it("marks files that run or instruct, and keeps them one by one after a question", async () => {
    const made = await make(
      [
        block(`md ${folder}/AGENTS.md`, "# Rules\n"),
        block(`json ${folder}/package.json`, "{}\n"),
        block(`ini ${folder}/settings.ini`, "[alias]\n\tst = !touch ran\n"),
        block(`ts ${folder}/ordinary.ts`, "export const one = 1;\n"),
      ].join(""),
    );
    assert.deepEqual(
      made.files.map(({ concern }) => concern && reasonOf(concern)),
      [
        "instructions that assistants follow",
        "can run code automatically, in Node.js",
        "can run code automatically, in Git",
        undefined,
      ],
    );
    await made.keepAll();
    assert.deepEqual(
      made.files.map(({ state }) => state),
      ["pending", "pending", "pending", "kept"],
    );
    assert.equal(answers.shown.length, 0);
    const agents = fileIn(made, "AGENTS.md");
    assert.ok(agents.proposal);
    await proposals.showDiff(agents.proposal);
    assert.match(
      vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "",
      /instructions that assistants follow/,
    );
    assert.equal(await made.keep(agents), false);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Keep Anyway"]);
    assert.ok(!existsSync(workspaceUri(folder, "AGENTS.md").fsPath));
    answers.choose("Keep Anyway");
    assert.equal(await made.keep(agents), true);
    assert.equal(onDisk("AGENTS.md"), "# Rules\n");
  });

  it("asks before a file that runs code is written", async () => {
    const made = await make(block(`json ${folder}/.vscode/tasks.json`, '{ "version": "2.0.0" }\n'));
    assert.equal(await made.keep(made.files[0]!), false);
    assert.match(answers.shown[0]?.text ?? "", /can run code automatically/);
    assert.ok(!existsSync(workspaceUri(folder, ".vscode").fsPath));
  });
});
