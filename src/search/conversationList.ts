/**
 * List of all conversations, in step with their files. Reads changed files only; the other entries come
 * from a cache. Several windows write the cache, so each entry is checked against its file.
 */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import { oneAtATime } from "../base/oneAtATime";
import { TimeSlice } from "../base/timeSlice";
import type { FileStat, FileSystem } from "../history/fileSystem";
import { copiesAmong, mergeCopy } from "../history/mergeRecords";
import {
  CONVERSATIONS_FOLDER,
  conversationIdOf,
  conversationPath,
  isSafeId,
  LIST_CACHE_PATH,
} from "../history/paths";
import { readConversation } from "../history/readConversation";
import {
  readConversationFile,
  readConversationFiles,
  type ReadFile,
} from "../history/readConversationFiles";
import { linesOf } from "../history/record";
import { Removals } from "../history/removals";
import { decodeEntry, encodeEntry, entryOf, unreadableEntry, type IndexEntry } from "./indexEntry";

/** Parallel `stat` calls: enough to keep the disk busy, few enough to be aborted soon. */
const STATS_AT_ONCE = 256;

/** Interval of change events while many files are read, in milliseconds. */
const NOTIFY_INTERVAL_MS = 250;

/** Share of the time that may be spent on checking files while a list is shown. */
const MAX_REFRESH_SHARE = 0.05;

/** Delay between a change and the write of the cache, in milliseconds: a whole file for each change. */
const CACHE_AFTER_MS = 30_000;

export interface ListFilter {
  /** True for deleted conversations, false for the others. Default: false. */
  readonly isInBin?: boolean | "either";
  /** Only conversations that were created in this workspace. */
  readonly workspace?: string;
}

/** Entries of all conversations; empty until the first refresh. */
export class ConversationList implements Disposable {
  private readonly byId = new Map<string, IndexEntry>();
  /** All entries in the order of the list; undefined after a change. */
  private sorted: readonly IndexEntry[] | undefined;
  private refreshedAtMs = -Infinity;
  private refreshMs = 0;
  private readonly lifetime = new AbortController();
  private readonly changed = new Emitter<void>();
  private cacheRead: Promise<boolean> | undefined;
  private cacheTimer: Disposable | undefined;
  private isLoaded = false;
  private hasFailed = false;
  private writing: Promise<void> = Promise.resolve();

  /** Fires after the list changed; at most a few times a second while files are read. */
  readonly onChanged = this.changed.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly caches: FileSystem = files,
    private readonly removals = new Removals(files, clock),
  ) {}

  /** True once every file was checked. */
  get isReady(): boolean {
    return this.isLoaded;
  }

  /** True while the conversations folder cannot be listed; the next refresh tries again. */
  get isUnavailable(): boolean {
    return this.hasFailed && !this.isLoaded;
  }

  /** True once the entries were asked for. */
  get isInUse(): boolean {
    return this.cacheRead !== undefined;
  }

  /** Returns the first entries in memory, pinned first, then newest first; `refresh` updates them. */
  list(filter: ListFilter = {}, maxCount = Infinity): IndexEntry[] {
    const listed: IndexEntry[] = [];
    for (const entry of this.entries()) {
      if (listed.length >= maxCount) break;
      if (isListed(entry, filter)) listed.push(entry);
    }
    return listed;
  }

  count(filter: ListFilter = {}): number {
    return this.list(filter).length;
  }

  /** Returns the newest entries with messages, pinned or not. */
  newest(filter: ListFilter, maxCount: number): IndexEntry[] {
    return this.list(filter)
      .filter(({ messageCount }) => messageCount > 0)
      .sort((a, b) => b.changedAtMs - a.changedAtMs)
      .slice(0, maxCount);
  }

  /** Returns all entries, pinned first, then newest first; the same array until the next change. */
  entries(): readonly IndexEntry[] {
    // Entries that did not change are in order, and sorting these takes linear time.
    this.sorted ??= [...this.byId.values()].sort(
      (a, b) =>
        Number(b.isPinned) - Number(a.isPinned) ||
        b.changedAtMs - a.changedAtMs ||
        byText(a.id, b.id),
    );
    return this.sorted;
  }

  get(conversationId: string): IndexEntry | undefined {
    return this.byId.get(conversationId);
  }

  /** Reads the entries from the cache, or from all files if it has none. Never rejects. */
  async load(): Promise<void> {
    if (!this.isLoaded && !(await this.readCacheOnce())) await this.refresh();
  }

  /**
   * Checks every file and reads those that changed. Never rejects: unreadable files are logged and
   * listed as unreadable.
   */
  readonly refresh = oneAtATime(() => this.refreshNow());

  /** Refreshes unless the last refresh was so recent that checking all files costs too much. */
  async refreshIfOld(): Promise<void> {
    const ageMs = this.clock.elapsedMs() - this.refreshedAtMs;
    if (!this.isReady || ageMs * MAX_REFRESH_SHARE >= this.refreshMs) await this.refresh();
  }

  /** Reads a conversation if its file changed. Never rejects. */
  async refreshOne(conversationId: string): Promise<void> {
    if (this.lifetime.signal.aborted || !isSafeId(conversationId)) return;
    // Else the cache would be replaced by this entry alone.
    await this.readCacheOnce();
    const stat = await this.statOf(conversationId);
    if (stat !== undefined && this.isUpToDate(conversationId, stat)) return;
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const file = await readConversationFile(this.files, conversationId);
    try {
      if (await this.applyFile(conversationId, file, slice)) this.notifyAndCache();
    } catch {
      // Only the end of the window makes a pause throw.
    }
  }

  /**
   * Removes everything that the cache has of conversations that were removed for ever, and the former
   * titles of changed ones. Resolves when no byte of these is in its file; rejects as the file system.
   */
  async removeForever(ids: ReadonlySet<string>): Promise<void> {
    for (const id of ids) await this.refreshOne(id);
    await this.rewriteCache();
  }

  /** Writes the cache again, without outdated entries; a cache that could not be read is removed. */
  async rewriteCache(): Promise<void> {
    this.lifetime.signal.throwIfAborted();
    if (this.isLoaded || (await this.readCacheOnce())) await this.writeInTurn();
    else await this.caches.remove(LIST_CACHE_PATH);
  }

  /** Writes a pending cache now, before the window closes. */
  async flush(): Promise<void> {
    if (this.cacheTimer) await this.writeCache();
  }

  dispose(): void {
    this.lifetime.abort(new Error("the window closes"));
    this.cacheTimer?.dispose();
    this.changed.dispose();
  }

  private async refreshNow(): Promise<void> {
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const startMs = this.clock.elapsedMs();
    try {
      await this.readCacheOnce();
      const stale = await this.staleIds(slice);
      let notifiedAtMs = this.clock.nowMs();
      let hasChanged = false;
      for await (const [id, file] of readConversationFiles(this.files, stale)) {
        hasChanged = (await this.applyFile(id, file, slice)) || hasChanged;
        if (hasChanged && this.clock.nowMs() - notifiedAtMs >= NOTIFY_INTERVAL_MS) {
          this.changed.fire();
          notifiedAtMs = this.clock.nowMs();
        }
      }
      this.refreshedAtMs = this.clock.elapsedMs();
      this.refreshMs = this.refreshedAtMs - startMs;
      const isFirst = !this.isLoaded;
      this.isLoaded = true;
      if (hasChanged || isFirst) this.notifyAndCache(hasChanged);
    } catch (error) {
      if (this.lifetime.signal.aborted) return;
      this.hasFailed = true;
      this.log.error(`history: conversations could not be listed (${describeError(error)})`);
    }
  }

  /** Returns the ids of new, changed and removed files, newest first. */
  private async staleIds(slice: TimeSlice): Promise<string[]> {
    const names = await this.files.list(CONVERSATIONS_FOLDER);
    const stale = new Set(await this.mergeConflictCopies(names, slice));
    const gone = new Set(this.byId.keys());
    for (let at = 0; at < names.length; at += STATS_AT_ONCE) {
      const ids = names.slice(at, at + STATS_AT_ONCE).map(conversationIdOf);
      await Promise.all(
        ids.map(async (id) => {
          const stat = id === undefined ? undefined : await this.statOf(id);
          if (id === undefined) return;
          gone.delete(id);
          if (stat === undefined || !this.isUpToDate(id, stat)) stale.add(id);
        }),
      );
      await slice.pause();
    }
    return [...stale, ...gone].sort().reverse();
  }

  /** Merges the copies that sync programs made. Returns the ids of their conversations. */
  private async mergeConflictCopies(names: readonly string[], slice: TimeSlice): Promise<string[]> {
    const ids: string[] = [];
    for (const copy of copiesAmong(names)) {
      const pause = slice.pause();
      if (pause) await pause;
      try {
        if (!(await mergeCopy(copy, this.files, this.files, this.clock.nowMs()))) continue;
        ids.push(copy.conversationId);
        this.log.info("history: a conflict copy of a conversation was merged");
      } catch (error) {
        this.log.warn(`history: a conflict copy was not merged (${describeError(error)})`);
      }
    }
    return ids;
  }

  /** Returns undefined for a missing file and for a failure, which reading the file reports. */
  private async statOf(id: string): Promise<FileStat | undefined> {
    try {
      return await this.files.stat(conversationPath(id));
    } catch {
      return undefined;
    }
  }

  /** Updates the entry of a file. Resolves with true if the entry changed. */
  private async applyFile(id: string, file: ReadFile, slice: TimeSlice): Promise<boolean> {
    const before = this.get(id);
    switch (file.kind) {
      case "read":
        if (this.removals.knownIds.has(id)) return this.remove(id);
        if (this.isUpToDate(id, file.stat)) return false;
        this.set(entryOf(await readConversation(id, file.bytes, slice), file.stat));
        return true;
      case "missing":
        return this.remove(id);
      case "failed":
        this.log.warn(`history: a conversation could not be read (${describeError(file.error)})`);
        this.set(unreadableEntry(id, before));
        return before?.isUnreadable !== true;
      default:
        return file satisfies never;
    }
  }

  private remove(id: string): boolean {
    this.sorted = undefined;
    return this.byId.delete(id);
  }

  private set(entry: IndexEntry): void {
    this.sorted = undefined;
    this.byId.set(entry.id, entry);
  }

  private isUpToDate(id: string, stat: FileStat): boolean {
    const entry = this.byId.get(id);
    return entry?.fileBytes === stat.bytes && entry.fileChangedAtMs === stat.changedAtMs;
  }

  private readCacheOnce(): Promise<boolean> {
    this.cacheRead ??= this.readCache();
    return this.cacheRead;
  }

  /**
   * Shows the entries of the cache at once; their files are checked afterwards. Resolves with false if
   * entries are missing. Never rejects.
   */
  private async readCache(): Promise<boolean> {
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    try {
      const bytes = await this.caches.read(LIST_CACHE_PATH);
      if (bytes === undefined) return false;
      let damagedCount = bytes.length === 0 ? 1 : 0;
      for (const line of linesOf(bytes)) {
        const entry = decodeEntry(line);
        if (entry) this.byId.set(entry.id, entry);
        else damagedCount++;
        const pause = slice.pause();
        if (pause) await pause;
      }
      this.sorted = undefined;
      if (damagedCount > 0)
        this.log.warn("history: the cached list is damaged, so it is rebuilt from the files");
      await this.dropOutdated();
      if (this.byId.size > 0) this.changed.fire();
      return damagedCount === 0;
    } catch (error) {
      if (!this.lifetime.signal.aborted)
        this.log.warn(`history: the cached list could not be read (${describeError(error)})`);
      return false;
    }
  }

  /** Drops entries that another window, or another machine with this history, removed for ever. */
  private async dropOutdated(): Promise<void> {
    await this.removals.read();
    const outdated = [...this.byId.values()].filter((entry) => this.isOutdated(entry));
    for (const { id } of outdated) this.remove(id);
    if (outdated.length > 0) void this.writeCache();
  }

  private notifyAndCache(hasChanged = true): void {
    this.changed.fire();
    if (!hasChanged || this.lifetime.signal.aborted) return;
    this.cacheTimer ??= this.clock.after(CACHE_AFTER_MS, () => void this.writeCache());
  }

  private async writeCache(): Promise<void> {
    try {
      await this.writeInTurn();
    } catch (error) {
      this.log.warn(`history: the cached list could not be saved (${describeError(error)})`);
    }
  }

  /** Writes never overlap, so that none brings back what a later one removed. */
  private writeInTurn(): Promise<void> {
    const written = this.writing.then(() => this.writeCacheNow());
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async writeCacheNow(): Promise<void> {
    this.cacheTimer?.dispose();
    this.cacheTimer = undefined;
    const { removals } = this;
    let changeCount;
    do {
      await removals.read();
      ({ changeCount } = removals);
      const slice = new TimeSlice(this.clock, new AbortController().signal);
      const entries = this.entries().filter((entry) => !this.isOutdated(entry));
      const bytes = concatBytes(await slice.map(entries, encodeEntry));
      await this.caches.replace(LIST_CACHE_PATH, bytes);
      await removals.read();
      // Another window removed something while this one wrote an entry of it.
    } while (removals.changeCount !== changeCount);
  }

  /** True for the entry of a conversation that another window removed, or of a file with forgotten text. */
  private isOutdated({ id, fileBytes }: IndexEntry): boolean {
    return this.removals.isOutdated(id, fileBytes);
  }
}

export function isListed(
  { deletedAtMs, createdAtMs, workspace }: IndexEntry,
  filter: ListFilter,
): boolean {
  const { isInBin = false } = filter;
  if (isInBin !== "either" && (deletedAtMs !== undefined) !== isInBin) return false;
  if (filter.workspace === undefined) return true;
  // The workspace is unknown if its record is damaged.
  return createdAtMs === 0 || workspace === filter.workspace;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
