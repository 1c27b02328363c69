/** Tests the journal's storage for web extension hosts, with the file system of a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { workspaceFiles } from "../../src/host/storage/workspaceFiles";
import { workspaceUri } from "./editing";

describe("the browser's storage", () => {
  const root = workspaceUri(".web-storage");
  const disk = workspaceFiles(root);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const text = async (path: string) => new TextDecoder().decode(await disk.read(path));

  const uriOf = (path: string) => vscode.Uri.joinPath(root, path);

  after(() => vscode.workspace.fs.delete(root, { recursive: true }));

  it("is empty before the first write, and replaces and removes a whole file", async () => {
    assert.equal(await disk.read("b/two"), undefined);
    assert.equal(await disk.stat("b/two"), undefined);
    assert.deepEqual(await disk.list("b"), []);
    await disk.remove("b/two");
    for (const content of ["long before", "new"]) await disk.replace("b/two", bytes(content));
    assert.equal(await text("b/two"), "new");
    await disk.remove("b/two");
    assert.deepEqual(await disk.list("b"), []);
  });

  it("appends data, and returns the previous size", async () => {
    assert.equal(await disk.append("a/one", bytes("1")), 0);
    assert.equal(await disk.append("a/one", bytes("23")), 1);
    assert.equal(await text("a/one"), "123");
    assert.equal((await disk.stat("a/one"))?.bytes, 3);
    assert.deepEqual(await disk.list("a"), ["one"]);
  });

  it("keeps the records of two windows that write the same conversation", async () => {
    const windows = [disk, workspaceFiles(root)];
    const path = "conversations/c1.jsonl";
    const lines = Array.from({ length: 40 }, (_, at) => `\nrecord ${at}\n`);
    await Promise.all(lines.map((line, at) => windows[at % 2]!.append(path, bytes(line))));
    const found = (await text(path)).split("\n").filter((line) => line !== "");
    assert.deepEqual(found.sort(), lines.map((line) => line.trim()).sort());
    assert.deepEqual(await disk.list("conversations"), ["c1.jsonl"]);
    assert.equal((await windows[1]!.stat(path))?.bytes, lines.join("").length);
    await disk.remove(path);
    assert.deepEqual(await vscode.workspace.fs.readDirectory(uriOf("conversations")), []);
  });
});
