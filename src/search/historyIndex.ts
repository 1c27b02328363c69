/**
 * Index of a history: list and full-text search, kept in step with what the window writes. Does nothing
 * until the first call, which loads the code.
 */
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { lazily } from "../base/lazily";
import type { Log } from "../base/log";
import type { DerivedIndex } from "../history/derivedIndex";
import type { FileSystem } from "../history/fileSystem";
import type { History } from "../history/history";
import { removeIndexes } from "../history/moveHistory";
import { SEARCH_CLEANED_PATH, SEARCH_FOLDER, SEARCH_VERSION } from "../history/paths";
import type { ConversationList, ListFilter } from "./conversationList";
import type { IndexEntry } from "./indexEntry";
import type { IndexOfBytes } from "./search";
import type { IndexProgress, TextPacks } from "./textPacks";

/**
 * Delay between a write and the refresh of the entry, in milliseconds. Grows with the file, because a
 * large file takes long to read.
 */
const REFRESH_DELAY_MS = 500;
const REFRESH_DELAY_MS_PER_BYTE = 5e-3;

/**
 * Delay between a refresh and the update of the full-text index, in milliseconds; longer than the time
 * between two checkpoints of a reply. A search that is typed later need not update the index.
 */
const UPDATE_DELAY_MS = 5_000;

const DAY_MS = 24 * 60 * 60 * 1000;

export class HistoryIndex implements DerivedIndex, Disposable {
  private readonly owned = new Disposables();
  private readonly timers = new Map<string, Disposable>();
  private readonly lifetime = new AbortController();
  private loadedList: ConversationList | undefined;
  /** Undefined until `search` has loaded it. */
  private loadedTexts: TextPacks | undefined;
  private updateTimer: Disposable | undefined;
  private building: IndexProgress | undefined;
  private readonly progressChanged = new Emitter<void>();

  /** Fires when `progress` changes. */
  readonly onProgressChanged = this.progressChanged.event;

  constructor(
    private readonly history: History,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly indexOfBytes: IndexOfBytes,
    /** Folder of the index, which is built again if it is missing. */
    private readonly caches: FileSystem = history.files,
  ) {
    history.registerIndex(this);
    this.owned.add(history.journal.onWritten((id) => this.scheduleRefresh(id)));
  }

  /** Loads the list of the conversations, which is a file of its own. */
  readonly list = lazily(async () => {
    const { ConversationList } = await import("./conversationList");
    const { clock, log, caches } = this;
    const { files, removals } = this.history;
    this.loadedList = this.owned.add(new ConversationList(files, clock, log, caches, removals));
    return this.loadedList;
  });

  /** Loads the search, which is a file of its own. */
  readonly search = lazily(async () => {
    const [{ Search }, { TextPacks }, list] = await Promise.all([
      import("./search"),
      import("./textPacks"),
      this.list(),
    ]);
    const { clock, log, caches, lifetime } = this;
    const { files, removals } = this.history;
    const texts = this.owned.add(
      new TextPacks(files, caches, list, clock, log, lifetime.signal, removals),
    );
    this.loadedTexts = texts;
    return new Search(list, texts, clock, this.indexOfBytes);
  });

  /** Progress of building the full-text index; undefined when it is not being built. */
  get progress(): IndexProgress | undefined {
    return this.building;
  }

  /** Loads the search and reads texts in the background, before the user types a query. */
  prepareSearch(): void {
    void this.search().then(({ texts }) => texts.prepare());
  }

  /** Adds the missing conversations to the full-text index, in the background. */
  async build(): Promise<void> {
    const report = (progress: IndexProgress | undefined) => {
      this.building = progress;
      this.progressChanged.fire();
    };
    const { texts } = await this.search();
    await texts.build(report);
    if (this.building) report(undefined);
  }

  /**
   * Refreshes the entries that this window wrote, and all others unless they were just checked.
   * @param isOpened true for a list that the user opens, in which nothing of another window may lack
   */
  async refresh(isOpened = false): Promise<void> {
    const written = [...this.timers.keys()];
    this.clearTimers();
    const list = await this.list();
    await (isOpened ? list.refresh() : list.refreshIfOld());
    await Promise.all(written.map((id) => list.refreshOne(id)));
  }

  async binnedIds(): Promise<string[]> {
    return (await this.listed({ isInBin: true })).map(({ id }) => id);
  }

  async unchangedIds(sinceMs: number): Promise<string[]> {
    const entries = await this.listed({ isInBin: "either" });
    return entries
      .filter(({ isPinned, changedAtMs }) => !isPinned && changedAtMs < sinceMs)
      .map(({ id }) => id);
  }

  /** Returns the ids of the conversations of a workspace, in the bin or not. */
  async idsOf(workspace: string): Promise<string[]> {
    return (await this.listed({ isInBin: "either", workspace })).map(({ id }) => id);
  }

  private async listed(filter: ListFilter): Promise<IndexEntry[]> {
    const list = await this.list();
    await list.refresh();
    return list.list(filter);
  }

  async removeForever(ids: ReadonlySet<string>): Promise<void> {
    await this.removeLeftovers();
    await (await this.list()).removeForever(ids);
    await (await this.search()).texts.removeForever(ids);
  }

  async cleanUp(): Promise<void> {
    const mark = await this.caches.stat(SEARCH_CLEANED_PATH);
    if (mark && Math.abs(this.clock.nowMs() - mark.changedAtMs) < DAY_MS) return;
    await this.caches.replace(SEARCH_CLEANED_PATH, new Uint8Array());
    await this.removeLeftovers();
    await (await this.search()).texts.removeOutdated();
    await (await this.list()).rewriteCache();
  }

  async flush(): Promise<void> {
    await this.loadedList?.flush();
  }

  dispose(): void {
    this.lifetime.abort(new Error("the window closes"));
    this.progressChanged.dispose();
    this.clearTimers();
    this.updateTimer?.dispose();
    this.owned.dispose();
  }

  /** Removes files of former versions, and parts of files that a crash or another window left. */
  private async removeLeftovers(): Promise<void> {
    await removeIndexes(this.caches, SEARCH_VERSION);
    for (const name of await this.caches.list(SEARCH_FOLDER))
      if (name.endsWith(".tmp")) await this.caches.remove(`${SEARCH_FOLDER}/${name}`);
  }

  /** Refreshes an entry after a write by this window, if the list is in use. */
  private scheduleRefresh(conversationId: string): void {
    const list = this.loadedList;
    if (!list?.isInUse || this.timers.has(conversationId)) return;
    const bytes = list.get(conversationId)?.fileBytes ?? 0;
    const delayMs = Math.max(REFRESH_DELAY_MS, bytes * REFRESH_DELAY_MS_PER_BYTE);
    const timer = this.clock.after(delayMs, () => {
      this.timers.delete(conversationId);
      void list.refreshOne(conversationId);
      this.scheduleUpdate();
    });
    this.timers.set(conversationId, timer);
  }

  private scheduleUpdate(): void {
    this.updateTimer?.dispose();
    this.updateTimer = this.clock.after(UPDATE_DELAY_MS, () => void this.loadedTexts?.update());
  }

  private clearTimers(): void {
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
  }
}
