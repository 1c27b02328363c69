/** The automatic cleanup deletes only the bin's old conversations and unreferenced pictures. */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { BIN_MS } from "../../../src/history/cleanup";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question } from "./turns";

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 60 * 60 * 1000;

class Rig {
  readonly files = new MemoryFileSystem();
  readonly clock = new ManualClock();
  readonly history = new IndexedHistory(this.files, this.clock, silentLog);

  constructor() {
    this.files.nowMs = () => this.clock.nowMs();
  }

  async runCleanup(): Promise<void> {
    await this.history.cleanUp(NEVER);
  }

  async moveToBin(id: string): Promise<void> {
    await this.history.journal.append(id, [{ kind: "deleted", atMs: this.clock.nowMs() }]);
    await (await this.history.fullIndex.list()).refreshOne(id);
  }

  has(path: string): boolean {
    return this.files.files.has(path);
  }

  async picture(text: string): Promise<string> {
    return (await this.history.pictures.store(new TextEncoder().encode(text))).hash;
  }

  /** Writes a conversation that contains a picture. */
  async show(id: string, hash: string): Promise<void> {
    const facts = { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: 1, name: "x" };
    const parts = [{ kind: "image" as const, hash, ...facts }];
    const message = { role: "user" as const, id: "m", parentId: null, parts, sentAtMs: 1 };
    await this.history.journal.append(id, [{ kind: "message-added", message }]);
  }
}

describe("the bin", () => {
  it("keeps a conversation for 30 days, restorable, then removes it with its draft", async () => {
    const rig = new Rig();
    const { history, clock } = rig;
    await history.journal.append("c1", [question("a", null, "one")]);
    await history.journal.append("c2", [question("a", null, "two")]);
    history.drafts.save("c1", { text: "draft" });
    await history.drafts.flush();
    await rig.moveToBin("c1");
    await rig.moveToBin("c2");
    clock.advance(BIN_MS - 1);
    await rig.runCleanup();
    assert.ok(rig.has("conversations/c1.jsonl"));
    await history.journal.append("c2", [{ kind: "restored", atMs: clock.nowMs() }]);
    await (await history.fullIndex.list()).refreshOne("c2");
    // The window indexes the change; a fake clock that moves on meanwhile would stop this.
    clock.advance(5_500);
    await (await history.fullIndex.search()).texts.update();
    clock.advance(DAY_MS);
    await rig.runCleanup();
    clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.deepEqual(
      [...rig.files.files.keys()].filter((path) => path.includes("c1")),
      [],
    );
    assert.ok(rig.has("conversations/c2.jsonl"));
    assert.deepEqual((await history.fullIndex.list()).list({ isInBin: true }), []);
  });

  it("keeps a conversation for 30 days after the last text typed in it", async () => {
    const rig = new Rig();
    const { history, clock } = rig;
    await history.journal.append("c1", [question("a", null, "one")]);
    await rig.moveToBin("c1");
    clock.advance(BIN_MS - 1);
    history.drafts.save("c1", { text: "typed in the bin" });
    await history.drafts.flush();
    clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.ok(rig.has("conversations/c1.jsonl"));
    clock.advance(BIN_MS);
    await rig.runCleanup();
    clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.equal(rig.has("conversations/c1.jsonl"), false);
  });

  it("is kept when the computer starts once with a clock 400 days ahead", async () => {
    const rig = new Rig();
    const { history, files } = rig;
    const clock = new ManualClock(rig.clock.nowMs() + 400 * DAY_MS);
    await history.journal.append("c1", [question("a", null, "one")]);
    await rig.moveToBin("c1");
    files.nowMs = () => clock.nowMs();
    await new IndexedHistory(files, clock, silentLog).cleanUp(NEVER);
    await new IndexedHistory(files, clock, silentLog).cleanUp(NEVER);
    files.nowMs = () => rig.clock.nowMs();
    for (let day = 0; day < 3; day++) {
      rig.clock.advance(DAY_MS);
      await rig.runCleanup();
    }
    assert.ok(rig.has("conversations/c1.jsonl"));
  });

  it("is kept when that clock starts two windows, and the history is on a network disk with its own", async () => {
    const rig = new Rig();
    await rig.history.journal.append("c1", [question("a", null, "one")]);
    await rig.moveToBin("c1");
    const ahead = new ManualClock(rig.clock.nowMs() + 400 * DAY_MS);
    for (let window = 0; window < 2; window++)
      await new IndexedHistory(rig.files, ahead, silentLog).cleanUp(NEVER);
    assert.ok(rig.has("conversations/c1.jsonl"));
  });

  it("keeps conversations that are damaged, newer, or deleted in the future", async () => {
    const rig = new Rig();
    const { history, files, clock } = rig;
    const future = clock.nowMs() + 2 * BIN_MS;
    for (const id of ["damaged", "future"]) {
      await history.journal.append(id, [question("a", null, "one")]);
    }
    await rig.moveToBin("damaged");
    await files.append("conversations/damaged.jsonl", new TextEncoder().encode("\nnoise\n"));
    await history.journal.append("future", [{ kind: "deleted", atMs: future }]);
    clock.advance(BIN_MS);
    await rig.runCleanup();
    assert.ok(rig.has("conversations/damaged.jsonl"));
    assert.ok(rig.has("conversations/future.jsonl"));
  });

  it("is left alone once the window closes", async () => {
    const rig = new Rig();
    await rig.history.journal.append("c1", [question("a", null, "one")]);
    await rig.moveToBin("c1");
    rig.clock.advance(BIN_MS);
    const reason = new Error("the window closes");
    await assert.rejects(rig.history.cleanUp(AbortSignal.abort(reason)), reason);
    assert.ok(rig.has("conversations/c1.jsonl"));
  });

  it("is cleaned up once a day over all windows", async () => {
    const rig = new Rig();
    await rig.runCleanup();
    const calls = rig.files.calls;
    await rig.runCleanup();
    await new IndexedHistory(rig.files, rig.clock, silentLog).cleanUp(NEVER);
    // Each run looks for unfinished deletions and at the times of the last cleanup.
    assert.equal(rig.files.calls, calls + 6);
    rig.clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.ok(rig.files.calls > calls + 10);
  });
});

describe("unreferenced pictures", () => {
  it("are removed after a day; referenced, drafted and new ones stay", async () => {
    const rig = new Rig();
    const [named, drafted, unnamed] = await Promise.all(["a", "b", "c"].map((x) => rig.picture(x)));
    await rig.show("c1", named!);
    const facts = { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: 1, name: "x" };
    rig.history.drafts.save("c2", {
      attached: [{ id: "a1", part: { kind: "image", hash: drafted!, ...facts } }],
    });
    await rig.history.drafts.flush();
    rig.clock.advance(DAY_MS);
    const fresh = await rig.picture("d");
    await rig.runCleanup();
    const left = [named, drafted, unnamed, fresh].map((hash) => rig.has(`images/${hash}`));
    assert.deepEqual(left, [true, true, false, true]);
  });

  it("stay if a record that cannot be read may reference them", async () => {
    const rig = new Rig();
    const hash = await rig.picture("a");
    await rig.show("c1", hash);
    const path = "conversations/c1.jsonl";
    rig.files.files.set(path, rig.files.files.get(path)!.slice(3));
    rig.clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.ok(rig.has(`images/${hash}`));
  });

  it("stay if any conversation cannot be read, or a write is pending", async () => {
    const rig = new Rig();
    const hash = await rig.picture("a");
    await rig.show("c1", await rig.picture("b"));
    rig.clock.advance(DAY_MS);
    const read = rig.files.read.bind(rig.files);
    rig.files.read = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    await rig.runCleanup();
    assert.ok(rig.has(`images/${hash}`));
    rig.files.read = read;
    const append = rig.files.append.bind(rig.files);
    rig.files.append = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOSPC" }));
    await rig.history.journal.append("c2", [question("a", null, "one")]);
    rig.clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.ok(rig.has(`images/${hash}`));
    rig.files.append = append;
  });

  it("stay if they are attached again, however old they are", async () => {
    const rig = new Rig();
    const hash = await rig.picture("a");
    rig.clock.advance(DAY_MS * 3);
    await rig.picture("a");
    await rig.runCleanup();
    assert.ok(rig.has(`images/${hash}`));
  });

  it("are removed with incomplete files of a crash, and with nothing else", async () => {
    const rig = new Rig();
    const names = ["images/x.1-2-0.tmp", "drafts/c1.json.1-2-0.tmp", "index-1.json.1-2-0.tmp"];
    for (const name of [...names, "images/readme"]) {
      await rig.files.replace(name, new Uint8Array([1]));
    }
    rig.clock.advance(DAY_MS);
    await rig.runCleanup();
    assert.deepEqual(
      names.map((name) => rig.has(name)),
      [false, false, false],
    );
    assert.ok(rig.has("images/readme"));
  });
});
