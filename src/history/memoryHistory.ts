/** History in memory only, for conversations that are not saved: nothing reaches a disk. */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
import { isEqualBytes } from "../base/isEqualBytes";
import type { Log } from "../base/log";
import type { DerivedIndex } from "./derivedIndex";
import type { FileStat, FileSystem } from "./fileSystem";
import { History } from "./history";

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

function memoryFiles(clock: Clock): FileSystem {
  const files = new Map<string, MemoryFile>();
  const put = (path: string, bytes: Uint8Array) =>
    void files.set(path, { bytes, changedAtMs: clock.nowMs() });
  const ranges = (bytes: Uint8Array, of: readonly (readonly [number, number])[]) =>
    of.map(([start, end]) => bytes.slice(start, end));
  return {
    read: (path) => Promise.resolve(files.get(path)?.bytes.slice()),
    readRanges: (path, of) => {
      const file = files.get(path);
      return Promise.resolve(file && ranges(file.bytes, of));
    },
    append: (path, bytes) => {
      const before = files.get(path)?.bytes ?? new Uint8Array();
      put(path, concatBytes([before, bytes]));
      return Promise.resolve(before.length);
    },
    replace: (path, bytes) => {
      put(path, bytes.slice());
      return Promise.resolve();
    },
    fill: (path, content, of, fillBytes) => {
      const file = files.get(path);
      if (file === undefined) return Promise.resolve(true);
      const isSame = isEqualBytes(
        concatBytes(ranges(file.bytes, of)),
        concatBytes(ranges(content, of)),
      );
      if (!isSame) return Promise.resolve(false);
      const filled = file.bytes.slice();
      for (const [start, end] of of) filled.fill(fillBytes.at(-1) ?? 0, start, end);
      put(path, filled);
      return Promise.resolve(true);
    },
    remove: (path) => Promise.resolve(void files.delete(path)),
    list: (folder) => {
      const prefix = folder === "" ? "" : `${folder}/`;
      const inside = [...files.keys()].filter((path) => path.startsWith(prefix));
      return Promise.resolve(inside.map((path) => path.slice(prefix.length)));
    },
    stat: (path) => {
      const file = files.get(path);
      const stat: FileStat | undefined = file && {
        bytes: file.bytes.length,
        changedAtMs: file.changedAtMs,
      };
      return Promise.resolve(stat);
    },
  };
}
