/** History with its index, as a window opens them. */
import type { Clock } from "../../../src/base/clock";
import type { Log } from "../../../src/base/log";
import type { Conversation } from "../../../src/conversation/conversation";
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

  /** Forgets a message of a conversation, by default as it is on the disk. */
  async forget(id: string, messageId: string, loaded?: Conversation): Promise<void> {
    const conversation = loaded ?? (await this.journal.load(id))!.conversation;
    const deletion = await this.deletion();
    const forgetting = await deletion.findForgetting(conversation, messageId);
    await deletion.forget(id, forgetting, async () => {
      if (!(await this.journal.append(id, forgetting.steps))) throw new Error("not saved");
    });
  }

  override dispose(): void {
    this.fullIndex.dispose();
    super.dispose();
  }
}
