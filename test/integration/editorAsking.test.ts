/**
 * Tests asking from the editor: code actions, questions that are sent immediately, the attached
 * context, and confirmations before text of a reply is written anywhere.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { copyMessage, useCode } from "../../src/host/replyActions/codeActions";
import { COMMANDS } from "../../src/host/platform/contributions";
import { gatherFile, gatherTerminal, type Gathered } from "../../src/host/context/gather";
import { fenced, plainText, poll, showFile, untilLens, workspaceUri } from "./editing";
import { run, suiteWithProblems, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";

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
    let fix: vscode.CodeAction | undefined;
    // VS Code answers with no actions if it reads the new file again meanwhile.
    await poll(async () => {
      [fix] = await actionsAt(document, new vscode.Range(0, 1, 0, 1));
      return fix !== undefined;
    }, "the action at the problem");
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

  it("never uses a path from a reply as a target: a new file has no name", async () => {
    for (const label of ["../../.bashrc", ".vscode/settings.json", "ts:src/../../../etc/passwd"]) {
      await useCode("new-file", `\`\`\`${label}\nharmless\n\`\`\`\n`, 0, noProposal);
      const { document } = vscode.window.activeTextEditor ?? {};
      assert.equal(document?.isUntitled, true);
      assert.match(document.uri.path, /^Untitled-\d+$/);
    }
  });
});
