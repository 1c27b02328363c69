/**
 * Index of all conversations, in step with their files. Reads changed files only; the other entries
 * come from a cache. Several windows write the cache, so each entry is checked against its file.
 */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import { oneAtATime } from "../base/oneAtATime";
import type { FileStat, FileSystem } from "../history/fileSystem";
import { EntryTable } from "./entryTable";
import {
  decodeIndexBlocks,
  encodeIndexBlock,
  ENTRIES_PER_BLOCK,
  INDEX_CACHE_PATH,
} from "./indexCache";
import { entryOf, unreadableEntry, type IndexEntry } from "./indexEntry";
import { copiesAmong, mergeCopy } from "../history/mergeRecords";
import {
  CONVERSATIONS_FOLDER,
  conversationIdOf,
  conversationPath,
  isSafeId,
} from "../history/paths";
import {
  readConversationFile,
  readConversationFiles,
  type ReadFile,
} from "../history/readConversationFiles";
import { readConversation } from "../history/readConversation";
import { Removals } from "../history/removals";
import { TimeSlice } from "../base/timeSlice";

/** Parallel `stat` calls: enough to keep the disk busy, few enough to be aborted soon. */
const STATS_AT_ONCE = 256;

/** Interval of change events while many files are read, in milliseconds. */
const NOTIFY_INTERVAL_MS = 250;

/** Share of the time that may be spent on checking files while a list is shown. */
const MAX_REFRESH_SHARE = 0.05;

/** Delay between a change and the write of the cache, in milliseconds. */
const CACHE_AFTER_MS = 2_000;

/** Filter of the list. */
export interface ListFilter {
  /** True for deleted conversations, false for the others. Default: false. */
  readonly isInBin?: boolean | "either";
  /** Only conversations that were created in this workspace. */
  readonly workspace?: string;
}

/** Entries of all conversations; empty until the first refresh. */
export class ConversationIndex implements Disposable {
  /** All entries; `rows` has their rows in order. */
  readonly table = new EntryTable();
  /** Rows of all entries; not in the order of the list while `isSorted` is false. */
  private sorted: number[] = [];
  private isSorted = true;
  /** Rows of the entries that changed since the cache was written. */
  private readonly uncached = new Set<number>();
  /** Number of entries in the file of the cache, with outdated ones; undefined to write all of it. */
  private cachedCount: number | undefined;
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
    const entries: IndexEntry[] = [];
    for (const row of this.rows()) {
      if (entries.length >= maxCount) break;
      if (this.isListed(row, filter)) entries.push(this.table.entry(row));
    }
    return entries;
  }

  /** Returns the number of entries in memory. */
  count(filter: ListFilter = {}): number {
    let count = 0;
    for (const row of this.rows()) if (this.isListed(row, filter)) count++;
    return count;
  }

  /** Returns the newest entries with messages, pinned or not. */
  newest(filter: ListFilter, maxCount: number): IndexEntry[] {
    const { table } = this;
    const rows: number[] = [];
    let unpinnedCount = 0;
    for (const row of this.rows()) {
      if (unpinnedCount >= maxCount) break;
      if (table.messageCount(row) === 0 || !this.isListed(row, filter)) continue;
      rows.push(row);
      if (!table.isPinned(row)) unpinnedCount++;
    }
    const byTime = (a: number, b: number) => table.changedAtMs(b) - table.changedAtMs(a);
    return rows
      .sort(byTime)
      .slice(0, maxCount)
      .map((row) => table.entry(row));
  }

  /** Returns the rows of all entries, pinned first, then newest first; valid until the next change. */
  rows(): readonly number[] {
    if (this.isSorted) return this.sorted;
    const { table } = this;
    // Sorting an array with a few entries out of order takes linear time.
    this.sorted = this.sorted
      .filter((row) => !table.isRemoved(row))
      .sort(
        (a, b) =>
          Number(table.isPinned(b)) - Number(table.isPinned(a)) ||
          table.changedAtMs(b) - table.changedAtMs(a) ||
          byId(table.id(a), table.id(b)),
      );
    this.isSorted = true;
    return this.sorted;
  }

  /** True if a filter includes the entry of a row. */
  isListed(row: number, { isInBin = false, workspace }: ListFilter): boolean {
    const { table } = this;
    return (
      (isInBin === "either" || table.isDeleted(row) === isInBin) &&
      (workspace === undefined || table.isOf(row, workspace))
    );
  }

  /** Returns the conversations with damaged or unreadable files, including deleted ones. */
  damaged(): IndexEntry[] {
    const { table } = this;
    const isDamaged = (row: number) => table.damagedRecords(row) > 0 || table.isUnreadable(row);
    return this.rows()
      .filter(isDamaged)
      .map((row) => table.entry(row))
      .sort((a, b) => b.changedAtMs - a.changedAtMs);
  }

  get(conversationId: string): IndexEntry | undefined {
    const row = this.table.rowOf(conversationId);
    return row === undefined ? undefined : this.table.entry(row);
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
    await this.readCacheOnce();
    for (const id of ids) await this.refreshOne(id);
    await this.rewriteCache();
  }

  /** Writes the cache again, without outdated entries; a cache that could not be read is removed. */
  async rewriteCache(): Promise<void> {
    this.lifetime.signal.throwIfAborted();
    for (const name of await this.caches.list(""))
      if (name.startsWith(INDEX_CACHE_PATH) && name.endsWith(".tmp"))
        await this.caches.remove(name);
    if (this.isLoaded || this.cachedCount !== undefined) await this.writeInTurn(true);
    else await this.caches.remove(INDEX_CACHE_PATH);
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
    const { table } = this;
    const names = await this.files.list(CONVERSATIONS_FOLDER);
    const copied = await this.mergeConflictCopies(names, slice);
    const isFound = new Uint8Array(table.rowCount);
    const stale = new Set(copied);
    for (let at = 0; at < names.length; at += STATS_AT_ONCE) {
      const ids = names.slice(at, at + STATS_AT_ONCE).map(conversationIdOf);
      await Promise.all(
        ids.map(async (id) => {
          const stat = id === undefined ? undefined : await this.statOf(id);
          if (id === undefined) return;
          const row = table.rowOf(id);
          if (row !== undefined) isFound[row] = 1;
          if (stat === undefined || !this.isUpToDate(id, stat)) stale.add(id);
        }),
      );
      await slice.pause();
    }
    for (const [row, found] of isFound.entries())
      if (found === 0 && !table.isRemoved(row)) stale.add(table.id(row));
    return [...stale].sort().reverse();
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
    const row = this.table.rowOf(id);
    const before = this.get(id);
    switch (file.kind) {
      case "read":
        if (this.removals.knownIds.has(id)) return this.removeRow(row);
        if (this.isUpToDate(id, file.stat)) return false;
        this.set(entryOf(await readConversation(id, file.bytes, slice), file.stat));
        return true;
      case "missing":
        return this.removeRow(row);
      case "failed":
        this.log.warn(`history: a conversation could not be read (${describeError(file.error)})`);
        this.set(unreadableEntry(id, before));
        return before?.isUnreadable !== true;
      default:
        return file satisfies never;
    }
  }

  /** Returns false if there is no entry. */
  private removeRow(row: number | undefined): boolean {
    if (row === undefined) return false;
    this.table.remove(row);
    this.uncached.delete(row);
    this.isSorted = false;
    return true;
  }

  private set(entry: IndexEntry): void {
    const isNew = this.table.rowOf(entry.id) === undefined;
    const row = this.table.set(entry);
    if (isNew) this.sorted.push(row);
    this.isSorted = false;
    this.uncached.add(row);
  }

  private isUpToDate(id: string, stat: FileStat): boolean {
    const row = this.table.rowOf(id);
    return row !== undefined && this.table.isOfFile(row, stat.bytes, stat.changedAtMs);
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
      const bytes = await this.caches.read(INDEX_CACHE_PATH);
      if (bytes === undefined) return false;
      let isDamaged = bytes.length === 0;
      let count = 0;
      let hasShown = false;
      for (const columns of decodeIndexBlocks(bytes)) {
        isDamaged ||= columns === undefined;
        if (columns) {
          count += columns.flags.length;
          for (const row of this.table.addColumns(columns)) this.sorted.push(row);
          this.isSorted = false;
        }
        // The newest come first, so the top of the list need not wait for the others.
        if (!hasShown && count >= ENTRIES_PER_BLOCK) {
          hasShown = true;
          this.changed.fire();
        }
        const pause = slice.pause();
        if (pause) await pause;
      }
      if (isDamaged)
        this.log.warn("history: the index cache is damaged, so it is rebuilt from the files");
      else this.cachedCount = count;
      await this.dropOutdated();
      if (count > 0) this.changed.fire();
      return !isDamaged;
    } catch (error) {
      if (!this.lifetime.signal.aborted)
        this.log.warn(`history: the index cache could not be read (${describeError(error)})`);
      return false;
    }
  }

  /** Drops entries that another window, or another machine with this history, removed for ever. */
  private async dropOutdated(): Promise<void> {
    await this.removals.read();
    if (this.removals.changeCount === 0) return;
    const outdated = this.sorted.filter((row) => this.isOutdated(row));
    for (const row of outdated) this.table.remove(row);
    if (outdated.length === 0) return;
    this.isSorted = false;
    void this.writeCache(true);
  }

  private notifyAndCache(hasChanged = true): void {
    this.changed.fire();
    if (!hasChanged || this.lifetime.signal.aborted) return;
    this.cacheTimer ??= this.clock.after(CACHE_AFTER_MS, () => void this.writeCache());
  }

  private async writeCache(isWhole = false): Promise<void> {
    try {
      await this.writeInTurn(isWhole);
    } catch (error) {
      this.log.warn(`history: the index cache could not be saved (${describeError(error)})`);
    }
  }

  /** Writes never overlap, so that none brings back what a later one removed. */
  private writeInTurn(isWhole: boolean): Promise<void> {
    const now = this.writing.then(() => this.writeCacheNow(isWhole));
    this.writing = now.catch(() => {
      this.cachedCount = undefined;
    });
    return now;
  }

  private async writeCacheNow(isWholeAsked: boolean): Promise<void> {
    this.cacheTimer?.dispose();
    this.cacheTimer = undefined;
    const changed = [...this.uncached];
    const isWhole =
      isWholeAsked ||
      this.cachedCount === undefined ||
      this.cachedCount + changed.length > 2 * this.table.size + ENTRIES_PER_BLOCK;
    // The newest last, because they are read first.
    const rows = isWhole ? [...this.rows()].reverse() : changed;
    this.uncached.clear();
    const { removals } = this;
    await removals.read();
    const { changeCount } = removals;
    const slice = new TimeSlice(this.clock, new AbortController().signal);
    const blocks: Uint8Array[] = [];
    for (let at = 0; at < rows.length; at += ENTRIES_PER_BLOCK) {
      const own = rows.slice(at, at + ENTRIES_PER_BLOCK);
      const live = own.filter((row) => !this.table.isRemoved(row) && !this.isOutdated(row));
      blocks.push(encodeIndexBlock(this.table.columnsOf(live)));
      const pause = slice.pause();
      if (pause) await pause;
    }
    const bytes = concatBytes(blocks);
    if (isWhole) await this.caches.replace(INDEX_CACHE_PATH, bytes);
    else await this.caches.append(INDEX_CACHE_PATH, bytes);
    this.cachedCount = (isWhole ? 0 : (this.cachedCount ?? 0)) + rows.length;
    await removals.read();
    // Another window removed something while this one wrote an entry of it.
    if (removals.changeCount !== changeCount) await this.writeCacheNow(true);
  }

  /** True for the entry of a conversation that another window removed, or of a file with forgotten text. */
  private isOutdated(row: number): boolean {
    return this.removals.isOutdated(this.table.id(row), this.table.fileBytes(row));
  }
}

function byId(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
