/**
 * Tests inline edits whose document changes during the edit, and edits in documents of every kind:
 * no text of the user is lost, and no other file changes.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import {
  closeAll,
  fenced,
  plainText,
  readFile,
  selectLines,
  showFile,
  untilLens,
  untilText,
  workspaceUri,
} from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { MemoryFiles } from "./memoryFiles";
import { receivedRequests, releaseGate, scriptService, untilService } from "./reference";
import { addedIf } from "../support/depth";

describe("an inline edit whose document changes", () => {
  const answers = suiteWithService();

  /** Starts an edit of lines 1-2 of a new file and waits until its first line is written. */
  async function begin(name: string, bytes = "one\ntwo\n") {
    const editor = await showFile(name, bytes);
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "|", "TWO", "THREE"]));
    const done = edit();
    await untilText(editor.document, "ONE\ntwo\n");
    return { editor, document: editor.document, done };
  }

  it("ends when its document is closed, and makes the reply available", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "one\ntwo" });
    const editor = await vscode.window.showTextDocument(document);
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE"]));
    await edit();
    answers.choose("Open Reply");
    const opened = new Promise<string>((resolve) => {
      // VS Code guesses an untitled document's language, so the test finds the reply by its text.
      const listening = vscode.window.onDidChangeActiveTextEditor((shown) => {
        const text = shown === undefined ? "" : plainText(shown.document);
        if (!text.startsWith("```")) return;
        listening.dispose();
        resolve(text);
      });
    });
    await run("workbench.action.revertAndCloseActiveEditor");
    while (!document.isClosed) await run("workbench.action.closeAllEditors");
    assert.equal(answers.shown.length, 1);
    assert.match(answers.shown[0]?.text ?? "", /was closed, so its pending edit has ended/);
    assert.equal(await opened, "```\nONE\n```\n");
  });

  it("follows a file that is renamed while the reply streams", async () => {
    const { done } = await begin("old-name.rs");
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(workspaceUri("old-name.rs"), workspaceUri("new-name.rs"));
    assert.equal(await vscode.workspace.applyEdit(renaming), true);
    await releaseGate();
    await done;
    const document = await vscode.workspace.openTextDocument(workspaceUri("new-name.rs"));
    await vscode.window.showTextDocument(document);
    await untilText(document, "ONE\nTWO\nTHREE\n");
    await untilLens(document, "Keep");
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), "one\ntwo\n");
  });

  for (const [answer, left] of [
    [undefined, "one\ntwo\n"],
    ["Rename Anyway", "ONE\nTWO\nTHREE\n"],
  ] as const) {
    it(`asks before its file gets a name that something runs (${answer ?? "declined"})${addedIf(answer !== undefined)}`, async () => {
      const { done } = await begin("harmless.txt");
      await releaseGate();
      await done;
      await showFile("in-front.rs", "other\n");
      if (answer !== undefined) answers.choose(answer);
      const target = workspaceUri(`named-${answer === undefined ? "a" : "b"}/.envrc`);
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(workspaceUri("harmless.txt"), target);
      assert.equal(await vscode.workspace.applyEdit(renaming), true);
      assert.match(answers.shown.at(-1)?.text ?? "", /\.envrc: can run code automatically/);
      const document = await vscode.workspace.openTextDocument(target);
      await vscode.window.showTextDocument(document);
      await untilText(document, left);
      await document.save();
      assert.equal(await readFile(vscode.workspace.asRelativePath(target)), left);
    });
  }

  it("loses nothing when its file is deleted", async () => {
    const { document, done } = await begin("deleted.rs");
    await vscode.workspace.fs.delete(workspaceUri("deleted.rs"));
    await releaseGate();
    await done;
    assert.equal(plainText(document), "ONE\nTWO\nTHREE\n");
    await untilLens(document, "Keep");
  });

  it("continues behind another file, is not kept or discarded from there, and is still one undo", async () => {
    const { document, done } = await begin("behind.rs");
    const other = await showFile("front.rs", "other\n");
    await releaseGate();
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    for (const command of [COMMANDS.inlineKeep, COMMANDS.inlineDiscard]) await run(command);
    await vscode.window.showTextDocument(document, { preview: false });
    await done;
    assert.equal(plainText(document), "ONE\nTWO\nTHREE\n");
    await run("undo");
    await untilText(document, "one\ntwo\n");
    assert.equal(plainText(other.document), "other\n");
  });

  it("survives a change of the line endings", async () => {
    const { editor, document, done } = await begin("ends.rs", "one\ntwo\n");
    await editor.edit((change) => change.setEndOfLine(vscode.EndOfLine.CRLF));
    await releaseGate();
    await done;
    assert.equal(document.getText(), "ONE\r\nTWO\r\nTHREE\r\n");
    await run(COMMANDS.inlineDiscard);
    assert.equal(document.getText(), "one\r\ntwo\r\n");
  });

  it("does not start in a read-only file, and in a document whose text comes from an extension", async () => {
    const files = new MemoryFiles();
    files.isReadOnly = true;
    files.files.set("/a.rs", new TextEncoder().encode("one\n"));
    const content = { provideTextDocumentContent: () => "one\n" };
    const providers = [
      vscode.workspace.registerFileSystemProvider("core-chat-sealed", files),
      vscode.workspace.registerTextDocumentContentProvider("core-chat-given", content),
    ];
    for (const scheme of ["core-chat-sealed", "core-chat-given"]) {
      const editor = await vscode.window.showTextDocument(vscode.Uri.parse(`${scheme}:/a.rs`));
      selectLines(editor, 1, 1);
      await edit();
      await run(COMMANDS.generateAtCursor, { instruction: "write" });
    }
    assert.deepEqual(
      answers.shown.map(({ text }) => text),
      Array(4).fill("This file is read-only. Save a copy and edit that."),
    );
    assert.equal((await receivedRequests()).length, 0);
    for (const provider of providers) provider.dispose();
  });

  it("reports that a file is not writable and makes the reply available", async () => {
    const editor = await showFile("locked.rs", "one\n");
    const section = vscode.workspace.getConfiguration("files");
    const sealed = { "**/locked.rs": true };
    await section.update("readonlyInclude", sealed, vscode.ConfigurationTarget.Workspace);
    try {
      selectLines(editor, 1, 1);
      await scriptService(fenced(["ONE"]));
      await edit();
      assert.equal(plainText(editor.document), "one\n");
      assert.deepEqual(answers.shown, [
        {
          text: "The file could not be changed and may be read-only. Save a copy of it.",
          buttons: ["Open Reply"],
        },
      ]);
    } finally {
      await section.update("readonlyInclude", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("works in an untitled document", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "one\ntwo" });
    const editor = await vscode.window.showTextDocument(document);
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE"]));
    await edit();
    assert.equal(plainText(document), "ONE");
    await untilLens(document, "Keep");
    await run("undo");
    assert.equal(plainText(document), "one\ntwo");
  });

  it("works in a cell of a notebook", async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "one\ntwo", "python");
    const notebook = await vscode.workspace.openNotebookDocument(
      "jupyter-notebook",
      new vscode.NotebookData([cell]),
    );
    await vscode.window.showNotebookDocument(notebook);
    await run("notebook.cell.edit");
    const { document } = notebook.cellAt(0);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), document.uri.toString());
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "|", "TWO", "THREE"]));
    const done = edit();
    await untilText(document, "ONE\ntwo");
    await releaseGate();
    await done;
    assert.equal(plainText(document), "ONE\nTWO\nTHREE");
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), "one\ntwo");
  });

  it("does not start in lines that are already being edited", async () => {
    const editor = await showFile("twice.rs", "one\ntwo\nthree\n");
    const { document } = editor;
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "|", "TWO"]));
    const done = edit();
    await untilText(document, "ONE\ntwo\nthree\n");
    selectLines(editor, 2, 3);
    await edit("again");
    assert.deepEqual(
      answers.shown.map(({ text }) => text),
      ["There is already a pending edit in these lines. Keep or discard it first."],
    );
    await releaseGate();
    await done;
    assert.equal(plainText(document), "ONE\nTWO\nthree\n");
  });

  it("does not start without an editor, or with more text than fits a reply", async () => {
    await closeAll();
    await edit();
    const editor = await showFile("long.rs", "const value = 12345;\n".repeat(3_000));
    selectLines(editor, 1, 3_000);
    await edit();
    assert.deepEqual(
      answers.shown.map(({ text }) => text),
      [
        "No file is open in an editor. Open a file and place the cursor in it.",
        "The selection is too long for one reply. Select fewer lines.",
      ],
    );
    assert.equal((await receivedRequests()).length, 0);
  });
});
