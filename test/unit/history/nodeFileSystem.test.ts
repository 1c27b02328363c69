/**
 * The file system of the journal on a real disk: its guarantees, and that the error codes of the
 * disk are passed on.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSystem } from "../../../src/history/fileSystem";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("nodeFileSystem", () => {
  let root: string;
  let files: FileSystem;
  beforeEach(async () => {
    root = await fs.mkdtemp(join(tmpdir(), "core-chat-files-"));
    files = nodeFileSystem(join(root, "store"));
  });
  afterEach(() => fs.rm(root, { recursive: true, force: true }));

  async function text(path: string): Promise<string | undefined> {
    const read = await files.read(path);
    return read && new TextDecoder().decode(read);
  }

  it("creates files and folders as needed, also after they were deleted", async () => {
    assert.equal(await files.append("a/b/c", bytes("one")), 0);
    assert.equal(await files.append("a/b/c", bytes("two")), 3);
    assert.equal(await text("a/b/c"), "onetwo");
    await fs.rm(join(root, "store"), { recursive: true });
    assert.equal(await files.append("a/b/c", bytes("three")), 0);
    await files.replace("x/y", bytes("four"));
    assert.equal(await text("x/y"), "four");
  });

  it("returns size and whole milliseconds, names, and removes", async () => {
    await files.append("a/b", bytes("12345"));
    const facts = await files.stat("a/b");
    assert.equal(facts?.bytes, 5);
    assert.ok(Number.isInteger(facts.changedAtMs));
    assert.deepEqual(await files.list("a"), ["b"]);
    assert.deepEqual(await files.list(""), ["a"]);
    await files.remove("a/b");
    assert.deepEqual(await files.list("a"), []);
  });

  it("keeps the old file, and no temporary file, when a rename is not permitted", async () => {
    await files.replace("a", bytes("old"));
    const refused = Object.assign(new Error("no"), { code: "EPERM" });
    const broken = nodeFileSystem(join(root, "store"), {
      ...fs,
      rename: () => Promise.reject(refused),
    });
    await assert.rejects(broken.replace("a", bytes("new")), refused);
    assert.equal(await text("a"), "old");
    assert.deepEqual(await files.list(""), ["a"]);
  });

  it("rejects when the disk accepted only a part, so that the whole is written again", async () => {
    const broken = nodeFileSystem(join(root, "store"), {
      ...fs,
      open: async (...args) => {
        const file = await fs.open(...args);
        return new Proxy(file, {
          get(target, name) {
            if (name === "write") return (part: Uint8Array) => target.write(part.subarray(0, 2));
            const value: unknown = Reflect.get(target, name);
            return typeof value === "function" ? (value.bind(target) as unknown) : value;
          },
        });
      },
    });
    await assert.rejects(broken.append("a", bytes("whole")), { name: "ShortWrite" });
  });

  it("rejects with the system's code when a real device is full", async function () {
    if (!existsSync("/dev/full")) return;
    await fs.mkdir(join(root, "store"));
    await fs.symlink("/dev/full", join(root, "store", "a"));
    await assert.rejects(files.append("a", bytes("one")), { code: "ENOSPC" });
  });
});
