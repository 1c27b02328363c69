/** The index of a history in a window: what the window writes is found without work at the next key. */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import type { HistoryIndex } from "../../../src/search/historyIndex";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { question } from "../history/turns";

describe("HistoryIndex", () => {
  it("indexes what the window wrote before a key is typed", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const history = new IndexedHistory(files, clock, silentLog);
    const read: string[] = [];
    const readFile = files.read.bind(files);
    files.read = (path) => {
      read.push(path);
      return readFile(path);
    };
    const search = await history.fullIndex.search();
    await history.fullIndex.build();
    const list = await history.fullIndex.list();
    await history.journal.append("c1", [question("a", null, "a lighthouse")]);
    const listed = new Promise<void>((resolve) => list.onChanged(resolve));
    clock.advance(500);
    await listed;
    read.length = 0;
    clock.advance(5_000);
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    assert.deepEqual(read, ["conversations/c1.jsonl"]);
    const signal = new AbortController().signal;
    let foundCount = 0;
    for await (const answer of search.search({ text: "lighthouse", maxHits: 10 }, signal))
      ({ foundCount } = answer);
    assert.equal(foundCount, 1);
    assert.equal(read.length, 1, "the key reads no file");
    history.dispose();
    assert.equal(clock.timerCount, 0);
  });

  it("removes the files of former versions and of writes that a crash interrupted", async () => {
    const FORMER = ["search-1/a.segment", "search-5/b.segment", "index-3.bin", "tidied-index"];
    const removals = {
      removeForever: (index: HistoryIndex) => index.removeForever(new Set(["c1"])),
      cleanUp: (index: HistoryIndex) => index.cleanUp(),
    };
    for (const [title, remove] of Object.entries(removals)) {
      const files = new MemoryFileSystem();
      for (const path of [...FORMER, "search-6/x.texts.1-2.tmp", "search-7/a.texts", "search.txt"])
        await files.replace(path, new TextEncoder().encode("correct horse"));
      const history = new IndexedHistory(files, new ManualClock(), silentLog);
      await remove(history.fullIndex);
      const others = [...files.files.keys()].filter((path) => !path.startsWith("search-6/"));
      assert.deepEqual(others.sort(), ["search-7/a.texts", "search.txt"], title);
      assert.ok(!files.files.has("search-6/x.texts.1-2.tmp"), title);
      history.dispose();
    }
  });
});
