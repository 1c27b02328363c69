/**
 * History of all conversations: journal, pictures, drafts and cleanup over a file system, with a shared
 * saving state. Does nothing until the first call.
 */
import type { Clock } from "../base/clock";
import { DisposableOwner } from "../base/disposables";
import type { Event } from "../base/event";
import { lazily } from "../base/lazily";
import type { Log } from "../base/log";
import type { Deletion } from "./deletion";
import type { DerivedIndex } from "./derivedIndex";
import { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import { Heartbeats } from "./heartbeats";
import { Journal } from "./journal";
import { Pictures } from "./pictures";
import { Removals } from "./removals";
import { Retries } from "./retries";

/** Owns everything on disk; each window has its own. */
export class History extends DisposableOwner {
  private readonly retries: Retries;
  readonly journal: Journal;
  readonly pictures: Pictures;
  readonly drafts: Drafts;
  readonly heartbeats: Heartbeats;
  readonly removals: Removals;
  private registeredIndex: DerivedIndex | undefined;

  /** Fires false when a write fails, and true when everything is on disk. */
  readonly onCanSaveChanged: Event<boolean>;

  constructor(
    readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
    this.retries = this.owned.add(new Retries(clock));
    this.onCanSaveChanged = this.retries.onChanged;
    this.removals = new Removals(files, clock);
    this.journal = this.owned.add(new Journal(files, clock, log, this.retries, this.removals));
    this.pictures = new Pictures(files, clock, log, this.retries);
    this.drafts = this.owned.add(new Drafts(files, clock, log, this.retries, this.removals));
    this.heartbeats = new Heartbeats(files, clock);
  }

  /** False while a message, a picture or a draft could not be written. */
  get canSave(): boolean {
    return this.retries.isSettled;
  }

  /** Registers the index from which deletion and cleanup remove texts as well. */
  registerIndex(index: DerivedIndex): void {
    this.registeredIndex = index;
  }

  get index(): DerivedIndex {
    if (this.registeredIndex === undefined) throw new Error("the history has no index");
    return this.registeredIndex;
  }

  /** Loads the code that removes for ever, which is a file of its own. */
  readonly deletion = lazily(async () => {
    const { Deletion } = await import("./deletion");
    return this.owned.add(new Deletion(this.files, this, this.clock, this.log));
  });

  /** Prepares the removal of pictures; see `Deletion`. */
  async recordUnneeded(
    pictures: Parameters<Deletion["recordUnneeded"]>[0],
  ): ReturnType<Deletion["recordUnneeded"]> {
    if (pictures.length === 0) return () => Promise.resolve();
    return (await this.deletion()).recordUnneeded(pictures);
  }

  /** Removes pictures that nothing uses any longer. Never rejects. */
  async removePictures(pictures: Parameters<Deletion["recordUnneeded"]>[0]): Promise<void> {
    await (
      await this.recordUnneeded(pictures)
    )(true);
  }

  /** Finishes a removal for ever that was interrupted. Never rejects. */
  async finishDeletions(): Promise<void> {
    const hasRemovals = await this.removals.read().catch(() => []);
    if (hasRemovals.length + this.removals.knownIds.size === 0) return;
    await (await this.deletion()).finish();
  }

  /** Writes everything that is pending, including failed writes, and waits for the end. */
  async close(): Promise<void> {
    await this.retries.retryAll();
    await Promise.all([this.journal.settle(), this.drafts.flush(), this.registeredIndex?.flush()]);
  }

  /**
   * Deletes expired data, at most once a day; see `Cleanup`. Rejects with the signal's reason only.
   * @param retentionDays period after which unchanged conversations are deleted; 0 keeps them
   */
  async cleanUp(signal: AbortSignal, retentionDays = 0): Promise<void> {
    const { Cleanup } = await import("./cleanup");
    await this.finishDeletions();
    const { files, retries, clock, log } = this;
    await new Cleanup(files, this, retries, clock, log, retentionDays).cleanUp(signal);
  }

  /** Returns the conversations and drafts that a retention period would delete. Rejects as the file system. */
  async findUnchanged(days: number): Promise<string[]> {
    const { unchangedConversations } = await import("./cleanup");
    return unchangedConversations(this, this.clock, days);
  }
}
