/**
 * Drafts: text, attachments and queue survive the window, and an unread draft is never overwritten.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { type Draft } from "../../../src/conversation/draft";
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
};

function open(files: MemoryFileSystem, clock = new ManualClock()): Drafts {
  return new Drafts(files, clock, silentLog, new Retries(clock));
}

describe("Drafts", () => {
  it("restores text, attachments, queue and the other text in another window", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    const draft = { ...WHOLE, other: "typed in another window" };
    drafts.save("c1", draft);
    await drafts.flush();
    assert.deepEqual(await open(files).load("c1"), draft);
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

  it("removes the file of a draft that is empty again", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    for (const text of ["typed", ""]) {
      drafts.save("c1", { text });
      await drafts.flush();
    }
    assert.equal(files.files.size, 0);
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

  const hologram = { id: "a2", part: { kind: "hologram" } };
  const earlier = {
    ...WHOLE,
    queued: [{ ...WHOLE.queued[0], edited: "waits no longer" }],
    scroll: { messageId: "m", offsetPx: 1 },
    others: ["first", "second"],
  };
  for (const [name, stored, expected] of [
    ["the first version, only a text", { text: "a" }, { text: "a", attached: [], queued: [] }],
    [
      "an earlier build, with several other texts and an unapplied edit",
      earlier,
      { ...WHOLE, other: "first\n\nsecond\n\nwaits no longer" },
    ],
    [
      "a newer version, without its attachment",
      { ...WHOLE, attached: [hologram, ...WHOLE.attached] },
      WHOLE,
    ],
  ] as const) {
    it(`reads a draft of ${name}`, async () => {
      const files = new MemoryFileSystem();
      files.files.set(PATH, new TextEncoder().encode(JSON.stringify(stored)));
      assert.deepEqual({ ...(await open(files).load("c1")) }, expected);
    });
  }

  const words = 'She said "no\\yes" – 再见\n';
  const file = Buffer.from(JSON.stringify({ ...WHOLE, text: words, replaces: [] }));
  const at = (part: string) => file.indexOf(part);
  for (const [name, damaged, expected] of [
    ["is cut off in its text", file.subarray(0, at("再见") + 3), 'She said "no\\yes" – 再'],
    ["is cut off in an escape", file.subarray(0, at("no") - 1), "She said "],
    ["is cut off behind its text", file.subarray(0, at("attached") + 4), words],
    [
      "has an unwritten block",
      Buffer.concat([file.subarray(0, at("said")), Buffer.alloc(4), file.subarray(at("said") + 4)]),
      words.replace("said", "\ufffd"),
    ],
    ["has a broken attachment", Buffer.from(file.toString().replace("a.ts", '"')), words],
  ] as const) {
    it(`restores the text of a draft that ${name}, and replaces its file`, async () => {
      const files = new MemoryFileSystem();
      files.files.set(PATH, new Uint8Array(damaged));
      const drafts = open(files);
      assert.deepEqual(
        (await drafts.unsent(() => true)).map(({ text }) => text),
        [expected],
      );
      assert.equal((await drafts.load("c1")).text, expected);
      drafts.save("c1", { text: "" });
      await drafts.flush();
      assert.equal((await open(files).load("c1")).text, "");
    });
  }

  it("lists the other drafts if one cannot be read, and reads each file once", async () => {
    const files = new MemoryFileSystem();
    const before = open(files);
    for (const id of ["c1", "c2", "c3"]) before.save(id, { text: `typed in ${id}` });
    await before.flush();
    const drafts = open(files);
    const read = files.read.bind(files);
    const paths: string[] = [];
    files.read = (path) => {
      paths.push(path);
      return path.includes("/c2.") ? Promise.reject(new Error("EIO")) : read(path);
    };
    const texts = async () => (await drafts.unsent(() => true)).map(({ text }) => text);
    assert.deepEqual(await texts(), ["typed in c1", "typed in c3"]);
    files.read = (path) => {
      paths.push(path);
      return read(path);
    };
    assert.deepEqual(await texts(), ["typed in c1", "typed in c2", "typed in c3"]);
    assert.equal(paths.filter((path) => path.includes("/c1.")).length, 1);
  });

  it("lists a draft whose only texts were set aside", async () => {
    const files = new MemoryFileSystem();
    const drafts = open(files);
    const editing = { messageId: "m", attached: [], parkedText: "set aside" };
    drafts.save("c1", { text: "", editing, other: "of another window" });
    await drafts.flush();
    assert.deepEqual(
      (await open(files).unsent(() => true)).map(({ text }) => text),
      ["set aside\n\nof another window"],
    );
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
