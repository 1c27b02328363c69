/**
 * Tests that a real extension host activates the extension on first use only, and with exactly the
 * commands of package.json.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";

describe("the extension", () => {
  it("activates when the panel opens, registers its commands and survives a second opening", async () => {
    const extension = vscode.extensions.getExtension("core-chat.core-chat");
    assert.ok(extension, "the extension is not installed");
    await vscode.commands.executeCommand(COMMANDS.open);
    assert.equal(extension.isActive, true);
    const offered = await vscode.commands.getCommands(true);
    const own = Object.values(COMMANDS);
    assert.deepEqual(
      own.filter((command) => !offered.includes(command)),
      [],
    );
    await vscode.commands.executeCommand(COMMANDS.open);
    await vscode.commands.executeCommand(COMMANDS.newConversation);
  });

  it("keeps the base URL out of reach of the workspace", async () => {
    const section = vscode.workspace.getConfiguration("coreChat");
    const write = section.update(
      "baseUrl",
      "https://evil.example",
      vscode.ConfigurationTarget.Workspace,
    );
    await assert.rejects(Promise.resolve(write));
    assert.equal(section.inspect("baseUrl")?.workspaceValue, undefined);
  });
});
