/** Conversations older than the retention period are deleted with everything that has their content. */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import type { Step } from "../../../src/conversation/conversation";
import { filesWith } from "../../support/fakes/byteSearch";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { IndexedHistory } from "../../support/history/indexedHistory";

const DAY_MS = 24 * 60 * 60 * 1000;
const NEVER = new AbortController().signal;
const DAYS = 90;

class Rig {
  readonly files = new MemoryFileSystem();
  readonly clock = new ManualClock();
  readonly history = new IndexedHistory(this.files, this.clock, silentLog);

  constructor() {
    this.files.nowMs = () => this.clock.nowMs();
  }

  /** Writes a question with a picture whose bytes are a text. */
  async ask(id: string, text: string, picture: string): Promise<void> {
    const bytes = new TextEncoder().encode(picture);
    const { hash } = await this.history.pictures.store(bytes);
    const facts = {
      mediaType: "image/png",
      widthPx: 1,
      heightPx: 1,
      bytes: 1,
      name: `${text}.png`,
    };
    const parts = [
      { kind: "image" as const, hash, ...facts },
      { kind: "text" as const, text },
    ];
    const sentAtMs = this.clock.nowMs();
    const message = { role: "user" as const, id: `${id}q`, parentId: null, parts, sentAtMs };
    await this.change(id, [
      { kind: "created", id, atMs: sentAtMs },
      { kind: "message-added", message },
    ]);
  }

  async change(id: string, steps: Step[]): Promise<void> {
    await this.history.journal.append(id, steps);
    await (await this.history.fullIndex.list()).refreshOne(id);
  }

  async draft(id: string, text: string): Promise<void> {
    this.history.drafts.save(id, { text });
    await this.history.drafts.flush();
  }

  /** Writes list and search index, as a search does. */
  async index(): Promise<void> {
    await this.history.fullIndex.build();
    await this.history.fullIndex.flush();
  }

  async cleanUp(days = DAYS): Promise<void> {
    await this.history.cleanUp(NEVER, days);
  }

  with(text: string): string[] {
    return filesWith(this.files.files, text);
  }
}

describe("the retention period", () => {
  it("removes every byte of an old conversation, its draft and its picture", async () => {
    const rig = new Rig();
    await rig.ask("old", "wagtail question", "wagtail pixels");
    await rig.draft("old", "wagtail draft");
    await rig.draft("only-draft", "wagtail unsent");
    await rig.index();
    assert.ok(rig.with("wagtail question").length >= 2);
    rig.clock.advance(DAYS * DAY_MS + 1);
    await rig.ask("new", "plover question", "plover pixels");
    await rig.index();
    await rig.cleanUp();
    assert.ok(
      rig.with("wagtail question").length > 0,
      "a clock that is wrong for a day deletes nothing",
    );
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    for (const text of ["wagtail question", "wagtail pixels", "wagtail draft", "wagtail unsent"])
      assert.deepEqual(rig.with(text), [], text);
    assert.ok(rig.with("plover question").length > 0);
    assert.equal(rig.with("plover pixels").length, 1);
  });

  it("never deletes a pinned conversation, nor one with a new draft or a new message", async () => {
    const rig = new Rig();
    for (const id of ["pinned", "typed", "asked", "old"]) await rig.ask(id, `${id} text`, id);
    await rig.change("pinned", [{ kind: "pinned", isPinned: true }]);
    rig.clock.advance(DAYS * DAY_MS - 2 * DAY_MS);
    await rig.draft("typed", "a late thought");
    await rig.ask("asked", "asked again", "p");
    for (let day = 0; day < 5; day++) {
      rig.clock.advance(DAY_MS);
      await rig.cleanUp();
    }
    const left = (await rig.history.journal.list()).sort();
    assert.deepEqual(left, ["asked", "pinned", "typed"]);
  });

  it("deletes also what is in the bin", async () => {
    const rig = new Rig();
    await rig.ask("binned", "binned text", "b");
    rig.clock.advance(DAYS * DAY_MS);
    await rig.change("binned", [{ kind: "deleted", atMs: rig.clock.nowMs() }]);
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    rig.clock.advance(DAY_MS);
    await rig.cleanUp();
    assert.deepEqual(await rig.history.journal.list(), []);
  });

  it("deletes nothing while it is off", async () => {
    const rig = new Rig();
    await rig.ask("kept", "kept text", "k");
    for (let year = 0; year < 3; year++) {
      rig.clock.advance(365 * DAY_MS);
      await rig.cleanUp(0);
    }
    assert.deepEqual(await rig.history.journal.list(), ["kept"]);
  });

  it("finds what it would delete", async () => {
    const rig = new Rig();
    await rig.ask("a", "a", "a");
    rig.clock.advance(5 * DAY_MS);
    await rig.ask("b", "b", "b");
    assert.deepEqual(await rig.history.findUnchanged(3), ["a"]);
    assert.deepEqual(await rig.history.findUnchanged(6), []);
  });
});
