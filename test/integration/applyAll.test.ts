/**
 * Tests applying all code of a reply as a single change: one review of all files, nothing written
 * before Keep, one Keep, one undo.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { ALL } from "../support/depth";
import { silentLog } from "../support/fakes/silentLog";
import { reasonOf } from "../../src/host/access/writeAccess";
import { changeOf } from "../../src/host/replyActions/replyChange";
import { Reviews } from "../../src/host/replyActions/reviews";
import type { UnusedCode } from "../../src/chat/view/viewUpdater";
import { notesOf } from "../../src/host/replyActions/reviewNotes";
import { plainText, poll, workspaceUri } from "./editing";
import { suiteWithAnswers } from "./editingSuite";

const CART =
  "function one() {\n  return first(1);\n}\n\nfunction two() {\n  return second(2);\n}\n";
const KEPT = CART.replace("  return second(2);", "  log('two');\n  return second(2);");
const LIST = "alpha\nbeta\ngamma\ndelta\n";

/** A new folder for each test, because VS Code reads a changed file again only after a delay. */
let folder = "";

function write(name: string, text: string): vscode.Uri {
  const uri = workspaceUri(folder, name);
  mkdirSync(dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
}

/** Returns the text of a file on the disk; undefined without a file. */
function onDisk(name: string): string | undefined {
  const { fsPath } = workspaceUri(folder, name);
  return existsSync(fsPath) ? readFileSync(fsPath, "utf8") : undefined;
}

async function textOf(name: string): Promise<string> {
  return plainText(await vscode.workspace.openTextDocument(workspaceUri(folder, name)));
}

function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\`\`\`\n\n`;
}

/** Edits two files, makes one, moves one with a change and deletes one; a block names no file. */
function replyOfFiveFiles(): string {
  return [
    "Two functions change, and one file is new.\n\n",
    block(`js ${folder}/cart.js`, "function two() {\n  log('two');\n  return second(2);\n}\n"),
    block(`js ${folder}/inner/added.js`, "export const added = 1;\n"),
    "*** Begin Patch\n",
    `*** Update File: ${folder}/list.txt\n@@\n alpha\n-beta\n+BETA\n gamma\n`,
    `*** Update File: ${folder}/old.js\n*** Move to: ${folder}/inner/moved.js\n@@\n-old();\n+moved();\n`,
    `*** Delete File: ${folder}/gone.js\n*** End Patch\n\n`,
    "Then:\n\n",
    block("sh", "npm test\n"),
    block("json", '[{"bbox_2d": [1, 2, 30, 40], "label": "Pay"}]\n'),
  ].join("");
}

describe("applying all code of a reply", () => {
  const answers = suiteWithAnswers();
  let review: Reviews;
  let tests = 0;

  beforeEach(() => {
    tests += 1;
    folder = `applied-${tests}`;
    review = new Reviews(silentLog);
    write("cart.js", CART);
    write("list.txt", LIST);
    write("old.js", "old();\n");
    write("gone.js", "gone();\n");
  });
  afterEach(async () => {
    await review.discard();
    review.dispose();
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty || document.uri.scheme !== "file") continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
    rmSync(workspaceUri(folder).fsPath, options);
  });

  function shownTab(): vscode.Tab | undefined {
    return vscode.window.tabGroups.activeTabGroup.activeTab;
  }

  async function open(reply: string): Promise<UnusedCode | undefined> {
    const unused = await review.proposeAll(reply);
    await poll(() => Promise.resolve(review.active !== undefined), "the review");
    return unused;
  }

  async function assertUnchanged(): Promise<void> {
    assert.equal(await textOf("cart.js"), CART);
    assert.equal(await textOf("list.txt"), LIST);
    assert.deepEqual(["old.js", "gone.js", "inner/added.js", "inner/moved.js"].map(onDisk), [
      "old();\n",
      "gone();\n",
      undefined,
      undefined,
    ]);
  }

  it("shows all files and nothing else in one review, and writes nothing", async () => {
    const unused = await open(replyOfFiveFiles());
    assert.equal(shownTab()?.label, "Changes from the reply (5 files)");
    assert.deepEqual(unused?.notice, {
      tone: "info",
      text: "1 block not used",
      action: { id: "show-unused-code", label: "Show" },
    });
    assert.deepEqual(
      review.active?.files.map(({ kind, uri }) => [kind, uri.path.split(`${folder}/`)[1]]),
      [
        ["edit", "cart.js"],
        ["create", "inner/added.js"],
        ["edit", "list.txt"],
        ["move", "inner/moved.js"],
        ["delete", "gone.js"],
      ],
    );
    await unused.show();
    assert.match(
      vscode.window.activeTextEditor?.document.getText() ?? "",
      /# Not used\n\nThe block names no file\.\n\n```sh\nnpm test/,
    );
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await poll(() => Promise.resolve(review.active !== undefined), "the review again");
    await assertUnchanged();
    await review.discard();
    assert.equal(review.active, undefined);
    await assertUnchanged();
  });

  const titleArguments = [
    vscode.Uri.parse("multi-diff-editor:source-1"),
    vscode.Uri.parse("file:///elsewhere.ts"),
    { groupId: 0, editorIndex: 0 },
  ];

  it(`is kept with whatever VS Code passes to the buttons of its title ${ALL}`, async () => {
    for (const [index, argument] of titleArguments.entries()) {
      await open(block(`text ${folder}/new-${index}.txt`, "new\n"));
      assert.equal(await review.keep(argument), true);
      assert.equal(onDisk(`new-${index}.txt`), "new\n");
    }
    assert.deepEqual(answers.shown, []);
  });

  it("asks before it removes lines that a block lacks", async () => {
    await open(block(`text ${folder}/list.txt`, LIST.replace("delta\n", "")));
    assert.equal(await textOf("list.txt"), LIST);
    answers.pick("");
    assert.equal(await review.keep(), false);
    assert.match(answers.details[0] ?? "", /removes 1 line that the code lacks/);
    answers.pick(`${folder}/list.txt`);
    assert.equal(await review.keep(), true);
    assert.equal(await textOf("list.txt"), LIST.replace("delta\n", ""));
  });

  it("writes all files with one Keep, and reverts all with one undo", async () => {
    await open(replyOfFiveFiles());
    assert.equal(await review.keep(), true);
    assert.equal(await textOf("cart.js"), KEPT);
    assert.equal(await textOf("list.txt"), LIST.replace("beta", "BETA"));
    assert.equal(await textOf("inner/moved.js"), "moved();\n");
    assert.deepEqual(["old.js", "gone.js", "inner/added.js"].map(onDisk), [
      undefined,
      undefined,
      "export const added = 1;\n",
    ]);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path.endsWith("cart.js"), true);
    await vscode.commands.executeCommand("undo");
    await poll(() => Promise.resolve(onDisk("gone.js") !== undefined), "the deleted file");
    await poll(() => Promise.resolve(onDisk("inner/added.js") === undefined), "the new file to go");
    await poll(async () => (await textOf("cart.js")) === CART, "the text before");
    // VS Code may leave the text of a file that has its old name back unsaved.
    await poll(async () => (await textOf("old.js")) === "old();\n", "the old text of old.js");
    await vscode.workspace.saveAll();
    await assertUnchanged();
    assert.deepEqual(answers.shown, []);
  });

  it(`keeps only the chosen files, and none after Escape ${ALL}`, async () => {
    await open(replyOfFiveFiles());
    assert.equal(await review.choose(), false);
    await assertUnchanged();
    answers.pick("");
    assert.equal(await review.choose(), true);
    assert.equal(await textOf("cart.js"), KEPT);
    assert.equal(onDisk("gone.js"), undefined);
  });

  it("never overwrites a file that changed after the review opened, and shows the review again", async () => {
    await open(replyOfFiveFiles());
    // As a checkout of another branch: the disk first, the editor some time later.
    write("list.txt", "first\nalpha\nbeta\ngamma\n");
    assert.equal(await review.keep(), false);
    assert.match(answers.shown.at(-1)?.text ?? "", /list\.txt has changed where/);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Review Again"]);
    assert.equal(await textOf("cart.js"), CART);
    await poll(async () => (await textOf("list.txt")).startsWith("first"), "the file to be read");
    answers.choose("Review Again");
    const { active: change } = review;
    assert.equal(await review.keep(), false);
    const isNew = () => review.active !== undefined && review.active !== change;
    await poll(() => Promise.resolve(isNew()), "the second review");
    assert.equal(await review.keep(), true);
    assert.equal(await textOf("list.txt"), "first\nalpha\nBETA\ngamma\n");
  });

  it(`does not write a new file over one that was made meanwhile ${ALL}`, async () => {
    await open(replyOfFiveFiles());
    write("inner/added.js", "another window\n");
    assert.equal(await review.keep(), false);
    assert.match(answers.shown.at(-1)?.text ?? "", /added\.js has changed where/);
    assert.equal(onDisk("inner/added.js"), "another window\n");
    assert.equal(await textOf("cart.js"), CART);
  });

  it(`explains the next step when no block is used ${ALL}`, async () => {
    await review.proposeAll(block("js", "one();\n"));
    assert.match(answers.shown[0]?.text ?? "", /No code block of this reply names a file/);
    answers.choose("Show Details");
    const unused = await review.proposeAll(
      block(`js ${folder}/cart.js`, "// ... existing code ...\nother();\n// ...\n"),
    );
    assert.match(answers.shown[1]?.text ?? "", /No code block of this reply changes a file/);
    assert.equal(unused?.notice.text, "1 block not used: cart.js");
    await unused.show();
    assert.match(
      vscode.window.activeTextEditor?.document.getText() ?? "",
      /omits parts of the file/,
    );
    await assertUnchanged();
  });

  it("writes nothing of a Git directory that a reply spreads over several files", async () => {
    const change = await changeOf(
      [
        block(`text ${folder}/lib/.git`, `# ${folder}/lib/.git\ngitdir: gd\n`),
        block(`ini ${folder}/lib/gd/HEAD`, `# ${folder}/lib/gd/HEAD\nref: refs/heads/main\n`),
        block(`ini ${folder}/lib/gd/config`, '[core]\n\tfsmonitor = "touch ran"\n'),
        block(`json ${folder}/lib/gd/objects/x.json`, "{}\n"),
        block(`json ${folder}/lib/gd/refs/x.json`, "{}\n"),
        block(`ts ${folder}/lib/index.ts`, "export const one = 1;\n"),
        `*** Begin Patch\n*** Update File: ${folder}/list.txt\n*** Move to: ${folder}/lib/gd/hooks/x\n*** End Patch\n`,
      ].join(""),
    );
    assert.ok(change);
    const unused = change.unused.map(({ why, path = "" }) => [path, typeof why]);
    assert.deepEqual(
      change.files.map(({ uri }) => uri.path.split("/").at(-1)),
      ["index.ts"],
      JSON.stringify(unused),
    );
    assert.match(
      notesOf(change.unused),
      /Not written: part of a Git directory, from which Git runs/,
    );
    assert.ok(!existsSync(workspaceUri(folder, "lib").fsPath));
  });

  it("marks files that run or instruct before Keep, and keeps them only after a question", async () => {
    write("AGENTS.md", "# Old\n");
    write("package.json", '{\n  "name": "one"\n}\n');
    await open(
      [
        `*** Begin Patch\n*** Delete File: ${folder}/AGENTS.md\n*** End Patch\n`,
        block(`json ${folder}/package.json`, '{\n  "name": "two"\n}\n'),
        `*** Begin Patch\n*** Update File: ${folder}/old.js\n*** Move to: ${folder}/.husky/pre-commit\n*** End Patch\n`,
        block(`ini ${folder}/settings.ini`, "[alias]\n\tst = !touch ran\n"),
        block(`ts ${folder}/ordinary.ts`, "export const one = 1;\n"),
      ].join(""),
    );
    const { active: change } = review;
    assert.ok(change);
    const reasons = change.files.map(({ concern }) => concern && reasonOf(concern));
    assert.deepEqual(reasons.slice(0, 2), [
      "instructions that assistants follow",
      "can run code automatically, in Node.js",
    ]);
    assert.match(reasons[2] ?? "", /can run code automatically/);
    assert.deepEqual(reasons.slice(3), ["can run code automatically, in Git", undefined]);
    assert.equal(shownTab()?.label, "Changes from the reply (5 files)");
    answers.pick(`${folder}/AGENTS.md`);
    assert.equal(await review.keep(), false);
    assert.match(answers.details[0] ?? "", /Asks before it is kept: instructions/);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Keep Anyway"]);
    assert.equal(onDisk("ordinary.ts"), undefined);
    answers.pick("");
    assert.equal(await review.keep(), true);
    assert.equal(onDisk("ordinary.ts"), "export const one = 1;\n");
    assert.equal(onDisk("AGENTS.md"), "# Old\n");
    assert.deepEqual(readdirSync(workspaceUri(folder).fsPath).sort(), [
      "AGENTS.md",
      "cart.js",
      "gone.js",
      "list.txt",
      "old.js",
      "ordinary.ts",
      "package.json",
    ]);
  });
});
