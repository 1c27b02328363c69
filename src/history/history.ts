/**
 * History of all conversations: journal, pictures, drafts, index, search and cleanup over a file
 * system, with a shared saving state. Does nothing until the first call.
 */
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";
import { lazily } from "../base/lazily";
import { Emitter, type Event } from "../base/event";
import { describeError, type Log } from "../base/log";
import type { ConversationIndex } from "./conversationIndex";
import { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import { Heartbeats } from "./heartbeats";
import { Journal } from "./journal";
import { Pictures } from "./pictures";
import { Retries } from "./retries";
import type { IndexProgress } from "./searchIndex";

/**
 * Delay between a write and the index refresh of its conversation, in milliseconds. Grows with the file,
 * because a large file takes long to read.
 */
const REFRESH_DELAY_MS = 500;
const REFRESH_DELAY_MS_PER_BYTE = 5e-3;

/** Owns everything on disk; each window has its own. */
export class History implements Disposable {
  private readonly owned = new Disposables();
  private readonly indexTimers = new Map<string, Disposable>();
  private readonly retries: Retries;
  readonly journal: Journal;
  readonly pictures: Pictures;
  readonly drafts: Drafts;
  readonly heartbeats: Heartbeats;
  /** Index of the conversations; undefined until `index` has loaded it. */
  private loadedIndex: ConversationIndex | undefined;
  private indexing: IndexProgress | undefined;
  private readonly indexingChanged = new Emitter<void>();
  private readonly lifetime = new AbortController();

  /** Fires when the progress of the search index changes. */
  readonly onIndexingChanged = this.indexingChanged.event;

  /** Fires false when a write fails, and true when everything is on disk. */
  readonly onSavingChanged: Event<boolean>;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    /** Folder of list and search index, which are built again if they are missing. */
    private readonly caches: FileSystem = files,
  ) {
    this.retries = this.owned.add(new Retries(clock));
    this.onSavingChanged = this.retries.onChanged;
    this.journal = this.owned.add(new Journal(files, clock, log, this.retries));
    this.pictures = new Pictures(files, clock, log, this.retries);
    this.drafts = this.owned.add(new Drafts(files, clock, log, this.retries));
    this.heartbeats = new Heartbeats(files, clock);
    this.owned.add(this.journal.onWritten((id) => this.scheduleIndexRefresh(id)));
  }

  /** False while a message, a picture or a draft could not be written. */
  get isSaving(): boolean {
    return this.retries.isSettled;
  }

  /** Loads the index of the conversations, which is a file of its own. */
  readonly index = lazily(async () => {
    const { ConversationIndex } = await import("./conversationIndex");
    const { files, clock, log, caches } = this;
    this.loadedIndex = this.owned.add(new ConversationIndex(files, clock, log, caches));
    return this.loadedIndex;
  });

  /** Loads the search, which is a file of its own. */
  readonly search = lazily(async () => {
    const [{ Search }, index] = await Promise.all([import("./search"), this.index()]);
    return new Search(this.files, index, this.clock, this.log, this.caches);
  });

  /** Loads the search and its index in the background, before the user types a query. */
  prepareSearch(): void {
    void this.search().then((search) => search.load());
  }

  /** Progress of building the search index; undefined when it is not being built. */
  get indexingProgress(): IndexProgress | undefined {
    return this.indexing;
  }

  /** Adds the missing conversations to the search index, in the background. Never rejects. */
  async buildSearchIndex(): Promise<void> {
    const report = (progress: IndexProgress | undefined) => {
      this.indexing = progress;
      this.indexingChanged.fire();
    };
    try {
      const search = await this.search();
      await search.buildIndex(this.lifetime.signal, report);
    } catch (error) {
      if (!this.lifetime.signal.aborted)
        this.log.error(`history: the search index failed (${describeError(error)})`);
    } finally {
      if (this.indexing) report(undefined);
    }
  }

  /** Refreshes the entries that this window wrote, and all others unless they were just checked. */
  async refreshIndex(): Promise<void> {
    const written = [...this.indexTimers.keys()];
    for (const timer of this.indexTimers.values()) timer.dispose();
    this.indexTimers.clear();
    const index = await this.index();
    await index.refreshIfOld();
    await Promise.all(written.map((id) => index.refreshOne(id)));
  }

  /** Writes everything that is pending, including failed writes, and waits for the end. */
  async close(): Promise<void> {
    await this.retries.retryAll();
    await Promise.all([this.journal.settle(), this.drafts.flush(), this.loadedIndex?.flush()]);
  }

  /** Deletes expired data, at most once a day; see `Cleanup`. Rejects with the signal's reason only. */
  async cleanUp(signal: AbortSignal): Promise<void> {
    const { Cleanup } = await import("./cleanup");
    await new Cleanup(this.files, this, this.retries, this.clock, this.log).cleanUp(signal);
  }

  dispose(): void {
    this.lifetime.abort(new Error("the window closes"));
    this.indexingChanged.dispose();
    for (const timer of this.indexTimers.values()) timer.dispose();
    this.indexTimers.clear();
    this.owned.dispose();
  }

  /** Refreshes the index after a write by this window, if the index is in use. */
  private scheduleIndexRefresh(conversationId: string): void {
    const index = this.loadedIndex;
    if (!index?.isInUse || this.indexTimers.has(conversationId)) return;
    const bytes = index.get(conversationId)?.fileBytes ?? 0;
    const delayMs = Math.max(REFRESH_DELAY_MS, bytes * REFRESH_DELAY_MS_PER_BYTE);
    const timer = this.clock.after(delayMs, () => {
      this.indexTimers.delete(conversationId);
      void index.refreshOne(conversationId);
    });
    this.indexTimers.set(conversationId, timer);
  }
}
