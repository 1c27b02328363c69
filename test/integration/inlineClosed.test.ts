/** Tests that an instruction for an edit is not lost if its file is closed, or if the edit does not start. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, plainText, poll, readFile, selectLines, untilLens, workspaceUri } from "./editing";
import { run, suiteWithService } from "./editingSuite";
import { scriptService } from "./reference";

const LINES = "one\ntwo\nthree\n";

describe("an instruction whose edit does not start", () => {
  const answers = suiteWithService();

  /**
   * Opens a file and selects its first line. Opened by VS Code's own command, because VS Code keeps
   * a document open for minutes that an extension opened.
   */
  async function openFile(name: string, text: string): Promise<vscode.TextEditor> {
    await vscode.workspace.fs.writeFile(workspaceUri(name), new TextEncoder().encode(text));
    await run("vscode.open", workspaceUri(name));
    const isShown = () => vscode.window.activeTextEditor?.document.fileName.endsWith(name) === true;
    await poll(isShown, `an editor of ${name}`);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    selectLines(editor, 1, 1);
    return editor;
  }

  async function close({ document }: vscode.TextEditor): Promise<void> {
    await run("workbench.action.closeAllEditors");
    await poll(() => document.isClosed, "the document to close");
  }

  it("edits the file again if it was closed and is unchanged", async () => {
    const editor = await openFile("reopened.txt", LINES);
    await scriptService(fenced(["ONE"]));
    answers.type("shout", () => close(editor));
    await run(COMMANDS.editSelection);
    const shown = vscode.window.activeTextEditor?.document;
    assert.ok(shown);
    assert.equal(plainText(shown), "ONE\ntwo\nthree\n");
    await untilLens(shown, "Keep");
    await run(COMMANDS.inlineDiscard);
  });

  it("is offered at the next edit if the file is gone", async () => {
    const editor = await openFile("gone.txt", LINES);
    answers.type("a long instruction", async () => {
      await close(editor);
      await vscode.workspace.fs.delete(workspaceUri("gone.txt"));
    });
    await run(COMMANDS.editSelection);
    assert.match(answers.shown.at(-1)?.text ?? "", /offers your instruction again/);
    await openFile("next.txt", LINES);
    await scriptService(fenced(["ONE"]));
    answers.type("another instruction");
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.values, ["", "a long instruction"]);
    await run(COMMANDS.inlineDiscard);
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.values.at(-1), "", "a used instruction is offered again");
  });

  it("is offered at the next edit if the user declines to edit the file", async () => {
    await openFile(".envrc", "export NAME=one\n");
    answers.type("shout");
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Edit Anyway"]);
    await run(COMMANDS.editSelection);
    assert.equal(answers.values.at(-1), "shout");
    assert.equal(await readFile(".envrc"), "export NAME=one\n");
  });

  it("is offered by Try Again if the file changed meanwhile", async () => {
    const editor = await openFile("failed.txt", LINES);
    await scriptService({ status: 503, body: "" });
    answers.type("shout");
    answers.choose("Try again", async () => {
      await editor.edit((builder) => builder.insert(new vscode.Position(2, 0), "new\n"));
    });
    await run(COMMANDS.editSelection);
    await poll(() => answers.values.length === 2, "the box to open again");
    assert.equal(answers.values.at(-1), "shout");
  });
});
