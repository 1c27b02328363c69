/**
 * The room as one: journal, pictures, drafts, list, search and bin over the same disk, with one
 * word about whether everything is being saved. Idle until something of it is asked.
 */
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";
import type { Event } from "../base/event";
import type { Log } from "../base/log";
import { ConversationIndex } from "./conversationIndex";
import { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import { Journal } from "./journal";
import { Pictures } from "./pictures";
import { Retries } from "./retries";
import { Search } from "./search";
import { Cleanup } from "./cleanup";

/**
 * Time before a conversation this window wrote to is read for the list, in milliseconds: a little,
 * and more for a file that takes long to read.
 */
const FOLLOW_AFTER_MS = 500;
const FOLLOW_AFTER_MS_PER_BYTE = 5e-3;

/** Everything kept on disk; one for each window. */
export class History implements Disposable {
  private readonly owned = new Disposables();
  private readonly following = new Map<string, Disposable>();
  private readonly retries: Retries;
  readonly journal: Journal;
  readonly pictures: Pictures;
  readonly drafts: Drafts;
  readonly index: ConversationIndex;
  readonly search: Search;
  readonly tidying: Cleanup;

  /** Tells whether everything is on disk (true) or something waits for the disk (false). */
  readonly onSavingChanged: Event<boolean>;

  constructor(
    files: FileSystem,
    private readonly clock: Clock,
    log: Log,
  ) {
    this.retries = this.owned.add(new Retries(clock));
    this.onSavingChanged = this.retries.onChanged;
    this.journal = this.owned.add(new Journal(files, clock, log, this.retries));
    this.pictures = new Pictures(files, clock, log, this.retries);
    this.drafts = this.owned.add(new Drafts(files, clock, log, this.retries));
    this.index = this.owned.add(new ConversationIndex(files, clock, log));
    this.search = new Search(files, this.index, clock);
    this.tidying = new Cleanup(files, this, this.retries, clock, log);
    this.owned.add(this.journal.onWritten((id) => this.follow(id)));
  }

  /** False while something could not be written: a message, a picture or a draft. */
  get isSaving(): boolean {
    return this.retries.isSettled;
  }

  /** Writes what waits, also what the disk refused before, and waits for it. */
  async close(): Promise<void> {
    await this.retries.retryAll();
    await Promise.all([this.journal.settle(), this.drafts.flush(), this.index.flush()]);
  }

  dispose(): void {
    for (const timer of this.following.values()) timer.dispose();
    this.following.clear();
    this.owned.dispose();
  }

  /** Keeps a list that someone has looked at up to date with what this window writes. */
  private follow(conversationId: string): void {
    if (!this.index.isReady || this.following.has(conversationId)) return;
    const bytes = this.index.get(conversationId)?.fileBytes ?? 0;
    const delayMs = Math.max(FOLLOW_AFTER_MS, bytes * FOLLOW_AFTER_MS_PER_BYTE);
    const timer = this.clock.after(delayMs, () => {
      this.following.delete(conversationId);
      void this.index.refreshOne(conversationId);
    });
    this.following.set(conversationId, timer);
  }
}
