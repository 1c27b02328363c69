/**
 * The journal's disk of a browser's extension host, on the file system of this VS Code.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { workspaceFiles } from "../../src/host/storage/workspaceFiles";
import { workspaceUri } from "./editing";

describe("the browser's storage", () => {
  const root = workspaceUri(".web-storage");
  const disk = workspaceFiles(root);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const text = async (path: string) => new TextDecoder().decode(await disk.read(path));

  after(() => vscode.workspace.fs.delete(root, { recursive: true }));

  it("is empty before the first write", async () => {
    assert.equal(await disk.read("a/one"), undefined);
    assert.equal(await disk.stat("a/one"), undefined);
    assert.deepEqual(await disk.list("a"), []);
    await disk.remove("a/one");
  });

  it("appends data, and returns the previous size", async () => {
    assert.equal(await disk.append("a/one", bytes("1")), 0);
    assert.equal(await disk.append("a/one", bytes("23")), 1);
    assert.equal(await text("a/one"), "123");
    assert.equal((await disk.stat("a/one"))?.bytes, 3);
    assert.deepEqual(await disk.list("a"), ["one"]);
  });

  it("loses none of many concurrent appends", async () => {
    const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
    await Promise.all(letters.map((letter) => disk.append("a/many", bytes(letter))));
    assert.deepEqual(Array.from(await text("a/many")).sort(), letters);
  });

  it("replaces a whole file and removes it", async () => {
    await disk.replace("b/two", bytes("long before"));
    await disk.replace("b/two", bytes("new"));
    assert.equal(await text("b/two"), "new");
    await disk.remove("b/two");
    assert.deepEqual(await disk.list("b"), []);
  });
});
