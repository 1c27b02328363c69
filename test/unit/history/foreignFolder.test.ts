/**
 * A history on a folder that only writes whole files, as folders of other schemes than file and browsers:
 * several windows, machines and kills lose nothing, and everything works as on a local folder.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Log } from "../../../src/base/log";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { copyHistory, removeCopied } from "../../../src/history/moveHistory";
import type { FileSystem } from "../../../src/history/fileSystem";
import { filesWith } from "../../support/fakes/byteSearch";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { WholeFileDisk } from "../../support/fakes/wholeFileDisk";
import { ended, grown, question, turn } from "./turns";

const ID = "0mwrhrw8766d9ms7zp1";
const NEVER = new AbortController().signal;
const MINUTE_MS = 60_000;
const MAX_SEGMENT_BYTES = 128 * 1024;

function openHistory(
  files: FileSystem,
  clock = new ManualClock(),
  log: Log = silentLog,
): IndexedHistory {
  return new IndexedHistory(files, clock, log);
}

async function messageIds(files: FileSystem, id = ID): Promise<string[]> {
  const history = openHistory(files);
  const loaded = await history.journal.load(id);
  assert.equal(loaded?.damagedRecords ?? 0, 0, "a record is marked damaged");
  return [...(loaded?.conversation.messages.keys() ?? [])];
}

describe("a folder without append", () => {
  for (const windowCount of [2, 3]) {
    const seed = firstSeed();
    const records = { quick: 200, all: 800 };
    const title = `loses no record of ${windowCount} windows (seed ${seed})`;
    itWithRounds(title, records, async (count) => {
      const disk = new WholeFileDisk();
      disk.random = randomOf(seed);
      const expected: string[] = [];
      await Promise.all(
        Array.from({ length: windowCount }, async (_, window) => {
          const history = openHistory(disk.openWindow());
          for (let at = window; at < count; at += windowCount) {
            const id = `w${window}-${at}`;
            if (await history.journal.append(ID, [question(id, null, id)])) expected.push(id);
          }
        }),
      );
      assert.equal(expected.length, count);
      assert.deepEqual((await messageIds(disk.openWindow())).sort(), expected.sort());
    });
  }

  it("keeps every acknowledged record when killed at every call and at several bytes", async () => {
    for (const writtenBytes of [0, 1, 150, 100_000]) {
      for (let call = 0, isKilled = true; isKilled; call++) {
        const disk = new WholeFileDisk();
        const window = openHistory(disk.openWindow());
        await window.journal.append(ID, [question("a", null, "one")]);
        disk.fault = { atCall: disk.calls + call, kind: "die", writtenBytes };
        const isSaved = await window.journal.append(ID, [question("b", "a", "two")]);
        isKilled = disk.calls > disk.fault.atCall;
        disk.fault = undefined;
        const found = await messageIds(disk.openWindow());
        const context = `call ${call}, ${writtenBytes} bytes`;
        assert.ok(found.includes("a"), context);
        if (isSaved) assert.ok(found.includes("b"), context);
      }
    }
  });

  it("writes a bounded number of bytes for each checkpoint of a conversation of 3,000 messages", async () => {
    const disk = new WholeFileDisk();
    const history = openHistory(disk.openWindow());
    const text = "A question of usual length. ".repeat(50);
    for (let at = 0; at < 3_000; at += 100) {
      const batch = Array.from({ length: 100 }, (_, own) => question(`q${at + own}`, null, text));
      await history.journal.append(ID, batch);
    }
    const totalBytes = (await disk.openWindow().stat(`conversations/${ID}.jsonl`))!.bytes;
    assert.ok(totalBytes > 4_500_000, `${totalBytes}`);
    disk.writtenBytes.length = 0;
    for (let at = 0; at < 300; at++) {
      const steps = [grown("q2999", at * 100, "Another piece of the reply. ".repeat(4))];
      await history.journal.append(ID, steps);
    }
    const largest = Math.max(...disk.writtenBytes);
    assert.equal(disk.writtenBytes.length, 300);
    assert.ok(largest <= MAX_SEGMENT_BYTES, `${largest} of ${totalBytes} bytes`);
    assert.equal((await messageIds(disk.openWindow())).length, 3_000);
  });

  it("applies the changes of machines in their order, whatever their clocks say", async () => {
    const disk = new WholeFileDisk();
    const hour = 3_600_000;
    const ahead = openHistory(disk.openWindow(), new ManualClock(1_700_000_000_000 + hour));
    const behind = openHistory(disk.openWindow(), new ManualClock(1_700_000_000_000 - hour));
    await ahead.journal.append(ID, [
      question("a", null, "one"),
      { kind: "titled", title: "first" },
    ]);
    await behind.journal.append(ID, [
      question("b", "a", "two"),
      { kind: "titled", title: "second" },
    ]);
    await ahead.journal.append(ID, [{ kind: "pinned", isPinned: true }]);
    const shown = (await ahead.journal.load(ID))!.conversation;
    assert.deepEqual([shown.title, shown.leafId, shown.isPinned], ["second", "b", true]);
    await behind.journal.append(ID, [{ kind: "pinned", isPinned: false }]);
    await ahead.journal.append(ID, [question("c", "b", "three")]);
    const { conversation } = (await behind.journal.load(ID))!;
    assert.deepEqual([conversation.isPinned, conversation.leafId], [undefined, "c"]);
  });

  it("saves everything once it is back after it was offline", async () => {
    const disk = new WholeFileDisk();
    const clock = new ManualClock();
    const history = openHistory(disk.openWindow(), clock);
    await history.journal.append(ID, [question("a", null, "one")]);
    const other = openHistory(disk.openWindow());
    const list = disk.list.bind(disk);
    disk.list = () => Promise.reject(new Error("Unavailable"));
    assert.equal(await history.journal.append(ID, [question("b", "a", "two")]), false);
    assert.equal(history.canSave, false);
    await assert.rejects(other.journal.load(ID), /Unavailable/);
    disk.list = list;
    assert.equal(await history.journal.append(ID, [question("c", "b", "three")]), true);
    assert.equal(history.canSave, true);
    assert.deepEqual(await messageIds(disk.openWindow()), ["a", "b", "c"]);
  });

  it("reads the end of a conversation without the files before", async () => {
    const disk = new WholeFileDisk();
    const path = `conversations/${ID}.jsonl`;
    await openHistory(disk).journal.append(ID, [question("whole", null, "one")]);
    const seed = firstSeed();
    const random = randomOf(seed);
    const windows = [0, 1].map(() => openHistory(disk.openWindow()));
    for (let at = 0; at < 12; at++) {
      const text = "x".repeat(random(60_000));
      await windows[at % 2]!.journal.append(ID, [question(`q${at}`, null, text)]);
    }
    const files = disk.openWindow();
    const all = (await files.read(path))!;
    for (let round = 0; round < 60; round++) {
      const start = random(all.length);
      const end = start + random(all.length);
      const ranges = [[start, end] as const, [Math.max(0, start - 10), start] as const];
      const read = await files.readRanges(path, ranges);
      const expected = ranges.map(([from, to]) => all.slice(from, to));
      assert.deepEqual(
        read?.map((piece) => piece.slice()),
        expected,
        `seed ${seed}, ${round}`,
      );
    }
    const reads: string[] = [];
    const read = disk.read.bind(disk);
    disk.read = (name) => {
      reads.push(name);
      return read(name);
    };
    await files.readRanges(path, [[all.length - 1, all.length]]);
    assert.equal(reads.length, 1);
  });

  for (const hasSizes of [true, false]) {
    const readSeed = firstSeed();
    const provider = `a provider that reports ${hasSizes ? "" : "no "}sizes`;
    it(`reads every acknowledged record while a segment grows, from ${provider} (seed ${readSeed})`, async () => {
      const disk = new WholeFileDisk();
      disk.random = randomOf(readSeed);
      disk.hasSizes = hasSizes;
      const [writing, reading] = [openHistory(disk.openWindow()), openHistory(disk.openWindow())];
      const acknowledged: string[] = [];
      const write = async () => {
        for (let at = 0; at < 150; at++)
          if (await writing.journal.append(ID, [question(`q${at}`, null, "one")]))
            acknowledged.push(`q${at}`);
      };
      const read = async () => {
        while (acknowledged.length < 150) {
          const expected = [...acknowledged];
          const loaded = await reading.journal.load(ID);
          const found = loaded?.conversation.messages;
          assert.deepEqual(
            expected.filter((id) => found?.has(id) !== true),
            [],
          );
        }
      };
      await Promise.all([write(), read(), read(), read()]);
    });
  }

  it("reads the history of a released version unchanged, and continues it", async () => {
    const folder = "test/fixtures/released/0.1.0/history/conversations";
    const [name = ""] = readdirSync(folder);
    const id = name.replace(".jsonl", "");
    const path = `conversations/${name}`;
    const old = new Uint8Array(readFileSync(`${folder}/${name}`));
    const disk = new WholeFileDisk();
    await disk.replace(path, old);
    const local = openHistory(disk);
    const history = openHistory(disk.openWindow());
    const before = (await history.journal.load(id))!.conversation;
    assert.deepEqual(before, (await local.journal.load(id))!.conversation);
    await history.journal.append(id, [{ kind: "titled", title: "Gone on with" }]);
    assert.deepEqual(disk.files.get(path), old);
    assert.deepEqual((await history.journal.load(id))!.conversation, {
      ...before,
      title: "Gone on with",
    });
  });

  it("is moved from a local folder and back, with the same content", async () => {
    const clock = new ManualClock();
    const local = new MemoryFileSystem();
    const disk = new WholeFileDisk();
    const writing = openHistory(local, clock);
    const long = "long text ".repeat(20_000);
    await writing.journal.append(ID, [question("a", null, "one"), ...turn("t", "a", long, long)]);
    await writing.journal.append("c2", turn("t", null, "asked", "answered"));
    const { hash } = await writing.pictures.store(new TextEncoder().encode("picture"));
    writing.drafts.save(ID, { text: "a draft" });
    await writing.close();
    const contentOf = async (files: FileSystem) => {
      const history = openHistory(files, clock);
      const content = {
        ids: (await history.journal.list()).sort(),
        first: (await history.journal.load(ID))!.conversation,
        second: (await history.journal.load("c2"))!.conversation,
        draft: (await history.drafts.load(ID)).text,
        picture: (await history.pictures.read(hash)).kind,
      };
      return content;
    };
    const expected = await contentOf(local);
    const move = async (from: FileSystem, to: FileSystem) => {
      const later = new ManualClock(1_700_000_000_000 + MINUTE_MS);
      await copyHistory(from, to, () => undefined, NEVER);
      assert.equal(await removeCopied(from, to, later, NEVER), 0);
    };
    await move(local, disk.openWindow());
    assert.equal(local.files.size, 0);
    assert.deepEqual(await contentOf(disk.openWindow()), expected);
    const history = openHistory(disk.openWindow(), clock);
    await history.journal.append(ID, [{ kind: "titled", title: "moved" }]);
    await move(disk.openWindow(), local);
    assert.equal(disk.files.size, 0);
    const back = { ...expected, first: { ...expected.first, title: "moved" } };
    assert.deepEqual(await contentOf(local), back);
  });

  it("is shared with windows that can append", async () => {
    const disk = new WholeFileDisk();
    const clock = new ManualClock();
    disk.nowMs = () => clock.nowMs();
    const foreign = openHistory(disk.openWindow(), clock);
    const local = openHistory(disk, clock);
    await foreign.journal.append(ID, [
      question("a", null, "one"),
      { kind: "titled", title: "one" },
    ]);
    await local.journal.append(ID, [question("b", null, "two"), { kind: "titled", title: "two" }]);
    await foreign.journal.append(ID, [question("c", null, "three")]);
    clock.advance(MINUTE_MS);
    await (await local.fullIndex.list()).refresh();
    assert.deepEqual(
      [...disk.files.keys()].filter((path) => path.startsWith("conversations/")),
      [`conversations/${ID}.jsonl`],
    );
    await foreign.journal.append(ID, [question("d", null, "four")]);
    for (const history of [foreign, local]) await history.journal.append(ID, [ended("none")]);
    assert.deepEqual((await messageIds(disk.openWindow())).sort(), ["a", "b", "c", "d"]);
    await (await local.deletion()).removeConversations([ID]);
    assert.deepEqual(
      [...disk.files.keys()].filter((path) => path.startsWith("conversations/")),
      [],
    );
  });

  const forgetSeed = firstSeed();
  const forgetTitle = `loses no record and keeps no forgotten text while three windows write (seed ${forgetSeed})`;
  itWithRounds(forgetTitle, { quick: 12, all: 60 }, async (rounds) => {
    const random = randomOf(forgetSeed);
    for (let round = 0; round < rounds; round++) {
      const disk = new WholeFileDisk();
      const clock = new ManualClock();
      disk.nowMs = () => clock.nowMs();
      const windows = [0, 1, 2].map(() => openHistory(disk.openWindow(), clock));
      const expected: string[] = [];
      const write = async (at: number, id: string, text: string) => {
        await windows[at]!.journal.append(ID, [question(id, null, text)]);
        expected.push(id);
      };
      // The secret is in segments that windows still extend.
      for (let at = 0; at < 3; at++) {
        await write(at, `before${at}`, "text");
        await write(at, `secret${at}`, `lighthouse${at}`);
      }
      disk.random = random;
      const writing = [0, 1, 2].map(async (at) => {
        for (let number = 0; number < 6; number++) await write(at, `w${at}-${number}`, "text");
      });
      const forgetting = [0, 1].map(async (at) => {
        const { conversation } = (await windows[at]!.journal.load(ID))!;
        for (const messageId of [`secret${at}`, "secret2"])
          await windows[at]!.forget(ID, messageId, conversation);
      });
      await Promise.all(writing);
      // A segment that was seen half-written stays for a minute.
      const results = await Promise.allSettled(forgetting);
      disk.random = undefined;
      if (results.some(({ status }) => status === "rejected")) {
        clock.advance(2 * MINUTE_MS);
        await windows[2]!.finishDeletions();
      }
      const context = `seed ${forgetSeed}, round ${round}`;
      assert.deepEqual((await messageIds(disk.openWindow())).sort(), expected.sort(), context);
      assert.deepEqual(filesWith(disk.files, "lighthouse"), [], context);
    }
  });

  it("stays forgotten when a window writes a whole conversation again that it has in memory", async () => {
    const disk = new WholeFileDisk();
    const [first, second] = [openHistory(disk.openWindow()), openHistory(disk.openWindow())];
    await second.journal.append(ID, turn("t", null, "lighthouse", "reply"));
    const inMemory = (await second.journal.load(ID))!.conversation;
    second.journal.restoreFrom(() => inMemory);
    await first.forget(ID, "t-q", inMemory);
    for (const path of [...disk.files.keys()])
      if (path.startsWith("conversations/")) disk.files.delete(path);
    await second.journal.append(ID, [question("next", "t-r", "next")]);
    assert.deepEqual((await messageIds(disk.openWindow())).sort(), ["next", "t-q", "t-r"]);
    assert.deepEqual(filesWith(disk.files, "lighthouse"), []);
  });
});
