/**
 * Index of all conversations, in step with their files. Reads changed files only; the other entries
 * come from a cache. Several windows write the cache, so each entry is checked against its file.
 */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import type { FileStat, FileSystem } from "./fileSystem";
import {
  decodeIndexLines,
  encodeIndexLine,
  ENTRIES_PER_LINE,
  INDEX_CACHE_PATH,
} from "./indexCache";
import { entryOf, isUpToDate, unreadableEntry, type IndexEntry } from "./indexEntry";
import { mergeRecords } from "./mergeRecords";
import {
  conflictCopyOf,
  CONVERSATIONS_FOLDER,
  conversationIdOf,
  conversationPath,
  isSafeId,
} from "./paths";
import { readFile, readFiles, type ReadFile } from "./readAhead";
import { readConversation } from "./readConversation";
import { TimeSlice } from "./timeSlice";

/** Parallel `stat` calls: enough to keep the disk busy, few enough to stop soon. */
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
  private readonly entries = new Map<string, IndexEntry>();
  /** Entries in the order of the list; out of date where `moved` says so. */
  private sorted: IndexEntry[] = [];
  /** Ids of the entries that changed since `sorted`. */
  private readonly moved = new Set<string>();
  /** Ids of the entries that changed since the cache was written. */
  private readonly uncached = new Set<string>();
  /** Number of entries in the file of the cache, with outdated ones; undefined to write all of it. */
  private cachedCount: number | undefined;
  private refreshedAtMs = -Infinity;
  private refreshMs = 0;
  private readonly lifetime = new AbortController();
  private readonly changed = new Emitter<void>();
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private cacheTimer: Disposable | undefined;
  private isLoaded = false;
  private hasFailed = false;

  /** Fires after the list changed; at most a few times a second while files are read. */
  readonly onChanged = this.changed.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly caches: FileSystem = files,
  ) {}

  /** True once every file was checked. */
  get isReady(): boolean {
    return this.isLoaded;
  }

  /** True while the conversations folder cannot be listed; the next refresh tries again. */
  get isUnavailable(): boolean {
    return this.hasFailed && !this.isLoaded;
  }

  /** Returns the entries in memory, pinned first, then newest first; `refresh` updates them. */
  list(filter: ListFilter = {}): IndexEntry[] {
    const { isInBin = false, workspace } = filter;
    return this.inOrder().filter((entry) => isListed(entry, isInBin, workspace));
  }

  /** Returns all entries, pinned first, then newest first; the same array while nothing changes. */
  all(): readonly IndexEntry[] {
    return this.inOrder();
  }

  /** Returns the conversations with damaged or unreadable files, including deleted ones. */
  damaged(): IndexEntry[] {
    return [...this.entries.values()]
      .filter((entry) => entry.damagedRecords > 0 || entry.isUnreadable)
      .sort(newestFirst);
  }

  get(conversationId: string): IndexEntry | undefined {
    return this.entries.get(conversationId);
  }

  /**
   * Checks every file and reads those that changed. Never rejects: unreadable files are logged and
   * listed as unreadable.
   */
  refresh(): Promise<void> {
    if (this.next) return this.next;
    if (this.running) {
      this.next = this.running.then(() => {
        this.next = undefined;
        return this.refresh();
      });
      return this.next;
    }
    this.running = this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Refreshes unless the last refresh was so recent that checking all files costs too much. */
  async refreshIfOld(): Promise<void> {
    const ageMs = this.clock.elapsedMs() - this.refreshedAtMs;
    if (!this.isReady || ageMs * MAX_REFRESH_SHARE >= this.refreshMs) await this.refresh();
  }

  /** Reads a conversation if its file changed. Never rejects. */
  async refreshOne(conversationId: string): Promise<void> {
    if (this.lifetime.signal.aborted || !isSafeId(conversationId)) return;
    const stat = await this.statOf(conversationId);
    if (stat !== undefined && isUpToDate(this.entries.get(conversationId), stat)) return;
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const file = await readFile(this.files, conversationId);
    try {
      if (await this.applyFile(conversationId, file, slice)) this.notifyAndCache();
    } catch {
      // Only the end of the window makes a pause throw.
    }
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

  private async run(): Promise<void> {
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const startMs = this.clock.elapsedMs();
    try {
      if (!this.isLoaded) await this.readCache(slice);
      const stale = await this.staleIds(slice);
      let notifiedAtMs = this.clock.nowMs();
      let hasChanged = false;
      for await (const [id, file] of readFiles(this.files, stale)) {
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
    const copied = await this.mergeConflictCopies(names);
    const found = new Set(
      [...names.map(conversationIdOf), ...copied].filter((id) => id !== undefined),
    );
    const stale = [...this.entries.keys()].filter((id) => !found.has(id));
    const ids = [...found];
    for (let at = 0; at < ids.length; at += STATS_AT_ONCE) {
      const batch = ids.slice(at, at + STATS_AT_ONCE);
      const stats = await Promise.all(batch.map((id) => this.statOf(id)));
      batch.forEach((id, index) => {
        const fileStat = stats[index];
        if (fileStat === undefined || !isUpToDate(this.entries.get(id), fileStat)) stale.push(id);
      });
      await slice.pause();
    }
    return stale.sort().reverse();
  }

  /** Merges the copies that sync programs made. Returns the ids of their conversations. */
  private async mergeConflictCopies(names: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      const id = conflictCopyOf(name);
      if (id === undefined) continue;
      try {
        const path = `${CONVERSATIONS_FOLDER}/${name}`;
        const copy = await this.files.read(path);
        if (copy) await mergeRecords(this.files, conversationPath(id), copy);
        await this.files.remove(path);
        ids.push(id);
        this.log.info("history: a conflict copy of a conversation was merged");
      } catch (error) {
        this.log.warn(`history: a conflict copy was not merged (${describeError(error)})`);
      }
    }
    return ids;
  }

  /** Also returns undefined when `stat` fails; reading the file then reports the error. */
  private async statOf(id: string): Promise<FileStat | undefined> {
    try {
      return await this.files.stat(conversationPath(id));
    } catch {
      return undefined;
    }
  }

  /** Updates the entry of a file. Resolves with true if the entry changed. */
  private async applyFile(id: string, file: ReadFile, slice: TimeSlice): Promise<boolean> {
    const before = this.entries.get(id);
    switch (file.kind) {
      case "read":
        if (isUpToDate(before, file.stat)) return false;
        this.set(entryOf(await readConversation(id, file.bytes, slice), file.stat));
        return true;
      case "missing":
        this.moved.add(id);
        return this.entries.delete(id);
      case "failed":
        this.log.warn(`history: a conversation could not be read (${describeError(file.error)})`);
        this.set(unreadableEntry(id, before));
        return before?.isUnreadable !== true;
      default:
        return file satisfies never;
    }
  }

  private set(entry: IndexEntry): void {
    this.entries.set(entry.id, entry);
    this.moved.add(entry.id);
    this.uncached.add(entry.id);
  }

  /** Sorting an array with a few entries at the wrong end takes linear time. */
  private inOrder(): readonly IndexEntry[] {
    if (this.moved.size === 0) return this.sorted;
    const changed = [...this.moved].map((id) => this.entries.get(id));
    this.sorted = this.sorted
      .filter(({ id }) => !this.moved.has(id))
      .concat(changed.filter((entry) => entry !== undefined))
      .sort(byPinAndTime);
    this.moved.clear();
    return this.sorted;
  }

  /** Shows the entries of the cache at once; their files are checked afterwards. */
  private async readCache(slice: TimeSlice): Promise<void> {
    try {
      const bytes = await this.caches.read(INDEX_CACHE_PATH);
      if (bytes === undefined) return;
      let isDamaged = bytes.length === 0;
      let count = 0;
      for (const entries of decodeIndexLines(bytes)) {
        isDamaged ||= entries === undefined;
        for (const entry of entries ?? []) {
          this.entries.set(entry.id, entry);
          this.moved.add(entry.id);
          count++;
        }
        const pause = slice.pause();
        if (pause) await pause;
      }
      if (isDamaged)
        this.log.warn("history: the index cache is damaged, so it is rebuilt from the files");
      else this.cachedCount = count;
      if (count > 0) this.changed.fire();
    } catch (error) {
      this.lifetime.signal.throwIfAborted();
      this.log.warn(`history: the index cache could not be read (${describeError(error)})`);
    }
  }

  private notifyAndCache(hasChanged = true): void {
    this.changed.fire();
    if (!hasChanged || this.lifetime.signal.aborted) return;
    this.cacheTimer ??= this.clock.after(CACHE_AFTER_MS, () => void this.writeCache());
  }

  private async writeCache(): Promise<void> {
    this.cacheTimer?.dispose();
    this.cacheTimer = undefined;
    const changed = [...this.uncached].map((id) => this.entries.get(id));
    const isWhole =
      this.cachedCount === undefined ||
      this.cachedCount + changed.length > 2 * this.entries.size + ENTRIES_PER_LINE;
    const entries = isWhole
      ? [...this.entries.values()]
      : changed.filter((entry) => entry !== undefined);
    this.uncached.clear();
    try {
      const slice = new TimeSlice(this.clock, new AbortController().signal);
      const lines: Uint8Array[] = [];
      for (let at = 0; at < entries.length; at += ENTRIES_PER_LINE) {
        lines.push(encodeIndexLine(entries.slice(at, at + ENTRIES_PER_LINE)));
        const pause = slice.pause();
        if (pause) await pause;
      }
      const bytes = concatBytes(lines);
      if (isWhole) await this.caches.replace(INDEX_CACHE_PATH, bytes);
      else await this.caches.append(INDEX_CACHE_PATH, bytes);
      this.cachedCount = (isWhole ? 0 : (this.cachedCount ?? 0)) + entries.length;
    } catch (error) {
      this.cachedCount = undefined;
      this.log.warn(`history: the index cache could not be saved (${describeError(error)})`);
    }
  }
}

/** True if a filter with these values includes the entry. */
export function isListed(
  entry: IndexEntry,
  isInBin: boolean | "either",
  workspace: string | undefined,
): boolean {
  return (
    (isInBin === "either" || (entry.deletedAtMs !== undefined) === isInBin) &&
    (workspace === undefined || entry.workspace === workspace)
  );
}

function byPinAndTime(a: IndexEntry, b: IndexEntry): number {
  return Number(b.isPinned) - Number(a.isPinned) || newestFirst(a, b) || byId(a.id, b.id);
}

function newestFirst(a: IndexEntry, b: IndexEntry): number {
  return b.changedAtMs - a.changedAtMs;
}

function byId(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
