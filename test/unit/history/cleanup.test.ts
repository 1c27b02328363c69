/**
 * The automatic cleanup deletes only the bin's old conversations, unreferenced pictures, and what is
 * older than the retention period with everything that has its content.
 */
import assert from "node:assert/strict";
import type { Step } from "../../../src/conversation/conversation";
import type { Draft } from "../../../src/conversation/draft";
import type { Part } from "../../../src/conversation/message";
import { filesWith } from "../../support/fakes/byteSearch";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { BIN_MS } from "../../../src/history/cleanup";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question } from "./turns";

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 90;

class Rig {
  readonly files = new MemoryFileSystem();
  readonly clock = new ManualClock();
  readonly history = new IndexedHistory(this.files, this.clock, silentLog);

  constructor() {
    this.files.nowMs = () => this.clock.nowMs();
  }

  async change(id: string, ...steps: Step[]): Promise<void> {
    await this.history.journal.append(id, steps);
    await (await this.history.fullIndex.list()).refreshOne(id);
  }

  /** Writes a question, with a picture if a hash is given. */
  ask(id: string, text = id, hash?: string): Promise<void> {
    const parts: Part[] = [{ kind: "text", text }, ...(hash === undefined ? [] : [image(hash)])];
    const sentAtMs = this.clock.nowMs();
    const message = { role: "user" as const, id: `${id}q`, parentId: null, parts, sentAtMs };
    const created = { kind: "created", id, atMs: sentAtMs } as const;
    return this.change(id, created, { kind: "message-added", message });
  }

  moveToBin(id: string): Promise<void> {
    return this.change(id, { kind: "deleted", atMs: this.clock.nowMs() });
  }

  async draft(id: string, draft: Partial<Draft>): Promise<void> {
    this.history.drafts.save(id, draft);
    await this.history.drafts.flush();
  }

  async picture(text: string): Promise<string> {
    return (await this.history.pictures.store(new TextEncoder().encode(text))).hash;
  }

  async cleanUp(days?: number): Promise<void> {
    await this.history.cleanUp(NEVER, days);
  }

  /** Lets the window update its search index after a change. */
  async index(): Promise<void> {
    await this.history.fullIndex.build();
    await this.history.fullIndex.flush();
  }

  has(path: string): boolean {
    return this.files.files.has(path);
  }

  with(text: string): string[] {
    return filesWith(this.files.files, text);
  }
}

function image(hash: string): Part {
  const size = { widthPx: 1, heightPx: 1, bytes: 1 };
  return { kind: "image", hash, mediaType: "image/png", name: "x", ...size };
}

describe("the bin", () => {
  it("keeps a conversation for 30 days, restorable, then removes it with its draft", async () => {
    const rig = new Rig();
    const { history, clock } = rig;
    await rig.ask("c1", "one");
    await rig.ask("c2", "two");
    await rig.draft("c1", { text: "draft" });
    await rig.moveToBin("c1");
    await rig.moveToBin("c2");
    clock.advance(BIN_MS - 1);
    await rig.cleanUp();
    assert.ok(rig.has("conversations/c1.jsonl"));
    await rig.change("c2", { kind: "restored", atMs: clock.nowMs() });
    // The window indexes the change; a fake clock that moves on meanwhile would stop this.
    clock.advance(5_500);
    await (await history.fullIndex.search()).texts.update();
    clock.advance(DAY_MS);
    await rig.cleanUp();
    clock.advance(DAY_MS);
    await rig.cleanUp();
    assert.deepEqual(
      [...rig.files.files.keys()].filter((path) => path.includes("c1")),
      [],
    );
    assert.ok(rig.has("conversations/c2.jsonl"));
    assert.deepEqual((await history.fullIndex.list()).list({ isInBin: true }), []);
  });

  it("is kept when the computer starts once with a clock 400 days ahead", async () => {
    const rig = new Rig();
    const { files } = rig;
    const clock = new ManualClock(rig.clock.nowMs() + 400 * DAY_MS);
    await rig.ask("c1", "one");
    await rig.moveToBin("c1");
    files.nowMs = () => clock.nowMs();
    await new IndexedHistory(files, clock, silentLog).cleanUp(NEVER);
    await new IndexedHistory(files, clock, silentLog).cleanUp(NEVER);
    files.nowMs = () => rig.clock.nowMs();
    for (let day = 0; day < 3; day++) {
      rig.clock.advance(DAY_MS);
      await rig.cleanUp();
    }
    assert.ok(rig.has("conversations/c1.jsonl"));
  });

  it("keeps conversations that are damaged, newer, or deleted in the future", async () => {
    const rig = new Rig();
    const { files, clock } = rig;
    for (const id of ["damaged", "future"]) await rig.ask(id);
    await rig.moveToBin("damaged");
    await files.append("conversations/damaged.jsonl", new TextEncoder().encode("\nnoise\n"));
    await rig.change("future", { kind: "deleted", atMs: clock.nowMs() + 2 * BIN_MS });
    clock.advance(BIN_MS);
    await rig.cleanUp();
    assert.ok(rig.has("conversations/damaged.jsonl"));
    assert.ok(rig.has("conversations/future.jsonl"));
  });

  it("is cleaned up once a day over all windows", async () => {
    const rig = new Rig();
    await rig.cleanUp();
    const calls = rig.files.calls;
    await rig.cleanUp();
    await new IndexedHistory(rig.files, rig.clock, silentLog).cleanUp(NEVER);
    // Each run looks for unfinished deletions and at the times of the last cleanup.
    assert.ok(rig.files.calls <= calls + 6);
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    assert.ok(rig.files.calls > calls + 10);
  });
});

describe("unreferenced pictures", () => {
  it("are removed after a day; referenced, drafted and new ones stay", async () => {
    const rig = new Rig();
    const [named, drafted, unnamed] = await Promise.all(["a", "b", "c"].map((x) => rig.picture(x)));
    await rig.ask("c1", "one", named);
    await rig.draft("c2", { attached: [{ id: "a1", part: image(drafted!) }] });
    rig.clock.advance(DAY_MS);
    const fresh = await rig.picture("d");
    await rig.cleanUp();
    const left = [named, drafted, unnamed, fresh].map((hash) => rig.has(`images/${hash}`));
    assert.deepEqual(left, [true, true, false, true]);
  });

  it("stay if a record that cannot be read may reference them", async () => {
    const rig = new Rig();
    const hash = await rig.picture("a");
    await rig.ask("c1", "one", hash);
    const path = "conversations/c1.jsonl";
    rig.files.files.set(path, rig.files.files.get(path)!.slice(3));
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    assert.ok(rig.has(`images/${hash}`));
  });

  it("stay if any conversation cannot be read, or a write is pending", async () => {
    const rig = new Rig();
    const hash = await rig.picture("a");
    await rig.ask("c1", "one", await rig.picture("b"));
    rig.clock.advance(DAY_MS);
    const read = rig.files.read.bind(rig.files);
    rig.files.read = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    await rig.cleanUp();
    assert.ok(rig.has(`images/${hash}`));
    rig.files.read = read;
    const append = rig.files.append.bind(rig.files);
    rig.files.append = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOSPC" }));
    await rig.ask("c2", "one");
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    assert.ok(rig.has(`images/${hash}`));
    rig.files.append = append;
  });

  it("are removed with incomplete files of a crash, and with nothing else", async () => {
    const rig = new Rig();
    const names = ["images/x.1-2-0.tmp", "drafts/c1.json.1-2-0.tmp", "index-1.json.1-2-0.tmp"];
    for (const name of [...names, "images/readme"]) {
      await rig.files.replace(name, new Uint8Array([1]));
    }
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    for (const name of names) assert.ok(!rig.has(name), name);
    assert.ok(rig.has("images/readme"));
  });
});

describe("the retention period", () => {
  it("removes every byte of an old conversation, its draft and its picture", async () => {
    const rig = new Rig();
    await rig.ask("old", "wagtail question", await rig.picture("wagtail pixels"));
    await rig.draft("old", { text: "wagtail draft" });
    await rig.draft("only-draft", { text: "wagtail unsent" });
    await rig.index();
    assert.ok(rig.with("wagtail question").length >= 2);
    rig.clock.advance(DAYS * DAY_MS + 1);
    await rig.ask("new", "plover question", await rig.picture("plover pixels"));
    await rig.index();
    await rig.cleanUp(DAYS);
    assert.ok(
      rig.with("wagtail question").length > 0,
      "a clock that is wrong for a day deletes nothing",
    );
    rig.clock.advance(DAY_MS);
    await rig.cleanUp(DAYS);
    for (const text of ["wagtail question", "wagtail pixels", "wagtail draft", "wagtail unsent"])
      assert.deepEqual(rig.with(text), [], text);
    assert.ok(rig.with("plover question").length > 0);
    assert.equal(rig.with("plover pixels").length, 1);
  });

  it("never deletes a pinned conversation, nor one with a new draft or a new message", async () => {
    const rig = new Rig();
    for (const id of ["pinned", "typed", "asked", "old"]) await rig.ask(id);
    await rig.change("pinned", { kind: "pinned", isPinned: true });
    rig.clock.advance(DAYS * DAY_MS - 2 * DAY_MS);
    await rig.draft("typed", { text: "a late thought" });
    await rig.change("asked", question("again", "askedq", "asked again", rig.clock.nowMs()));
    for (let day = 0; day < 5; day++) {
      rig.clock.advance(DAY_MS);
      await rig.cleanUp(DAYS);
    }
    const left = (await rig.history.journal.list()).sort();
    assert.deepEqual(left, ["asked", "pinned", "typed"]);
  });

  it("deletes also what is in the bin", async () => {
    const rig = new Rig();
    await rig.ask("binned");
    rig.clock.advance(DAYS * DAY_MS);
    await rig.moveToBin("binned");
    rig.clock.advance(DAY_MS);
    await rig.cleanUp(DAYS);
    rig.clock.advance(DAY_MS);
    await rig.cleanUp(DAYS);
    assert.deepEqual(await rig.history.journal.list(), []);
  });

  it("deletes nothing while it is off", async () => {
    const rig = new Rig();
    await rig.ask("kept");
    for (let year = 0; year < 3; year++) {
      rig.clock.advance(365 * DAY_MS);
      await rig.cleanUp(0);
    }
    assert.deepEqual(await rig.history.journal.list(), ["kept"]);
  });

  it("finds what it would delete", async () => {
    const rig = new Rig();
    await rig.ask("a");
    rig.clock.advance(5 * DAY_MS);
    await rig.ask("b");
    assert.deepEqual(await rig.history.findUnchanged(3), ["a"]);
    assert.deepEqual(await rig.history.findUnchanged(6), []);
  });
});
