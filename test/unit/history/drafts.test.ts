/**
 * Drafts: text, attachments and queue survive the window, and an unread draft is never overwritten.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../../src/base/log";
import type { Draft } from "../../../src/history/draft";
import { Drafts } from "../../../src/history/drafts";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

const PATH = "drafts/c1.json";
const EXCERPT = {
  kind: "excerpt",
  path: "a.ts",
  uri: "file:///a.ts",
  languageId: "typescript",
  text: "const a = 1;",
} as const;
const WHOLE: Draft = {
  text: "typed",
  attached: [{ id: "a1", part: EXCERPT }],
  queued: [{ id: "1", parts: [{ kind: "text", text: "waits" }] }],
  scroll: { messageId: "m", offsetPx: -12.5 },
};

function open(files: MemoryFileSystem, clock = new ManualClock()): Drafts {
  return new Drafts(files, clock, silentLog, new Retries(clock));
}

describe("Drafts", () => {
  it("restores text, attachments, queue and scroll position in another window", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    drafts.save("c1", WHOLE);
    await drafts.flush();
    assert.deepEqual(await open(files).load("c1"), WHOLE);
  });

  it("saves during typing, not only after a pause", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const drafts = open(files, clock);
    for (let key = 0; key < 10; key++) {
      drafts.save("c1", { text: "x".repeat(key) });
      clock.advance(100);
    }
    await drafts.flush();
    const writes = files.calls;
    assert.ok(writes >= 3, `${writes} calls`);
    assert.equal((await open(files).load("c1")).text, "x".repeat(9));
  });

  it("keeps the attachments if the text changes before the draft was read", async () => {
    const files = new MemoryFileSystem();
    const before = open(files);
    before.save("c1", WHOLE);
    await before.flush();
    const drafts = open(files);
    drafts.save("c1", { text: "other text" });
    assert.equal(drafts.current("c1").text, "other text");
    await drafts.flush();
    assert.deepEqual(await open(files).load("c1"), { ...WHOLE, text: "other text" });
  });

  it("logs no typed text when a file is damaged", async () => {
    const files = new MemoryFileSystem();
    const damaged = '{"text":\0typed by the user';
    await files.replace(PATH, new TextEncoder().encode(damaged));
    const logged: string[] = [];
    const note = (message: string) => void logged.push(message);
    const log = { info: note, warn: note, error: note };
    await new Drafts(files, new ManualClock(), log, new Retries(new ManualClock())).load("c1");
    assert.equal(logged.length, 1);
    assert.doesNotMatch(logged.join(), /typed|text/);
  });

  it("removes the file of a draft that is empty again", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    drafts.save("c1", { text: "typed" });
    await drafts.flush();
    drafts.save("c1", { text: "" });
    await drafts.flush();
    assert.equal(files.files.size, 0);
  });

  it("reads a draft of the first version, which was only a text", async () => {
    const files = new MemoryFileSystem();
    files.files.set(PATH, new TextEncoder().encode('{"text":"typed"}'));
    assert.deepEqual(await open(files).load("c1"), {
      text: "typed",
      attached: [],
      queued: [],
    });
  });

  it("does not change a draft of an unknown format", async () => {
    const files = new MemoryFileSystem();
    const unknownFormat = new TextEncoder().encode('{"v":9,"pages":["kept"]}');
    files.files.set(PATH, unknownFormat);
    const drafts = open(files);
    drafts.save("c1", { text: "typed" });
    await drafts.flush();
    drafts.save("c1", { text: "typed on" });
    await drafts.flush();
    assert.deepEqual(files.files.get(PATH), unknownFormat);
    assert.equal((await open(files).load("c1")).text, "typed on");
    assert.equal(files.files.size, 2);
  });

  it("does not overwrite a draft while it cannot be read", async () => {
    const files = new MemoryFileSystem();
    const before = open(files);
    before.save("c1", WHOLE);
    await before.flush();
    const clock = new ManualClock();
    const retries = new Retries(clock);
    const drafts = new Drafts(files, clock, silentLog, retries);
    const read = files.read.bind(files);
    files.read = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    drafts.save("c1", { text: "other text" });
    await drafts.flush();
    assert.equal(retries.isSettled, false);
    files.read = read;
    await retries.retryAll();
    assert.equal(retries.isSettled, true);
    assert.deepEqual(await open(files).load("c1"), { ...WHOLE, text: "other text" });
  });

  it("saves the newest text last when writes are slow", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    const replace = files.replace.bind(files);
    let delays = 5;
    files.replace = async (path, bytes) => {
      for (let turns = delays--; turns > 0; turns--) await Promise.resolve();
      await replace(path, bytes);
    };
    drafts.save("c1", { text: "one" });
    const first = drafts.flush();
    drafts.save("c1", { text: "two" });
    await Promise.all([first, drafts.flush()]);
    assert.equal((await open(files).load("c1")).text, "two");
  });
});
