/**
 * The list of conversations against caches that are missing, stale, empty, damaged or from the
 * future, files that change under it, and files that cannot be read.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../../src/base/log";
import type { Step } from "../../../src/conversation/conversation";
import { ConversationIndex } from "../../../src/history/conversationIndex";
import { encodeIndexLine, INDEX_CACHE_PATH } from "../../../src/history/indexCache";
import { Journal } from "../../../src/history/journal";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/manualClock";
import { MemoryFileSystem } from "../../support/memoryFileSystem";
import { question, turn } from "./turns";

async function write(files: MemoryFileSystem, id: string, ...steps: Step[]): Promise<void> {
  await new Journal(files, new ManualClock(), silentLog, new Retries(new ManualClock())).append(
    id,
    steps,
  );
}

/** A disk with three conversations: an old one, one that is pinned, one in the bin. */
async function diskOfThree(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  await write(files, "old", { kind: "created", id: "old", atMs: 10, workspace: "w" });
  await write(files, "old", ...turn("t", null, "An old question", "A reply"));
  await write(files, "pinned", question("a", null, "A pinned one", 20));
  await write(files, "pinned", { kind: "pinned", isPinned: true });
  await write(files, "binned", question("a", null, "A deleted one", 30));
  await write(files, "binned", { kind: "deleted", atMs: 40 });
  return files;
}

function open(files: MemoryFileSystem): ConversationIndex {
  return new ConversationIndex(files, new ManualClock(), silentLog);
}

async function listed(files: MemoryFileSystem): Promise<string[]> {
  const index = open(files);
  await index.refresh();
  await index.flush();
  index.dispose();
  return index.list().map(({ id }) => id);
}

/** Reads of conversations' files while `run` runs. */
async function readsDuring(
  files: MemoryFileSystem,
  run: () => Promise<unknown>,
): Promise<string[]> {
  const reads: string[] = [];
  const read = files.read.bind(files);
  files.read = (path) => {
    if (path.startsWith("conversations/")) reads.push(path);
    return read(path);
  };
  await run();
  files.read = read;
  return reads;
}

describe("ConversationIndex", () => {
  it("lists the status of each conversation, pinned ones first, the bin separately", async () => {
    const files = await diskOfThree();
    const index = open(files);
    await index.refresh();
    assert.deepEqual(
      index.list().map(({ id }) => id),
      ["pinned", "old"],
    );
    assert.deepEqual(
      index.list({ isInBin: true }).map(({ id, deletedAtMs }) => [id, deletedAtMs]),
      [["binned", 40]],
    );
    assert.deepEqual(
      index.list({ workspace: "w" }).map(({ id }) => id),
      ["old"],
    );
    const { fileBytes, fileChangedAtMs, ...old } = index.get("old")!;
    assert.ok(fileBytes > 0 && fileChangedAtMs > 0);
    assert.deepEqual(old, {
      id: "old",
      title: "An old question",
      workspace: "w",
      createdAtMs: 10,
      changedAtMs: 10,
      messageCount: 2,
      modelCodes: ["core_llm"],
      pictureCount: 0,
      isPinned: false,
      damagedRecords: 0,
      newerRecords: 0,
      isUnreadable: false,
    });
  });

  it("does not read a cached conversation again if its file is unchanged", async () => {
    const files = await diskOfThree();
    await listed(files);
    assert.deepEqual(await readsDuring(files, () => listed(files)), []);
    await write(files, "old", { kind: "titled", title: "new" });
    const reads = await readsDuring(files, async () => {
      const index = open(files);
      await index.refresh();
      assert.equal(index.get("old")?.title, "new");
    });
    assert.deepEqual(reads, ["conversations/old.jsonl"]);
  });

  const WRONG_CACHES: Readonly<Record<string, (cache: Uint8Array) => Uint8Array | undefined>> = {
    missing: () => undefined,
    empty: () => new Uint8Array(),
    "cut off": (cache) => cache.slice(0, cache.length / 2),
    flipped: (cache) => cache.map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
    "of another kind": () => new TextEncoder().encode('{"entries":[]}'),
    "from the future": (cache) => {
      const text = new TextDecoder().decode(cache).replace('"v":2', '"v":99');
      return new TextEncoder().encode(text);
    },
    "stale in every entry": () =>
      encodeIndexLine([
        {
          id: "gone",
          createdAtMs: 1,
          changedAtMs: 1,
          messageCount: 1,
          modelCodes: [],
          pictureCount: 0,
          isPinned: true,
          damagedRecords: 0,
          newerRecords: 0,
          isUnreadable: false,
          fileBytes: 1,
          fileChangedAtMs: 1,
        },
      ]),
  };
  for (const [name, spoil] of Object.entries(WRONG_CACHES)) {
    it(`is rebuilt from the files if its cache is ${name}`, async () => {
      const files = await diskOfThree();
      await listed(files);
      const spoiled = spoil(files.files.get(INDEX_CACHE_PATH)!);
      if (spoiled) files.files.set(INDEX_CACHE_PATH, spoiled);
      else files.files.delete(INDEX_CACHE_PATH);
      assert.deepEqual(await listed(files), ["pinned", "old"]);
      assert.deepEqual(await readsDuring(files, () => listed(files)), []);
    });
  }

  it("leaves the cache of a newer version alone", async () => {
    const files = await diskOfThree();
    files.files.set("index-3.json", new Uint8Array([1, 2, 3]));
    await listed(files);
    assert.deepEqual(files.files.get("index-3.json"), new Uint8Array([1, 2, 3]));
  });

  it("reports damaged files with the number of lost records, and does not change them", async () => {
    const files = await diskOfThree();
    const path = "conversations/old.jsonl";
    const torn = files.files.get(path)!.slice(0, -5);
    files.files.set(path, torn);
    files.files.set("conversations/noise.jsonl", new Uint8Array([0, 255, 10, 10, 13, 7]));
    const index = open(files);
    await index.refresh();
    assert.deepEqual(
      index.damaged().map(({ id, damagedRecords }) => [id, damagedRecords]),
      [
        ["old", 1],
        ["noise", 2],
      ],
    );
    assert.equal(index.get("old")?.messageCount, 2);
    assert.deepEqual(files.files.get(path), torn);
    assert.equal(index.list().length, 3);
  });

  it("keeps the entry of a file that cannot be read, and reads it later", async () => {
    const files = await diskOfThree();
    const index = open(files);
    await index.refresh();
    await write(files, "old", { kind: "titled", title: "new" });
    const read = files.read.bind(files);
    files.read = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    await index.refresh();
    assert.equal(index.get("old")?.title, "An old question");
    assert.deepEqual(
      index.damaged().map(({ id, isUnreadable }) => [id, isUnreadable]),
      [["old", true]],
    );
    files.read = read;
    await index.refresh();
    assert.equal(index.get("old")?.title, "new");
    assert.deepEqual(index.damaged(), []);
  });

  it("shows the list from the cache if the folder cannot be listed", async () => {
    const files = await diskOfThree();
    await listed(files);
    files.list = () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
    assert.deepEqual(await listed(files), ["pinned", "old"]);
  });

  it("continues if the cache cannot be written", async () => {
    const files = await diskOfThree();
    files.replace = () => Promise.reject(Object.assign(new Error("no"), { code: "EPERM" }));
    assert.deepEqual(await listed(files), ["pinned", "old"]);
  });

  it("is unavailable while the folder cannot be listed, and ready afterwards", async () => {
    const files = new MemoryFileSystem();
    await write(files, "c1", question("a", null, "one"));
    const index = new ConversationIndex(files, new ManualClock(), silentLog);
    assert.equal(index.isUnavailable, false, "nothing was read yet");
    const list = files.list.bind(files);
    files.list = () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
    await index.refresh();
    assert.equal(index.isUnavailable, true);
    assert.equal(index.isReady, false);
    files.list = list;
    await index.refresh();
    assert.equal(index.isUnavailable, false);
    assert.equal(index.list().length, 1);
  });

  it("removes a conversation whose file is gone", async () => {
    const files = await diskOfThree();
    const index = open(files);
    await index.refresh();
    files.files.delete("conversations/old.jsonl");
    await index.refreshOne("old");
    assert.equal(index.get("old"), undefined);
    files.files.delete("conversations/pinned.jsonl");
    await index.refresh();
    assert.deepEqual(index.list(), []);
  });

  it("notifies when the list changed, and only then", async () => {
    const files = await diskOfThree();
    const index = open(files);
    let told = 0;
    index.onChanged(() => told++);
    await index.refresh();
    assert.equal(told, 1);
    await index.refresh();
    assert.equal(told, 1);
    await write(files, "old", { kind: "titled", title: "new" });
    await index.refreshOne("old");
    assert.equal(told, 2);
  });

  it("includes conversations that were written during the reading", async () => {
    const files = await diskOfThree();
    const index = open(files);
    const first = index.refresh();
    await write(files, "new", question("a", null, "new", 99));
    await Promise.all([first, index.refresh()]);
    assert.ok(index.get("new"));
  });

  it("skips files that are not conversations", async () => {
    const files = await diskOfThree();
    for (const name of [".DS_Store", "x.jsonl.123.tmp", "a b.jsonl", "x.json"]) {
      files.files.set(`conversations/${name}`, new Uint8Array([1]));
    }
    assert.deepEqual(await listed(files), ["pinned", "old"]);
  });
});
