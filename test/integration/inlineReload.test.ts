/**
 * Pending inline edits whose file changes on the disk: another branch, another program, a revert.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, lensTitles, plainText, poll, selectLines, untilLens, untilText } from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { scriptService } from "./reference";
import { Repository } from "./repository";

const MAIN = "one\ntwo\nthree\nfour\nfive\nsix\n";
const OTHER = "// other\n// branch\none\ntwo\nthree\nfour!\nfive\nsix\n";
const EDITED = "one\ntwo\nTHREE\nFOUR\nfive\nsix\n";

describe("a pending edit whose file changes on the disk", () => {
  const answers = suiteWithService();
  let repository: Repository;

  before(async () => {
    repository = await Repository.make("branches");
    await repository.commit({ "b.ts": OTHER }, "other");
    await repository.commit({ "b.ts": MAIN }, "main-branch");
  });
  beforeEach(() => repository.checkOut("main-branch"));
  afterEach(async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("autoSave", undefined, vscode.ConfigurationTarget.Global);
    await repository.restore({});
  });

  async function editedDocument(): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(repository.uri("b.ts"));
    await untilText(editor.document, MAIN);
    await scriptService(fenced(["THREE", "FOUR"]));
    selectLines(editor, 3, 4);
    await edit();
    assert.equal(plainText(editor.document), EDITED);
    await untilLens(editor.document, "Keep");
    return editor.document;
  }

  async function assertOver(document: vscode.TextDocument, text: string): Promise<void> {
    await untilText(document, text);
    await poll(async () => (await lensTitles(document)).length === 0, "the edit to be over");
    assert.match(answers.shown.at(-1)?.text ?? "", /b\.ts changed on disk/);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Open Reply"]);
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), text);
  }

  it("ends when another branch is checked out, and discards nothing of it", async () => {
    const document = await editedDocument();
    await document.save();
    repository.checkOut("other");
    await assertOver(document, OTHER);
  });

  it("ends when another branch is checked out after the file saved itself", async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("autoSave", "afterDelay", vscode.ConfigurationTarget.Global);
    const document = await editedDocument();
    await poll(() => !document.isDirty, "the file to save itself");
    repository.checkOut("other");
    await assertOver(document, OTHER);
  });

  it("ends when another program writes other text there", async () => {
    const document = await editedDocument();
    await document.save();
    writeFileSync(document.uri.fsPath, "one\ntwo\nTHREE\nchanged\nfive\nsix\n");
    await assertOver(document, "one\ntwo\nTHREE\nchanged\nfive\nsix\n");
  });

  it("ends when the file is reverted", async () => {
    const document = await editedDocument();
    await run("workbench.action.files.revert");
    await assertOver(document, MAIN);
  });

  it("goes on when another program writes elsewhere in the file", async () => {
    const document = await editedDocument();
    await document.save();
    writeFileSync(document.uri.fsPath, `zero\n${EDITED}`);
    await untilText(document, `zero\n${EDITED}`);
    assert.ok((await lensTitles(document)).includes("Keep"));
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), `zero\n${MAIN}`);
  });

  it("goes on when the file is saved, also with a formatter", async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: "**/b.ts" },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.lineAt(document.lineCount - 1).range.end, "// end\n"),
        ],
      },
    );
    const editor = vscode.workspace.getConfiguration("editor");
    await editor.update("formatOnSave", true, vscode.ConfigurationTarget.Global);
    try {
      const document = await editedDocument();
      await document.save();
      assert.equal(plainText(document), `${EDITED}// end\n`);
      assert.ok(!document.isDirty);
      assert.ok((await lensTitles(document)).includes("Keep"));
      await run(COMMANDS.inlineDiscard);
      assert.equal(plainText(document), `${MAIN}// end\n`);
    } finally {
      await editor.update("formatOnSave", undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });
});
