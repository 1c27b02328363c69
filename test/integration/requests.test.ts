/**
 * Tests the request log and the connection test as users run them: commands, a list, documents, the
 * clipboard.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { poll } from "./editing";
import { referenceUrl, resetService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

/** Returns the next document of this scheme that becomes active. */
function shownDocument(scheme: string): Promise<vscode.TextDocument> {
  return new Promise((resolve) => {
    const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.uri.scheme !== scheme) return;
      listening.dispose();
      resolve(editor.document);
    });
  });
}

describe("a sent request", () => {
  before(async () => {
    await resetService();
    await setUserSettings({ baseUrl: referenceUrl() });
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await clearUserSettings("baseUrl");
  });

  it("is listed, opens as a read-only document", async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: "core-chat", family: "core_llm" });
    assert.ok(model);
    const question = [vscode.LanguageModelChatMessage.User("/echo inspected")];
    const response = await model.sendRequest(question);
    for await (const part of response.text) assert.ok(part);

    const shown = shownDocument("core-chat-request");
    const command = vscode.commands.executeCommand("coreChat.showRequests");
    let document: vscode.TextDocument | undefined;
    void shown.then((found) => (document = found));
    // The list opens a moment after the command; accepting without a list is harmless.
    await poll(async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return document !== undefined;
    }, "the document of the request");
    await command;
    assert.ok(document);
    assert.equal(document.languageId, "markdown");
    const text = document.getText();
    for (const expected of [
      "- Status: 200",
      '"content": "/echo inspected"',
      "- Result: Complete",
    ]) {
      assert.ok(text.includes(expected), `${expected} is missing in\n${text}`);
    }
    assert.equal(vscode.workspace.fs.isWritableFileSystem("core-chat-request"), undefined);
  });

  it("is made by the connection test, which opens its report", async () => {
    const shown = shownDocument("core-chat-report");
    const report = await vscode.commands.executeCommand<string>("coreChat.testConnection");
    assert.equal((await shown).getText(), report);
    const failed = report.split("\n").filter((line) => /^- [✗–]/.test(line));
    assert.deepEqual(failed, ["- – Connection is secure (TLS): not tested"]);
    assert.equal(report.match(/^- ✓/gm)?.length, 11);
  });
});
