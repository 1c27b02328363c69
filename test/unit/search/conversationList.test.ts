/**
 * The list of conversations when its cache is missing, stale, empty, damaged or newer, when files
 * change, and when files cannot be read.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import type { Step } from "../../../src/conversation/conversation";
import { ConversationList, type ListFilter } from "../../../src/search/conversationList";
import { LIST_CACHE_PATH } from "../../../src/history/paths";
import { encodeEntry, type IndexEntry } from "../../../src/search/indexEntry";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { readsDuring } from "../../support/fakes/readsDuring";
import { openJournal } from "../history/openJournal";
import { question, turn } from "../history/turns";

async function write(files: MemoryFileSystem, id: string, ...steps: Step[]): Promise<void> {
  await openJournal(files).append(id, steps);
}

/** Creates files of an old, a pinned and a deleted conversation. */
async function diskOfThree(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  await write(files, "old", { kind: "created", id: "old", atMs: 10, workspace: "w" });
  await write(files, "old", ...turn("t", null, "An old question", "A reply"));
  await write(files, "pinned", { kind: "created", id: "pinned", atMs: 15 });
  await write(files, "pinned", question("a", null, "A pinned one", 20));
  await write(files, "pinned", { kind: "pinned", isPinned: true });
  await write(files, "binned", question("a", null, "A deleted one", 30));
  await write(files, "binned", { kind: "deleted", atMs: 40 });
  return files;
}

function open(files: MemoryFileSystem): ConversationList {
  return new ConversationList(files, new ManualClock(), silentLog);
}

async function refreshed(files: MemoryFileSystem): Promise<ConversationList> {
  const list = open(files);
  await list.refresh();
  return list;
}

function idsIn(list: ConversationList, filter?: ListFilter): string[] {
  return list.list(filter).map(({ id }) => id);
}

/** Returns the ids in the list of a window that is then closed. */
async function listed(files: MemoryFileSystem): Promise<string[]> {
  const list = await refreshed(files);
  await list.flush();
  list.dispose();
  return idsIn(list);
}

/** Makes calls of a method reject, until the returned function is called. */
function failing(files: MemoryFileSystem, method: "list" | "read" | "replace"): () => void {
  const fail = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
  Object.assign(files, { [method]: fail });
  return () => Reflect.deleteProperty(files, method);
}

const NO_ENTRY: Omit<IndexEntry, "id"> = {
  createdAtMs: 1,
  changedAtMs: 1,
  messageCount: 1,
  modelCodes: [],
  pictureCount: 0,
  isPinned: false,
  damagedRecords: 0,
  newerRecords: 0,
  isUnreadable: false,
  fileBytes: 1,
  fileChangedAtMs: 1,
};

function damagedIn(index: ConversationList): IndexEntry[] {
  return index
    .entries()
    .filter(({ damagedRecords, isUnreadable }) => damagedRecords > 0 || isUnreadable);
}

describe("ConversationList", () => {
  it("lists the status of each conversation, pinned ones first, the bin separately", async () => {
    const files = await diskOfThree();
    const index = await refreshed(files);
    assert.deepEqual(idsIn(index), ["pinned", "old"]);
    assert.deepEqual(idsIn(index, { isInBin: true }), ["binned"]);
    assert.equal(index.get("binned")?.deletedAtMs, 40);
    assert.deepEqual(idsIn(index, { workspace: "w" }), ["old"]);
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

  it("returns the newest conversations with messages, pinned or not", async () => {
    const files = await diskOfThree();
    await write(files, "empty", { kind: "created", id: "empty", atMs: 99 });
    await write(files, "newest", question("a", null, "A new one", 90));
    const index = await refreshed(files);
    for (const count of [1, 2, 3])
      assert.deepEqual(
        index.newest({}, count).map(({ id }) => id),
        ["newest", "pinned", "old"].slice(0, count),
      );
  });

  it("restores every entry from the cache as its file gives it", async () => {
    const files = await diskOfThree();
    const image = { kind: "image-address", url: "https://pictures.example/owl.png" } as const;
    await write(files, "pictures", { kind: "created", id: "pictures", atMs: 5, workspace: "v" });
    await write(files, "pictures", {
      kind: "message-added",
      message: { role: "user", id: "a", parentId: null, parts: [image, image], sentAtMs: 7 },
    });
    await write(files, "pictures", { kind: "titled", title: "\ufeff猫头鹰 🦉 é" });
    await write(files, "noise", ...turn("t", null, "A question", "A reply"));
    await files.append("conversations/noise.jsonl", new TextEncoder().encode("\nnoise\n"));
    for (let number = 0; number < 1_500; number++)
      await write(files, `many${number}`, { kind: "created", id: `many${number}`, atMs: number });
    const first = await refreshed(files);
    const entries = first.list({ isInBin: "either" });
    assert.equal(entries.length, 1_505);
    assert.equal(first.get("pictures")?.title, "\ufeff猫头鹰 🦉 é");
    await first.flush();
    const next = open(files);
    await next.load();
    assert.deepEqual(next.list({ isInBin: "either" }), entries);
    for (const entry of entries) assert.deepEqual(next.get(entry.id), entry);
  });

  const WRONG_CACHES: Readonly<Record<string, (cache: Uint8Array) => Uint8Array | undefined>> = {
    missing: () => undefined,
    empty: () => new Uint8Array(),
    "cut off": (cache) => cache.slice(0, cache.length / 2),
    flipped: (cache) => cache.map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
    "of another kind": () => new TextEncoder().encode('{"entries":[]}'),
    "cut off in a checksum": (cache) => cache.slice(0, 5),
    "outdated in every entry": () => encodeEntry({ ...NO_ENTRY, id: "gone", isPinned: true }),
    "without a field": () => encodeEntry({ id: "old", isPinned: true } as IndexEntry),
  };
  for (const [name, damage] of Object.entries(WRONG_CACHES)) {
    it(`is rebuilt from the files if its cache is ${name}`, async () => {
      const files = await diskOfThree();
      await listed(files);
      const damaged = damage(files.files.get(LIST_CACHE_PATH)!);
      if (damaged) files.files.set(LIST_CACHE_PATH, damaged);
      else files.files.delete(LIST_CACHE_PATH);
      assert.deepEqual(await listed(files), ["pinned", "old"]);
      assert.deepEqual(await readsDuring(files, () => listed(files)), []);
    });
  }

  it("reports damaged files with the number of lost records, and does not change them", async () => {
    const files = await diskOfThree();
    const path = "conversations/old.jsonl";
    const truncated = files.files.get(path)!.slice(0, -5);
    files.files.set(path, truncated);
    files.files.set("conversations/noise.jsonl", new Uint8Array([0, 255, 10, 10, 13, 7]));
    const index = await refreshed(files);
    assert.deepEqual(
      damagedIn(index).map(({ id, damagedRecords }) => [id, damagedRecords]),
      [
        ["old", 1],
        ["noise", 2],
      ],
    );
    assert.equal(index.get("old")?.messageCount, 2);
    assert.deepEqual(files.files.get(path), truncated);
    assert.equal(index.list().length, 3);
  });

  it("keeps the entry of a file that cannot be read, and reads it later", async () => {
    const files = await diskOfThree();
    const index = await refreshed(files);
    await write(files, "old", { kind: "titled", title: "new" });
    const restore = failing(files, "read");
    await index.refresh();
    assert.equal(index.get("old")?.title, "An old question");
    assert.deepEqual(
      damagedIn(index).map(({ id, isUnreadable }) => [id, isUnreadable]),
      [["old", true]],
    );
    restore();
    await index.refresh();
    assert.equal(index.get("old")?.title, "new");
    assert.deepEqual(damagedIn(index), []);
  });

  it("shows the list from the cache if the folder cannot be listed", async () => {
    const files = await diskOfThree();
    await listed(files);
    failing(files, "list");
    assert.deepEqual(await listed(files), ["pinned", "old"]);
  });

  it("continues if the cache cannot be written", async () => {
    const files = await diskOfThree();
    failing(files, "replace");
    assert.deepEqual(await listed(files), ["pinned", "old"]);
  });

  it("is unavailable while the folder cannot be listed, and ready afterwards", async () => {
    const files = new MemoryFileSystem();
    await write(files, "c1", question("a", null, "one"));
    const index = open(files);
    const status = () => [index.isUnavailable, index.isReady, index.list().length];
    assert.deepEqual(status(), [false, false, 0], "nothing was read yet");
    const restore = failing(files, "list");
    await index.refresh();
    assert.deepEqual(status(), [true, false, 0]);
    restore();
    await index.refresh();
    assert.deepEqual(status(), [false, true, 1]);
  });

  it("removes a conversation whose file is gone", async () => {
    const files = await diskOfThree();
    const index = await refreshed(files);
    files.files.delete("conversations/old.jsonl");
    await index.refreshOne("old");
    assert.equal(index.get("old"), undefined);
    files.files.delete("conversations/pinned.jsonl");
    await index.refresh();
    assert.deepEqual(index.list(), []);
  });
});
