/**
 * The history as a whole: one status for saving, and a list that follows the window's writes.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../../src/base/log";
import { History } from "../../../src/history/history";
import { ManualClock } from "../../support/manualClock";
import { MemoryFileSystem } from "../../support/memoryFileSystem";
import { question } from "./turns";

const PICTURE = new TextEncoder().encode("a picture");

describe("History", () => {
  it("reports once that writing failed and once that everything is saved", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const history = new History(files, clock, silentLog);
    const told: boolean[] = [];
    history.onSavingChanged((isSaving) => told.push(isSaving));
    const append = files.append.bind(files);
    const replace = files.replace.bind(files);
    const refuse = () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" }));
    files.append = refuse;
    files.replace = refuse;
    await history.journal.append("c1", [question("a", null, "one")]);
    await history.pictures.store(PICTURE);
    history.drafts.save("c1", { text: "typed" });
    await history.drafts.flush();
    assert.deepEqual(told, [false]);
    files.append = append;
    clock.advance(5_000);
    await history.journal.settle();
    assert.deepEqual(told, [false], "the picture and the draft still wait");
    files.replace = replace;
    await history.close();
    assert.deepEqual(told, [false, true]);
    assert.ok(history.isSaving);
    const next = new History(files, clock, silentLog);
    assert.ok(await next.journal.load("c1"));
    assert.equal((await next.drafts.load("c1")).text, "typed");
  });

  it("keeps a loaded list up to date with the writes of the window", async () => {
    const clock = new ManualClock();
    const history = new History(new MemoryFileSystem(), clock, silentLog);
    await history.journal.append("c1", [question("a", null, "one")]);
    assert.equal(clock.waiting, 0, "nobody has looked yet");
    await history.index.refresh();
    const told = new Promise<void>((resolve) => history.index.onChanged(resolve));
    await history.journal.append("c1", [{ kind: "titled", title: "named" }]);
    clock.advance(500);
    await told;
    assert.equal(history.index.get("c1")?.title, "named");
  });

  it("leaves no timer after disposal", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const history = new History(files, clock, silentLog);
    await history.journal.append("c1", [question("a", null, "one")]);
    await history.index.refresh();
    files.append = () => Promise.reject(new Error("no"));
    await history.journal.append("c1", [question("b", "a", "two")]);
    history.drafts.save("c1", { text: "typed" });
    history.dispose();
    history.dispose();
    assert.equal(clock.waiting, 0);
  });
});
