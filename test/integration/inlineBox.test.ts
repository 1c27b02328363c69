/** Tests of the box at the code: its texts survive, it follows its lines, and it asks nothing in vain. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import {
  fenced,
  plainText,
  poll,
  readFile,
  selectLines,
  showFile,
  untilBox,
  workspaceUri,
  writeInBox,
} from "./editing";
import { run, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";

const LINES = "one\ntwo\nthree\n";

describe("the box at the code", () => {
  const answers = suiteWithService();
  afterEach(() => run(COMMANDS.boxClose));

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

  const textOf = (field: vscode.TextEditor) => plainText(field.document);

  it("sends several lines, with the lines where they are by then", async () => {
    const editor = await showFile("moved.txt", LINES);
    selectLines(editor, 2, 2);
    await scriptService(fenced(["TWO"]));
    answers.instruct("shout\nand nothing else", async () => {
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), "zero\n"));
    });
    await run(COMMANDS.editSelection);
    assert.equal(plainText(editor.document), "zero\none\nTWO\nthree\n");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.ok(asked.includes("shout\\nand nothing else"), asked);
    await run(COMMANDS.inlineDiscard);
  });

  it("names the selected part of a line to the model", async () => {
    const editor = await showFile("half.txt", "one two three\nfour\n");
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await scriptService(fenced(["one TWO three"]));
    answers.instruct("shout");
    await run(COMMANDS.editSelection);
    assert.equal(plainText(editor.document), "one TWO three\nfour\n");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.match(asked, /Only this part of the lines is selected[^"]*:\\ntwo\\n/);
    await run(COMMANDS.inlineDiscard);
  });

  it("keeps blank lines at the ends of the selection", async () => {
    const text = "one\n    \ntwo\nthree\n\nfour\n";
    const editor = await showFile("blank.txt", text);
    editor.selection = new vscode.Selection(1, 4, 5, 0);
    await scriptService(fenced(["TWO", "THREE"]));
    answers.instruct("shout");
    await run(COMMANDS.editSelection);
    assert.equal(plainText(editor.document), "one\n    \nTWO\nTHREE\n\nfour\n");
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    assert.match(asked, /Rewrite lines 3-4 of blank\.txt/);
    assert.doesNotMatch(asked, /Only this part of the lines is selected/);
    await run(COMMANDS.inlineDiscard);
  });

  it("has the text of a file that was closed meanwhile", async () => {
    const editor = await openFile("gone.txt", LINES);
    const running = run(COMMANDS.editSelection);
    await writeInBox(await untilBox(), "a long instruction");
    await close(editor);
    await running;
    await openFile("next.txt", LINES);
    await scriptService(fenced(["ONE"]));
    answers.instruct("another instruction");
    await run(COMMANDS.editSelection);
    await run(COMMANDS.inlineDiscard);
    answers.instruct("shout");
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.values, ["a long instruction", ""]);
  });

  it("has the text of an edit that the user declined, and of a request that failed", async () => {
    await openFile(".envrc", "export NAME=one\n");
    answers.instruct("shout");
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Edit Anyway"]);
    assert.equal(await readFile(".envrc"), "export NAME=one\n");
    await openFile("failed.txt", LINES);
    await scriptService({ status: 503, body: "" });
    answers.instruct("shout louder");
    await run(COMMANDS.editSelection);
    await openFile("next.txt", LINES);
    answers.instruct("shout");
    await run(COMMANDS.editSelection);
    assert.deepEqual(answers.values, ["", "shout", "shout louder"]);
  });

  it("is offered by Try Again if the file changed meanwhile", async () => {
    const editor = await openFile("failed.txt", LINES);
    await scriptService({ status: 503, body: "" });
    answers.instruct("shout");
    answers.choose("Try again", async () => {
      await editor.edit((builder) => builder.insert(new vscode.Position(2, 0), "new\n"));
    });
    await run(COMMANDS.editSelection);
    assert.equal(textOf(await untilBox()), "shout");
  });
});
