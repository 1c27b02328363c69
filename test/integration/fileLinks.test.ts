/**
 * Files of the workspace that a reply names: found, and opened at their line; nothing outside is.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { FileLinks } from "../../src/host/fileLinks";
import { closeAll, showFile, workspaceUri } from "./editing";

describe("links to files", () => {
  afterEach(closeAll);

  it("are for files that exist, and open at the line and column", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
    await showFile("linked.ts", lines);
    await closeAll();
    const links = new FileLinks();
    const found = await links.find(["linked.ts:12:3", "./linked.ts", "gone.ts", "linked.ts:12:3"]);
    assert.equal(found[2], null);
    assert.equal(found[0], found[3]);
    assert.notEqual(found[0], found[1]);
    await links.open(found[0] ?? 0);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.path, workspaceUri("linked.ts").path);
    assert.deepEqual(editor.selection.active, new vscode.Position(11, 2));
    await links.open(4_711);
  });

  it("are none for folders and for what is outside of the workspace", async () => {
    await vscode.workspace.fs.createDirectory(workspaceUri("folder.ts"));
    const links = new FileLinks();
    const mentions = ["folder.ts", "/etc/passwd", "../../../../../../etc/passwd", "a/../../b", ""];
    assert.deepEqual(
      await links.find(mentions),
      mentions.map(() => null),
    );
  });
});
