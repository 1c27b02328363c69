/**
 * The history as a whole: one status for saving, and a list that is updated by the window's writes.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question } from "./turns";

const PICTURE = new TextEncoder().encode("a picture");

describe("History", () => {
  it("reports once that something is not saved, and once that everything is saved", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const history = new IndexedHistory(files, clock, silentLog);
    const states: boolean[] = [];
    history.onCanSaveChanged((canSave) => states.push(canSave));
    const append = files.append.bind(files);
    const replace = files.replace.bind(files);
    const refuse = () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" }));
    files.append = refuse;
    files.replace = refuse;
    await history.journal.append("c1", [question("a", null, "one")]);
    await history.pictures.store(PICTURE);
    history.drafts.save("c1", { text: "typed" });
    await history.drafts.flush();
    assert.deepEqual(states, [false]);
    files.append = append;
    clock.advance(5_000);
    await history.journal.settle();
    assert.deepEqual(states, [false], "the picture and the draft still wait");
    files.replace = replace;
    await history.close();
    assert.deepEqual(states, [false, true]);
    assert.ok(history.canSave);
    const next = new IndexedHistory(files, clock, silentLog);
    assert.ok(await next.journal.load("c1"));
    assert.equal((await next.drafts.load("c1")).text, "typed");
  });

  it("keeps a loaded list up to date with the writes of the window", async () => {
    const clock = new ManualClock();
    const history = new IndexedHistory(new MemoryFileSystem(), clock, silentLog);
    await history.journal.append("c1", [question("a", null, "one")]);
    assert.equal(clock.timerCount, 0, "nothing was loaded yet");
    const index = await history.fullIndex.list();
    await index.refresh();
    const changed = new Promise<void>((resolve) => index.onChanged(resolve));
    await history.journal.append("c1", [{ kind: "titled", title: "named" }]);
    clock.advance(500);
    await changed;
    assert.equal((await history.fullIndex.list()).get("c1")?.title, "named");
  });

  it("reports the progress of building the search index, and its end", async () => {
    const history = new IndexedHistory(new MemoryFileSystem(), new ManualClock(), silentLog);
    const text = "one two three ".repeat(15_000);
    for (let number = 0; number < 30; number++)
      await history.journal.append(`c${number}`, [question("a", null, text)]);
    const seen: unknown[] = [];
    history.fullIndex.onProgressChanged(() => seen.push(history.fullIndex.progress));
    await history.fullIndex.build();
    assert.deepEqual(seen[0], { done: 0, total: 30 });
    assert.deepEqual(seen.slice(-2), [{ done: 30, total: 30 }, undefined]);
    assert.ok(seen.length > 3, "progress in between");
  });
});
