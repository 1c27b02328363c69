/** History in memory only, for conversations that are not saved: nothing reaches a disk. */
import type { Clock } from "../base/clock";
import type { Log } from "../base/log";
import type { DerivedIndex } from "./derivedIndex";
import type { FileSystem } from "./fileSystem";
import { History } from "./history";
import { segmentedFiles } from "./journalSegments";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly changedAtMs: number;
}

/** Conversations in memory have neither a list nor a search. */
const NO_INDEX: DerivedIndex = {
  binnedIds: () => Promise.resolve([]),
  unchangedIds: () => Promise.resolve([]),
  removeForever: () => Promise.resolve(),
  cleanUp: () => Promise.resolve(),
  flush: () => Promise.resolve(),
};

export function openMemoryHistory(clock: Clock, log: Log): History {
  const history = new History(memoryFiles(clock), clock, log);
  history.registerIndex(NO_INDEX);
  return history;
}

/** Files as in a folder that can only write whole files, see journalSegments.ts. */
function memoryFiles(clock: Clock): FileSystem {
  const files = new Map<string, MemoryFile>();
  return segmentedFiles(
    {
      read: (path) => Promise.resolve(files.get(path)?.bytes.slice()),
      write(path, bytes) {
        files.set(path, { bytes: bytes.slice(), changedAtMs: clock.nowMs() });
        return Promise.resolve();
      },
      remove: (path) => Promise.resolve(void files.delete(path)),
      list(folder) {
        const prefix = folder === "" ? "" : `${folder}/`;
        const inside = [...files.keys()].filter((path) => path.startsWith(prefix));
        return Promise.resolve(inside.map((path) => path.slice(prefix.length)));
      },
      stat(path) {
        const file = files.get(path);
        const { length: bytes = 0 } = file?.bytes ?? {};
        return Promise.resolve(file && { bytes, changedAtMs: file.changedAtMs });
      },
    },
    clock,
  );
}
