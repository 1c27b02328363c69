/**
 * The list of all conversations, kept up to date with the files: those that changed since they
 * were last read are read again, the others are believed from a cache. Several windows may write
 * that cache; whoever reads it checks every entry against its file.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import type { FileFacts, FileSystem } from "./fileSystem";
import { decodeIndexCache, encodeIndexCache, INDEX_CACHE_PATH } from "./indexCache";
import { entryOf, isUpToDate, unreadableEntry, type IndexEntry } from "./indexEntry";
import { CONVERSATIONS_FOLDER, conversationIdOf, conversationPath, isSafeId } from "./paths";
import { readFile, readFiles, type ReadFile } from "./readAhead";
import { readConversation } from "./readConversation";
import { TimeSlice } from "./timeSlice";

/** Files asked for their size at once; enough to keep the disk busy, few enough to let go. */
const FACTS_AT_ONCE = 256;

/** While many files are read, listeners are told about this often, in milliseconds. */
const TELL_INTERVAL_MS = 250;

/** Quiet time before a changed list is written to the cache, in milliseconds. */
const CACHE_AFTER_MS = 2_000;

/** Which part of the list is wanted. */
export interface ListFilter {
  /** True for what is in the bin, else everything outside it. */
  readonly isInBin?: boolean;
  /** Only conversations begun in this workspace. */
  readonly workspace?: string;
}

/** The conversations there are; idle until it is asked. */
export class ConversationIndex implements Disposable {
  private readonly entries = new Map<string, IndexEntry>();
  private readonly lifetime = new AbortController();
  private readonly changed = new Emitter<void>();
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private cacheTimer: Disposable | undefined;
  private isLoaded = false;

  /** Tells that the list is different now; while many files are read, a few times a second. */
  readonly onChanged = this.changed.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** True once every file was looked at. */
  get isReady(): boolean {
    return this.isLoaded;
  }

  /** What is known now: pinned ones first, then the newest; call `refresh` before it matters. */
  list(filter: ListFilter = {}): IndexEntry[] {
    const { isInBin = false, workspace } = filter;
    return [...this.entries.values()]
      .filter(
        (entry) =>
          (entry.deletedAtMs !== undefined) === isInBin &&
          (workspace === undefined || entry.workspace === workspace),
      )
      .sort(
        (a, b) => Number(b.isPinned) - Number(a.isPinned) || newestFirst(a, b) || byId(a.id, b.id),
      );
  }

  /** Every conversation whose file could not be read as a whole, in the bin or not. */
  damaged(): IndexEntry[] {
    return [...this.entries.values()]
      .filter((entry) => entry.damagedRecords > 0 || entry.isUnreadable)
      .sort(newestFirst);
  }

  get(conversationId: string): IndexEntry | undefined {
    return this.entries.get(conversationId);
  }

  /**
   * Looks at every file and reads those that changed; resolves when the list is as the disk is.
   * Never rejects: what the disk refuses is logged and listed as unreadable.
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

  /** Reads one conversation again, if its file changed. Never rejects. */
  async refreshOne(conversationId: string): Promise<void> {
    if (this.lifetime.signal.aborted || !isSafeId(conversationId)) return;
    const facts = await this.factsOf(conversationId);
    if (facts !== undefined && isUpToDate(this.entries.get(conversationId), facts)) return;
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const file = await readFile(this.files, conversationId);
    try {
      if (await this.take(conversationId, file, slice)) this.tellAndKeep();
    } catch {
      // The window closes, the only reason for a pause to throw.
    }
  }

  /** Writes the cache now, if it waits to be written; for the end of the window. */
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
    try {
      if (!this.isLoaded) await this.readCache();
      const stale = await this.staleIds(slice);
      let toldAtMs = this.clock.nowMs();
      let hasNews = false;
      for await (const [id, file] of readFiles(this.files, stale)) {
        hasNews = (await this.take(id, file, slice)) || hasNews;
        if (hasNews && this.clock.nowMs() - toldAtMs >= TELL_INTERVAL_MS) {
          this.changed.fire();
          toldAtMs = this.clock.nowMs();
        }
      }
      const isFirst = !this.isLoaded;
      this.isLoaded = true;
      if (hasNews || isFirst) this.tellAndKeep(hasNews);
    } catch (error) {
      if (this.lifetime.signal.aborted) return;
      this.log.error(`history: conversations could not be listed (${describeError(error)})`);
    }
  }

  /** Ids that are new, changed or gone, newest first. */
  private async staleIds(slice: TimeSlice): Promise<string[]> {
    const names = await this.files.list(CONVERSATIONS_FOLDER);
    const found = new Set(names.map(conversationIdOf).filter((id) => id !== undefined));
    const stale = [...this.entries.keys()].filter((id) => !found.has(id));
    const ids = [...found];
    for (let at = 0; at < ids.length; at += FACTS_AT_ONCE) {
      const some = ids.slice(at, at + FACTS_AT_ONCE);
      const facts = await Promise.all(some.map((id) => this.factsOf(id)));
      some.forEach((id, index) => {
        const own = facts[index];
        if (own === undefined || !isUpToDate(this.entries.get(id), own)) stale.push(id);
      });
      await slice.pause();
    }
    return stale.sort().reverse();
  }

  /** Undefined also when the disk fails; reading the file then says why. */
  private async factsOf(id: string): Promise<FileFacts | undefined> {
    try {
      return await this.files.facts(conversationPath(id));
    } catch {
      return undefined;
    }
  }

  /** Takes in what the disk gave; resolves with true when the entry is now another. */
  private async take(id: string, file: ReadFile, slice: TimeSlice): Promise<boolean> {
    const before = this.entries.get(id);
    switch (file.kind) {
      case "read":
        if (isUpToDate(before, file.facts)) return false;
        this.entries.set(id, entryOf(await readConversation(id, file.bytes, slice), file.facts));
        return true;
      case "missing":
        return this.entries.delete(id);
      case "failed":
        this.log.warn(`history: a conversation could not be read (${describeError(file.error)})`);
        this.entries.set(id, unreadableEntry(id, before));
        return before?.isUnreadable !== true;
      default:
        return file satisfies never;
    }
  }

  private async readCache(): Promise<void> {
    try {
      const bytes = await this.files.read(INDEX_CACHE_PATH);
      const entries = bytes && decodeIndexCache(bytes);
      for (const entry of entries ?? []) this.entries.set(entry.id, entry);
      if (bytes && !entries) this.log.warn("history: the list is made anew from the files");
    } catch (error) {
      this.log.warn(`history: the list could not be read (${describeError(error)})`);
    }
  }

  private tellAndKeep(hasNews = true): void {
    this.changed.fire();
    if (!hasNews || this.lifetime.signal.aborted) return;
    this.cacheTimer ??= this.clock.after(CACHE_AFTER_MS, () => void this.writeCache());
  }

  private async writeCache(): Promise<void> {
    this.cacheTimer?.dispose();
    this.cacheTimer = undefined;
    try {
      await this.files.replace(INDEX_CACHE_PATH, encodeIndexCache([...this.entries.values()]));
    } catch (error) {
      this.log.warn(`history: the list was not kept (${describeError(error)})`);
    }
  }
}

function newestFirst(a: IndexEntry, b: IndexEntry): number {
  return b.changedAtMs - a.changedAtMs;
}

function byId(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
