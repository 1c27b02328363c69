/**
 * Search index next to the journal: segments in a folder of their own, and segments in memory for the
 * latest changes. Holds nothing that the journal does not: a missing, damaged or outdated part is built
 * again from the files. All windows share the files; one of them at a time adds many conversations.
 */
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import { oneAtATime } from "../base/oneAtATime";
import type { ReadRanges } from "./checkedFile";
import type { ConversationIndex } from "./conversationIndex";
import type { EntryTable } from "./entryTable";
import type { FileSystem } from "../history/fileSystem";
import {
  FORMER_SEARCH_FOLDERS,
  isSearchSegmentName,
  SEARCH_CLAIM_PATH,
  SEARCH_FOLDER,
  SEARCH_REMOVAL_PATH,
  searchSegmentPath,
} from "../history/paths";
import { readConversation } from "../history/readConversation";
import { readConversationFiles } from "../history/readConversationFiles";
import type { Removals } from "../history/removals";
import { messageText, messageTexts } from "./messageTexts";
import { MAX_SEGMENT_BYTES, Segment, SegmentBuilder } from "./segment";
import { TimeSlice } from "../base/timeSlice";
import { Vocabulary } from "./vocabulary";

/** Size of changed texts that are indexed in memory; more are written to a file. */
const MIN_SEGMENT_BYTES = 1024 * 1024;

/** Maximum size of texts that are indexed in memory because the disk is full or damages what is written. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** Size of changed files that each window indexes; one window at a time indexes more. */
const MAX_SHARED_BYTES = 4 * 1024 * 1024;

/** Number of segments less than half full; more are merged. */
const MAX_SMALL_SEGMENTS = 8;

/** Time after which another window may build although a window claimed it, in milliseconds. */
const CLAIM_MS = 60_000;

/** Interval of looking for segments of other windows, in milliseconds. */
const LOAD_INTERVAL_MS = 5_000;

/** Progress of building, in conversations. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/** Texts of all conversations at one time. */
export class IndexSnapshot {
  /** Number of each row's segment, 1 for the oldest, and of the conversation in it; 0 if there is none. */
  private readonly segmentNumbers: Uint32Array;
  private readonly conversationNumbers: Uint32Array;
  /** Rows of readable conversations whose latest texts are in no segment; newest first. */
  readonly pendingRows: readonly number[];

  /** Takes a few milliseconds for 100,000 conversations. */
  constructor(
    /** The oldest first. */
    readonly segments: readonly Segment[],
    /** Rows of all conversations, newest first. */
    readonly newestFirst: readonly number[],
    table: EntryTable,
  ) {
    this.segmentNumbers = new Uint32Array(table.rowCount);
    this.conversationNumbers = new Uint32Array(table.rowCount);
    const isUpToDate = new Uint8Array(table.rowCount);
    for (const [at, segment] of segments.entries()) {
      segment.link(table);
      for (let number = 0; number < segment.count; number++) {
        const row = segment.rowOf(number);
        if (row === undefined) continue;
        const isOfFile = segment.isUpToDate(number, table, row);
        if (!isOfFile && isUpToDate[row] === 1) continue;
        if (isOfFile) isUpToDate[row] = 1;
        this.segmentNumbers[row] = at + 1;
        this.conversationNumbers[row] = number;
      }
    }
    this.pendingRows = newestFirst.filter(
      (row) => isUpToDate[row] !== 1 && !table.isUnreadable(row),
    );
  }

  /** Returns the segment with the texts of a row, which may be out of date. */
  segmentOf(row: number): Segment | undefined {
    return this.segments[(this.segmentNumbers[row] ?? 0) - 1];
  }

  /** Returns the number of a row's conversation in its segment. */
  numberOf(row: number): number {
    return this.conversationNumbers[row] ?? 0;
  }
}

export class TextIndex {
  private readonly windowId: string;
  private readonly vocabulary = new Vocabulary();
  /** Segments by path. */
  private readonly written = new Map<string, Segment>();
  private inMemory: Segment[] = [];
  /** Undefined after a segment was added or removed. */
  private current: IndexSnapshot | undefined;
  /** Rows of the list that the snapshot has. */
  private rowsOfSnapshot: readonly number[] | undefined;
  private loadedAtMs = -Infinity;
  /** True for the conversations whose outdated texts are removed from the files by the next update. */
  private mustGo: ((conversationId: string) => boolean) | undefined;
  private updateError: unknown;
  /** Rows that the last update could not add: files that cannot be read, or that change all the time. */
  private skipped: ReadonlySet<number> = new Set();
  private onProgress: (progress: IndexProgress) => void = () => undefined;

  constructor(
    private readonly files: FileSystem,
    private readonly caches: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly lifetime: AbortSignal,
    private readonly removals: Removals,
    private readonly minSegmentBytes = MIN_SEGMENT_BYTES,
  ) {
    this.windowId = newId(clock.nowMs());
  }

  /** Returns the texts that are indexed now. */
  snapshot(): IndexSnapshot {
    const rows = this.index.rows();
    if (this.current && this.rowsOfSnapshot === rows) return this.current;
    const { table } = this.index;
    // Two sorted runs, pinned and other entries, so sorting takes linear time.
    const newestFirst = [...rows].sort((a, b) => table.changedAtMs(b) - table.changedAtMs(a));
    // The names of segments begin with a time.
    const paths = [...this.written.keys()].sort();
    const segments = [...paths.flatMap((path) => this.written.get(path) ?? []), ...this.inMemory];
    this.rowsOfSnapshot = rows;
    this.current = new IndexSnapshot(segments, newestFirst, table);
    return this.current;
  }

  /** Number of conversations whose latest texts are in no segment. */
  get pendingCount(): number {
    return this.snapshot().pendingRows.length;
  }

  /** True if the conversations without an index are so few that a search can wait for them. */
  get isNearlyComplete(): boolean {
    return this.pendingBytes() <= MAX_SHARED_BYTES;
  }

  /** Loads the list, new segments at most every few seconds, and forgets removed ones. Never rejects. */
  async load(): Promise<void> {
    await this.index.load();
    if (this.clock.elapsedMs() - this.loadedAtMs >= LOAD_INTERVAL_MS) await this.loadNow();
  }

  /** Adds the missing conversations and reports the progress. Rejects with the signal's reason only. */
  async build(signal: AbortSignal, onProgress: (progress: IndexProgress) => void): Promise<void> {
    this.onProgress = onProgress;
    await this.index.refreshIfOld();
    await this.update();
    this.onProgress = () => undefined;
    signal.throwIfAborted();
  }

  /**
   * Adds the missing conversations, newest first, unless there are many and another window adds them.
   * Never rejects.
   */
  readonly update = oneAtATime(async () => {
    try {
      const slice = new TimeSlice(this.clock, this.lifetime);
      if (this.mustGo) await this.removeNow(this.mustGo, slice);
      await this.updateNow(slice);
    } catch (error) {
      if (this.lifetime.aborted) return;
      this.updateError = error;
      this.log.warn(`history: the search index was not finished (${describeError(error)})`);
    }
  });

  /**
   * Removes the texts of conversations that the list no longer has, and the former texts of changed ones.
   * The list must have removed the conversations before. Resolves when no file has any of these; rejects with the file system's error.
   */
  removeForever(ids: ReadonlySet<string>): Promise<void> {
    return this.remove((id) => ids.has(id));
  }

  /** Removes the texts of all conversations that changed or are gone. Rejects as `removeForever`. */
  removeOutdated(): Promise<void> {
    return this.remove(() => true);
  }

  /** Reads from a segment; discards it if it is damaged, so that its texts are built again. */
  async readOrDiscard<T>(segment: Segment, run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      for (const [path, other] of this.written)
        if (other === segment) await this.discard(path, error);
      // Another window may have merged the segment into a new one.
      await this.loadNow();
      return undefined;
    }
  }

  private pendingBytes(): number {
    let bytes = 0;
    for (const row of this.snapshot().pendingRows)
      if (!this.skipped.has(row)) bytes += this.index.table.fileBytes(row);
    return bytes;
  }

  private async remove(mustGo: (conversationId: string) => boolean): Promise<void> {
    await this.index.load();
    const others = this.mustGo;
    this.mustGo = others ? (id) => others(id) || mustGo(id) : mustGo;
    this.updateError = undefined;
    await this.caches.replace(SEARCH_REMOVAL_PATH, this.claimBytes());
    await this.update();
    if (this.isRemoving()) throw this.updateError ?? this.lifetime.reason;
  }

  private isRemoving(): boolean {
    return this.mustGo !== undefined;
  }

  /** Rewrites the segments with a text that must go; other outdated texts of these go as well. */
  private async removeNow(
    mustGo: (conversationId: string) => boolean,
    slice: TimeSlice,
  ): Promise<void> {
    await this.removeLeftovers();
    await this.removals.read();
    await this.loadNow();
    this.inMemory = [];
    this.current = undefined;
    const { table } = this.index;
    for (const [path, segment] of [...this.written]) {
      const current = new Set(this.currentOf(segment));
      for (let number = 0; number < segment.count; number++) {
        if (current.has(number) || !mustGo(segment.idOf(number, table))) continue;
        await this.merge([path], slice);
        break;
      }
    }
    if (this.mustGo === mustGo) this.mustGo = undefined;
  }

  private async updateNow(slice: TimeSlice): Promise<void> {
    await this.load();
    const tried = new Set<number>();
    this.skipped = new Set();
    const isShared = this.isNearlyComplete;
    if (!isShared && !(await this.claim())) return;
    const { table } = this.index;
    let maxBytes = this.minSegmentBytes;
    let hasWritten = false;
    let canWrite = true;
    for (;;) {
      const rows = this.snapshot().pendingRows.filter((row) => !tried.has(row));
      if (!isShared) this.onProgress({ done: table.size - rows.length, total: table.size });
      if (rows.length === 0) {
        this.skipped = tried;
        break;
      }
      const builder = new SegmentBuilder();
      const removal = await this.caches.stat(SEARCH_REMOVAL_PATH);
      const rowsById = new Map(rows.map((row) => [table.id(row), row]));
      for await (const [id, file] of readConversationFiles(this.files, [...rowsById.keys()])) {
        tried.add(rowsById.get(id) ?? -1);
        if (file.kind === "read") {
          const { conversation } = await readConversation(id, file.bytes, slice);
          const stat = { fileBytes: file.stat.bytes, fileChangedAtMs: file.stat.changedAtMs };
          await builder.add({ id, ...stat }, await messageTexts(conversation, slice), slice);
        }
        if (builder.bytes >= maxBytes) break;
      }
      if (builder.count === 0) continue;
      const isSmall = builder.bytes + this.memoryBytes() < this.minSegmentBytes;
      if (isSmall || !canWrite) {
        await this.keepInMemory(await builder.encode(slice));
        if (this.memoryBytes() > MAX_MEMORY_BYTES) break;
        continue;
      }
      for (const segment of this.inMemory) await this.addCurrent(builder, segment, slice);
      const bytes = await builder.encode(slice);
      const path = await this.write(bytes).catch((error: unknown) => {
        this.log.warn(`history: the search index could not be saved (${describeError(error)})`);
        return "";
      });
      // Another window removes texts that this segment may have.
      await this.removals.read();
      const isOutdated = builder.files.some((file) =>
        this.removals.isOutdated(file.id, file.fileBytes),
      );
      const removalNow = await this.caches.stat(SEARCH_REMOVAL_PATH);
      if (isOutdated || removalNow?.changedAtMs !== removal?.changedAtMs) {
        if (path !== "") await this.caches.remove(path);
        return;
      }
      this.inMemory = [];
      canWrite = this.written.has(path);
      if (!canWrite) await this.keepInMemory(bytes);
      hasWritten = true;
      maxBytes = Math.min(4 * maxBytes, MAX_SEGMENT_BYTES);
      if (!isShared) await this.caches.replace(SEARCH_CLAIM_PATH, this.claimBytes());
    }
    if (!isShared) await this.caches.remove(SEARCH_CLAIM_PATH);
    if (hasWritten) await this.mergeSmall(slice);
  }

  /** Adds a segment that is not in a file. */
  private async keepInMemory(bytes: Uint8Array): Promise<void> {
    const own = bytes.slice(); // Frees the unused part of the builder's buffer.
    this.inMemory.push(
      await Segment.open(rangesOf(own), own.length, this.vocabulary, this.openSlice()),
    );
    this.current = undefined;
  }

  /** Size of the texts in memory. */
  private memoryBytes(): number {
    let bytes = 0;
    for (const segment of this.inMemory) bytes += segment.textBytes;
    return bytes;
  }

  /** Returns the numbers of the conversations whose latest texts are in this segment. */
  private currentOf(segment: Segment): number[] {
    const snapshot = this.snapshot();
    const { table } = this.index;
    return Array.from({ length: segment.count }, (_, number) => number).filter((number) => {
      const row = segment.rowOf(number);
      return (
        row !== undefined &&
        !table.isRemoved(row) &&
        snapshot.segmentOf(row) === segment &&
        snapshot.numberOf(row) === number &&
        !this.removals.isOutdated(table.id(row), segment.indexedFile(number).fileBytes) &&
        segment.isUpToDate(number, table, row)
      );
    });
  }

  /** Adds the current conversations of a segment to a new one. */
  private async addCurrent(
    builder: SegmentBuilder,
    segment: Segment,
    slice: TimeSlice,
  ): Promise<void> {
    for (const number of this.currentOf(segment)) {
      const [start, end] = segment.messagesOf(number);
      const numbers = Array.from({ length: end - start }, (_, at) => start + at);
      const texts = await segment.readMessages(numbers);
      const messages = [];
      for (const { id, original } of texts) messages.push(await messageText(id, original, slice));
      const row = segment.rowOf(number) ?? 0;
      const file = { id: this.index.table.id(row), ...segment.indexedFile(number) };
      await builder.add(file, messages, slice);
    }
  }

  /** Merges the segments that are less than half full of current texts, once there are many. */
  private async mergeSmall(slice: TimeSlice): Promise<void> {
    const small: string[] = [];
    let bytes = 0;
    for (const path of [...this.written.keys()].sort()) {
      const segment = this.written.get(path);
      if (segment === undefined) continue;
      const own = this.currentOf(segment).reduce((sum, at) => sum + segment.textBytesOf(at), 0);
      if (own >= MAX_SEGMENT_BYTES / 2 || bytes + own > MAX_SEGMENT_BYTES) continue;
      small.push(path);
      bytes += own;
    }
    if (small.length > MAX_SMALL_SEGMENTS) await this.merge(small, slice);
  }

  /** Replaces segments by one with their current texts. */
  private async merge(paths: readonly string[], slice: TimeSlice): Promise<void> {
    const builder = new SegmentBuilder();
    for (const path of paths) {
      const segment = this.written.get(path);
      if (segment)
        await this.readOrDiscard(segment, () => this.addCurrent(builder, segment, slice));
    }
    if (builder.count > 0 && !this.written.has(await this.write(await builder.encode(slice))))
      throw new Error("a segment could not be written");
    for (const path of paths) {
      this.written.delete(path);
      await this.caches.remove(path);
    }
    this.current = undefined;
  }

  /** Writes and loads a segment. Returns its path, which `written` lacks if the disk damaged it. */
  private async write(bytes: Uint8Array): Promise<string> {
    const path = searchSegmentPath(newId(this.clock.nowMs()));
    await this.caches.replace(path, bytes);
    await this.loadNow();
    return path;
  }

  /** Resolves with true if this window may build. Two windows at once only do work twice. */
  private async claim(): Promise<boolean> {
    const stat = await this.caches.stat(SEARCH_CLAIM_PATH);
    if (stat && Math.abs(this.clock.nowMs() - stat.changedAtMs) < CLAIM_MS) return false;
    await this.caches.replace(SEARCH_CLAIM_PATH, this.claimBytes());
    const read = await this.caches.read(SEARCH_CLAIM_PATH);
    return read !== undefined && new TextDecoder().decode(read) === this.windowId;
  }

  private claimBytes(): Uint8Array {
    return new TextEncoder().encode(this.windowId);
  }

  private async loadNow(): Promise<void> {
    this.loadedAtMs = this.clock.elapsedMs();
    try {
      const names = await this.caches.list(SEARCH_FOLDER);
      const paths = names.filter(isSearchSegmentName).map((name) => `${SEARCH_FOLDER}/${name}`);
      for (const path of paths) {
        if (this.written.has(path)) continue;
        const segment = await this.open(path);
        if (segment) this.written.set(path, segment);
        this.current = undefined;
      }
      for (const path of this.written.keys()) if (!paths.includes(path)) this.forget(path);
    } catch (error) {
      this.log.warn(`history: the search index could not be read (${describeError(error)})`);
    }
  }

  private async open(path: string): Promise<Segment | undefined> {
    const stat = await this.caches.stat(path);
    if (stat === undefined) return undefined;
    try {
      const readRanges: ReadRanges = (ranges, allocate) =>
        this.caches.readRanges(path, ranges, allocate);
      return await Segment.open(readRanges, stat.bytes, this.vocabulary, this.openSlice());
    } catch (error) {
      await this.discard(path, error);
      return undefined;
    }
  }

  /** Never aborted: a segment whose reading fails is discarded. */
  private openSlice(): TimeSlice {
    return new TimeSlice(this.clock, new AbortController().signal);
  }

  private forget(path: string): void {
    this.written.delete(path);
    this.current = undefined;
  }

  private async discard(path: string, error: unknown): Promise<void> {
    this.forget(path);
    this.log.warn(`history: a part of the search index is built again (${describeError(error)})`);
    await this.caches.remove(path).catch(() => undefined);
  }

  /** Removes the index of former versions and temporary files, which a crash left. */
  private async removeLeftovers(): Promise<void> {
    for (const folder of [SEARCH_FOLDER, ...FORMER_SEARCH_FOLDERS]) {
      for (const name of await this.caches.list(folder)) {
        const isLeft = folder !== SEARCH_FOLDER || name.endsWith(".tmp");
        if (isLeft) await this.caches.remove(`${folder}/${name}`);
      }
    }
  }
}

/** Returns a reader of ranges in memory. */
function rangesOf(bytes: Uint8Array) {
  return (ranges: readonly (readonly [number, number])[]) =>
    Promise.resolve(ranges.map(([start, end]) => bytes.subarray(start, end)));
}
