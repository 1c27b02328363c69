/** docs/file-formats.md names the files that a window writes, and no others. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { silentLog } from "../../support/fakes/silentLog";
import { RECORD_FILE } from "../../../src/host/diagnostics/requestRecord";
import { listHistoryFiles } from "../../../src/history/historyFiles";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { turn } from "./turns";

describe("docs/file-formats.md", () => {
  it("names each folder and file of the history by its name in the code", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    files.nowMs = () => clock.nowMs();
    const history = new IndexedHistory(files, clock, silentLog);
    const { journal, drafts, pictures, heartbeats, fullIndex } = history;
    await journal.append("kept", turn("t", null, "Kept", "text ".repeat(300_000)));
    await journal.append("removed", turn("t", null, "Removed", "too"));
    await pictures.store(new Uint8Array([1]));
    drafts.save("kept", { text: "unsent" });
    await drafts.flush();
    await heartbeats.beat("kept");
    await (await history.deletion()).removeConversations(["removed"]);
    await history.cleanUp(new AbortController().signal);
    await fullIndex.refresh();
    await fullIndex.build();
    await history.close();
    const names = [...files.files.keys()].map((path) => path.replace(/\/.*/, "/"));
    const kinds = new Set((await listHistoryFiles(files)).map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), [
      "conversation",
      "draft",
      "heartbeat",
      "index",
      "other",
      "picture",
      "removal",
    ]);

    const text = readFileSync("docs/file-formats.md", "utf8");
    const documented = [...text.matchAll(/^\| `([\w.-]+\/?)/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(documented)].sort(), [...new Set([...names, RECORD_FILE])].sort());
  });
});
