/**
 * Tests links to files that a reply names: files of the workspace are found and opened at their
 * line; files outside are not.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { FileLinks } from "../../src/host/replyActions/fileLinks";
import { closeAll, poll, showFile, workspaceUri } from "./editing";

describe("links to files", () => {
  let links: FileLinks;
  beforeEach(() => {
    links = new FileLinks();
  });
  afterEach(async () => {
    links.dispose();
    await closeAll();
  });

  it("exist for existing files, and open at the line and column", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
    await showFile("linked.ts", lines);
    await closeAll();
    const absolute = `${workspaceUri("linked.ts").path}:12:3`;
    const found = await links.find(["linked.ts:12:3", "./linked.ts", "gone.ts", absolute]);
    assert.equal(found[2], null);
    assert.equal(found[0], found[3]);
    assert.notEqual(found[0], found[1]);
    await links.open(found[0] ?? 0);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.path, workspaceUri("linked.ts").path);
    assert.deepEqual(editor.selection.active, new vscode.Position(11, 2));
    await links.open(4_711);
  });

  it("do not exist for folders and for files outside the workspace", async () => {
    await vscode.workspace.fs.createDirectory(workspaceUri("folder.ts"));
    const mentions = ["folder.ts", "/etc/passwd", "../../../../../../etc/passwd", "a/../../b", ""];
    assert.deepEqual(
      await links.find(mentions),
      mentions.map(() => null),
    );
  });

  it("find a unique file name anywhere in the workspace", async () => {
    const write = (path: string) =>
      vscode.workspace.fs.writeFile(workspaceUri(path), new TextEncoder().encode("1\n2\n3\n"));
    await write("deep/down/onlyOne.ts");
    await write("deep/down/twice.ts");
    await write("deep/elsewhere/twice.ts");
    await write("deep/(.)photo/[[...all]]/my page, it's.ts");
    await write("deep/photo/only.ts");
    const mentions = [
      "onlyOne.ts:2",
      "down/twice.ts",
      "twice.ts",
      "onlyone.ts",
      "{a,b}.ts",
      "*.ts",
      "(.)photo/[[...all]]/my page, it's.ts",
      "(.)photo/only.ts",
    ];
    const found = await links.find(mentions);
    assert.deepEqual(
      found.map((number) => number !== null),
      [true, true, false, false, false, false, true, false],
    );
    await links.open(found[0] ?? 0);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.path, workspaceUri("deep/down/onlyOne.ts").path);
    assert.equal(editor.selection.active.line, 1);
  });

  it("appear when a file of that name is created, and disappear when it is deleted", async () => {
    const isFound = async () => (await links.find(["comesLater.ts"]))[0] !== null;
    assert.equal(await isFound(), false);
    await vscode.workspace.fs.writeFile(workspaceUri("comesLater.ts"), new Uint8Array([10]));
    await poll(isFound, "the new file");
    await vscode.workspace.fs.delete(workspaceUri("comesLater.ts"));
    await poll(async () => !(await isFound()), "its end");
  });
});
