/**
 * The journal on a disk that fails, stops in the middle of a write, or has damaged or newer files.
 */
import assert from "node:assert/strict";
import { applySteps, emptyConversation, type Step } from "../../../src/conversation/conversation";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { openJournal } from "./openJournal";
import { question } from "./turns";

const ID = "c1";
const PATH = `conversations/${ID}.jsonl`;

/** Waits for all pending work that uses no timer. */
const untilIdle = () => new Promise((resolve) => setImmediate(resolve));

async function textsIn(files: MemoryFileSystem): Promise<string[]> {
  const loaded = await openJournal(files).load(ID);
  return [...(loaded?.conversation.messages.values() ?? [])].map((message) =>
    message.role === "user" && message.parts[0]?.kind === "text" ? message.parts[0].text : "",
  );
}

/** Error codes of a disk. */
const DISK_CODES = ["ENOSPC", "EACCES", "EROFS", "EIO", "EPERM"];

describe("Journal", () => {
  it("lists conversations, newest first", async () => {
    const journal = openJournal(new MemoryFileSystem());
    for (const id of ["c2", "c3", "c1"]) await journal.append(id, [question("a", null, "one")]);
    assert.deepEqual(await journal.list(), ["c3", "c2", "c1"]);
  });

  it("continues a deleted conversation as a new one", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    const steps = [question("a", null, "one"), question("b", "a", "two")];
    journal.restoreFrom((id) => applySteps(emptyConversation(id, 0), steps));
    await journal.append(ID, steps);
    await journal.removeForever(ID);
    assert.equal(await journal.has(ID), false);
    await journal.append(ID, [question("c", null, "three")]);
    assert.deepEqual(await textsIn(files), ["three"]);
    assert.equal(await journal.hasForeignChanges(ID), false);
    await openJournal(files).append(ID, [question("d", "c", "four")]);
    assert.equal(await journal.hasForeignChanges(ID), true);
  });

  it("shows every intact record of a file truncated at any byte, and does not change the file", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    await journal.append(ID, [question("a", null, "one")]);
    const firstLength = files.files.get(PATH)?.length ?? 0;
    await journal.append(ID, [question("b", "a", "two")]);
    const whole = files.files.get(PATH) ?? new Uint8Array();
    for (let length = 0; length <= whole.length; length++) {
      files.files.set(PATH, whole.slice(0, length));
      const texts = await textsIn(files);
      // The closing line ending is not part of a record's content.
      const expected = length >= whole.length - 1 ? 2 : length >= firstLength - 1 ? 1 : 0;
      assert.equal(texts.length, expected, `truncated to ${length}`);
      assert.equal(files.files.get(PATH)?.length, length);
    }
  });

  it("loads the steps of another window once its own are saved", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const journal = openJournal(files, clock);
    await journal.append(ID, [question("a", null, "one")]);
    assert.equal(await journal.loadForeignChanges(ID), undefined, "nothing was added");
    await openJournal(files).append(ID, [question("b", "a", "two")]);
    files.fault = { atCall: files.calls, kind: "fail", writtenBytes: 0 };
    await journal.append(ID, [question("c", "b", "three")]);
    assert.equal(await journal.loadForeignChanges(ID), undefined, "a step is not saved");
    clock.advance(5_000);
    await journal.settle();
    const changes = await journal.loadForeignChanges(ID);
    assert.deepEqual([...(changes?.conversation.messages.keys() ?? [])], ["a", "b", "c"]);
    changes?.accept();
    assert.equal(await journal.loadForeignChanges(ID), undefined, "the changes are loaded");
  });

  it("skips records of a newer format without changing them", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    await journal.append(ID, [question("a", null, "one")]);
    const future = '{"v":2,"id":"x","step":{"kind":"dreamt"}}';
    const bytes = new TextEncoder().encode(`\n${crcHex(future)} ${future}\n`);
    await files.append(PATH, bytes);
    const before = files.files.get(PATH)?.slice();
    const loaded = await openJournal(files).load(ID);
    assert.equal(loaded?.newerRecords, 1);
    assert.equal(loaded.damagedRecords, 0);
    assert.deepEqual(await textsIn(files), ["one"]);
    assert.deepEqual(files.files.get(PATH), before);
  });

  for (const code of DISK_CODES) {
    it(`continues, reports it and catches up when every write fails with ${code} for a while`, async () => {
      const files = new MemoryFileSystem();
      const clock = new ManualClock();
      const retries = new Retries(clock);
      const journal = openJournal(files, clock, retries);
      const states: boolean[] = [];
      retries.onChanged((isSaved) => states.push(isSaved));
      await journal.append(ID, [question("a", null, "one")]);
      const append = files.append.bind(files);
      files.append = () => Promise.reject(Object.assign(new Error("no"), { code }));
      assert.equal(await journal.append(ID, [question("b", "a", "two")]), false);
      assert.equal(await journal.append("c2", [question("x", null, "other")]), false);
      for (let tries = 0; tries < 3; tries++) {
        clock.advance(5_000);
        await untilIdle();
      }
      assert.deepEqual(states, [false]);
      files.append = append;
      assert.equal(await journal.append(ID, [question("c", "b", "three")]), true);
      assert.deepEqual(states, [false], "the other conversation is not saved yet");
      clock.advance(5_000);
      await untilIdle();
      assert.deepEqual(states, [false, true]);
      assert.deepEqual(await textsIn(files), ["one", "two", "three"]);
      assert.equal((await openJournal(files).load("c2"))?.conversation.messages.size, 1);
    });
  }

  it("writes the whole conversation again if its file was deleted", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    const steps: Step[] = [
      { kind: "created", id: ID, atMs: 7, workspace: "sample" },
      question("a", null, "one"),
      question("b", "a", "two"),
      { kind: "titled", title: "kept" },
    ];
    journal.restoreFrom((id) => applySteps(emptyConversation(id, 0), steps));
    await journal.append(ID, steps);
    files.files.clear();
    steps.push(question("c", "b", "three"));
    await journal.append(ID, steps.slice(-1));
    const loaded = await openJournal(files).load(ID);
    assert.deepEqual((await textsIn(files)).sort(), ["one", "three", "two"]);
    assert.equal(loaded?.conversation.title, "kept");
    assert.equal(loaded.conversation.createdAtMs, 7);
    assert.equal(loaded.conversation.leafId, "c");
  });

  it("does not report a record as damaged that was written again as a whole", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const journal = openJournal(files, clock);
    files.fault = { atCall: 0, kind: "fail", writtenBytes: 40 };
    await journal.append(ID, [question("a", null, "one")]);
    clock.advance(5_000);
    await untilIdle();
    assert.equal((await openJournal(files).load(ID))?.damagedRecords, 0);
  });

  it("marks steps that older versions do not support, and only those", async () => {
    const files = new MemoryFileSystem();
    const asked = { role: "user", id: "c", parentId: "a", sentAtMs: 1 } as const;
    const quoted = { messageId: "a", start: 0, end: 3, isThinking: false };
    const quote = { kind: "note", source: "quote", label: "“one”", text: "> one", quoted } as const;
    await openJournal(files).append(ID, [
      question("a", null, "one"),
      { kind: "pinned", isPinned: true },
      { kind: "model-chosen", model: "vl" },
      { kind: "deleted", atMs: 5 },
      { kind: "reply-thought", messageId: "b", offset: 0, text: "Hm.", durationMs: 1 },
      { kind: "message-added", message: { ...asked, parts: [quote] } },
      { kind: "aside-added", message: { ...asked, id: "d", isAside: true, parts: [] } },
    ]);
    const text = new TextDecoder().decode(files.files.get(PATH));
    assert.deepEqual(
      [...text.matchAll(/"v":(\d)/g)].map(([, version]) => version),
      ["1", "2", "2", "2", "2", "4", "4"],
    );
    const loaded = await openJournal(files).load(ID);
    assert.equal(loaded?.conversation.isPinned, true);
    assert.equal(loaded.conversation.model, "vl");
    assert.equal(loaded.conversation.deletedAtMs, 5);
    assert.deepEqual(loaded.conversation.messages.get("c"), { ...asked, parts: [quote] });
  });

  it("reads and writes nothing outside its folder for any id", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    for (const id of ["../drafts/x", "a/b", "", "a\\b", "x".repeat(65), "a.b"]) {
      await assert.rejects(journal.append(id, [question("a", null, "one")]), RangeError);
      assert.equal(await journal.load(id), undefined);
    }
    assert.equal(files.files.size, 0);
  });
});

/** Calculates the CRC-32 of ISO 3309 bit by bit, independent of the journal's table. */
function crcHex(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}
