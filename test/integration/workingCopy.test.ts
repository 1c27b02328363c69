/** Tests what else changes or delays an edit: a commit template, auto save, late definitions. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, poll, readFile, selectLines, showFile } from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { Repository } from "./repository";

const TEMPLATE = "# Why:\n\n# Ticket: \n";

describe("a commit message in a repository with a template", () => {
  suiteWithService();

  it("replaces the template in the box, which is sent as the begun message", async () => {
    const repository = await Repository.make("repository-template");
    writeFileSync(join(repository.open.rootUri.fsPath, ".git", "template"), TEMPLATE);
    await repository.configure("commit.template", ".git/template");
    await repository.restore({ "a.txt": "one\ntwo\n" });
    repository.open.inputBox.value = TEMPLATE;
    await scriptService({ text: "fix: add two" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    assert.equal(repository.open.inputBox.value, "fix: add two");
    assert.ok(JSON.stringify((await receivedRequests())[0]?.body).includes("# Ticket"));
    await repository.restore({});
  });
});

describe("a pending edit of a working copy", () => {
  suiteWithService({ "context.definitions": true });

  it("can be discarded after auto save by a change of focus", async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("autoSave", "onFocusChange", vscode.ConfigurationTarget.Global);
    try {
      const editor = await showFile("focus.rs", "one\ntwo\n");
      selectLines(editor, 1, 1);
      await scriptService(fenced(["ONE"]));
      await edit();
      await showFile("focus-other.rs", "x\n");
      await poll(() => !editor.document.isDirty, "the file to be saved");
      await vscode.window.showTextDocument(editor.document);
      await run(COMMANDS.inlineDiscard);
      await editor.document.save();
      assert.equal(await readFile("focus.rs"), "one\ntwo\n");
    } finally {
      await files.update("autoSave", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
