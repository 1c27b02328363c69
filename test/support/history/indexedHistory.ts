/** History with its index, as a window opens them. */
import type { Clock } from "../../../src/base/clock";
import type { Log } from "../../../src/base/log";
import type { FileSystem } from "../../../src/history/fileSystem";
import { History } from "../../../src/history/history";
import { indexOfBytes } from "../../../src/host/node/indexOfBytes";
import { HistoryIndex } from "../../../src/search/historyIndex";

export class IndexedHistory extends History {
  readonly fullIndex: HistoryIndex;

  constructor(files: FileSystem, clock: Clock, log: Log, caches: FileSystem = files) {
    super(files, clock, log);
    this.fullIndex = new HistoryIndex(this, clock, log, indexOfBytes, caches);
  }

  override dispose(): void {
    this.fullIndex.dispose();
    super.dispose();
  }
}
