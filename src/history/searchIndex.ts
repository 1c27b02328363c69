/**
 * Search index next to the journal: segments of searchable texts in a folder of their own. Holds nothing
 * that the journal does not: a missing, damaged or outdated part is built again from the files. All
 * windows share the segments; one of them at a time builds.
 */
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import type { ConversationIndex } from "./conversationIndex";
import type { FileSystem } from "./fileSystem";
import { isSearchSegmentName, SEARCH_CLAIM_PATH, SEARCH_FOLDER, searchSegmentPath } from "./paths";
import { readConversationFiles } from "./readConversationFiles";
import { readConversation } from "./readConversation";
import { MAX_DOCUMENTS, MAX_SEGMENT_BYTES, SearchSegment, SegmentBuilder } from "./searchSegment";
import { SearchText } from "./searchText";
import { TimeSlice } from "./timeSlice";

/** Conversations outside the segments that are searched in memory; more are added to a segment. */
const MAX_PENDING = 64;

/** Time after which another window may build although a window claimed it, in milliseconds. */
const CLAIM_MS = 60_000;

/** Interval of looking for segments of other windows, in milliseconds. */
const LOAD_INTERVAL_MS = 5_000;

/** Progress of building, in conversations. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/** Current text of a conversation, by its row and its number in a segment. */
interface IndexedDocument {
  readonly row: number;
  readonly number: number;
}

export class SearchIndex {
  private readonly windowId: string;
  private readonly segments = new Map<string, SearchSegment>();
  /** Segments in the order of their age, the oldest first. */
  private orderedSegments: readonly SearchSegment[] = [];
  /** Number of the newest segment with a text of each row, 1 for the oldest; 0 if there is none. */
  private segmentNumbers = new Uint16Array();
  /** Number of each row's text in that segment. */
  private documentNumbers = new Uint16Array();
  /** False after a segment was added or removed: then `findLocations` must run again. */
  private areLocationsValid = false;
  /** Rows of all conversations, newest first, and the rows of the list that were sorted for them. */
  private rowsByTime: readonly number[] = [];
  private rowsByTimeSource: readonly number[] | undefined;
  private loadedAtMs = -Infinity;
  private loading: Promise<void> | undefined;
  private isBuilding = false;

  constructor(
    private readonly files: FileSystem,
    private readonly caches: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.windowId = newId(clock.nowMs());
  }

  /** Sorts the rows and finds their texts, so that the first search need not. */
  prepare(): void {
    this.newestFirst();
    if (!this.areLocationsValid) this.findLocations();
  }

  /** Returns the rows of all conversations, newest first. */
  newestFirst(): readonly number[] {
    const rows = this.index.rows();
    if (this.rowsByTimeSource === rows) return this.rowsByTime;
    const { table } = this.index;
    // Two sorted runs, pinned and other entries, so sorting takes linear time.
    this.rowsByTime = [...rows].sort((a, b) => table.changedAtMs(b) - table.changedAtMs(a));
    this.rowsByTimeSource = rows;
    return this.rowsByTime;
  }

  /** Returns the segment with the text of a row; undefined if the text is only in its file. */
  segmentOf(row: number): SearchSegment | undefined {
    const { table } = this.index;
    if (!this.areLocationsValid || row >= this.segmentNumbers.length) this.findLocations();
    const segment = this.orderedSegments[(this.segmentNumbers[row] ?? 0) - 1];
    return segment?.isUpToDate(this.documentNumberOf(row), table, row) === true
      ? segment
      : undefined;
  }

  /** Returns the number of the text of a row in its segment. */
  documentNumberOf(row: number): number {
    return this.documentNumbers[row] ?? 0;
  }

  /** Returns the documents that may have all terms: a bit for each document of each segment. */
  async candidates(terms: readonly string[]): Promise<ReadonlyMap<SearchSegment, Uint8Array>> {
    const found = new Map<SearchSegment, Uint8Array>();
    await Promise.all(
      [...this.segments.values()].map(async (segment) => {
        const bits = await this.readOrDiscard(segment, () => segment.candidates(terms));
        if (bits) found.set(segment, bits);
      }),
    );
    return found;
  }

  /** Reads texts of a segment; undefined if it is damaged. */
  readTexts(segment: SearchSegment, numbers: readonly number[]): Promise<SearchText[] | undefined> {
    return this.readOrDiscard(segment, () => segment.readTexts(numbers));
  }

  /** Loads new segments and forgets removed ones, at most every few seconds. Never rejects. */
  async load(isForced = false): Promise<void> {
    if (!isForced && this.clock.elapsedMs() - this.loadedAtMs < LOAD_INTERVAL_MS) return;
    this.loading ??= this.loadNow().finally(() => {
      this.loading = undefined;
      this.loadedAtMs = this.clock.elapsedMs();
    });
    await this.loading;
  }

  /**
   * Adds the conversations that no segment has, newest first, unless there are only a few. Rejects with
   * the signal's reason only.
   */
  async build(signal: AbortSignal, onProgress: (progress: IndexProgress) => void): Promise<void> {
    if (this.isBuilding) return;
    this.isBuilding = true;
    try {
      const slice = new TimeSlice(this.clock, signal);
      await this.load(true);
      if (this.pendingRows().length < MAX_PENDING || !(await this.claim())) return;
      for (let countBefore = Infinity; ;) {
        const pending = this.pendingRows();
        const total = this.index.table.size;
        onProgress({ done: total - pending.length, total });
        // Files that cannot be read, or a segment that the disk damaged, stay pending.
        if (pending.length < MAX_PENDING || pending.length >= countBefore) break;
        countBefore = pending.length;
        await this.buildSegment(pending, slice);
        await this.caches.replace(SEARCH_CLAIM_PATH, new TextEncoder().encode(this.windowId));
        await this.load(true);
      }
      await this.caches.remove(SEARCH_CLAIM_PATH);
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn(`history: the search index was not finished (${describeError(error)})`);
    } finally {
      this.isBuilding = false;
    }
  }

  /** Returns the rows of readable conversations that no segment has, newest first. */
  private pendingRows(): number[] {
    const { table } = this.index;
    return this.newestFirst().filter(
      (row) => !table.isUnreadable(row) && this.segmentOf(row) === undefined,
    );
  }

  /** Builds a segment from small segments and pending files. */
  private async buildSegment(pending: readonly number[], slice: TimeSlice): Promise<void> {
    const { table } = this.index;
    const builder = new SegmentBuilder();
    const absorbed: SearchSegment[] = [];
    for (const [segment, documents] of this.smallSegments()) {
      absorbed.push(segment);
      for (const { row, number } of documents) {
        const [text] = (await this.readTexts(segment, [number])) ?? [];
        const file = { id: table.id(row), ...segment.indexedFile(number) };
        if (text) await builder.add(file, text, slice);
      }
    }
    const ids = pending.slice(0, MAX_DOCUMENTS).map((row) => table.id(row));
    for await (const [id, file] of readConversationFiles(this.files, ids)) {
      if (builder.isFull) break;
      if (file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const stat = { fileBytes: file.stat.bytes, fileChangedAtMs: file.stat.changedAtMs };
      await builder.add({ id, ...stat }, await SearchText.of(conversation, slice), slice);
    }
    if (builder.count === 0) return;
    const path = searchSegmentPath(newId(this.clock.nowMs()));
    await this.caches.replace(path, await builder.encode(slice));
    for (const segment of absorbed) await this.caches.remove(segment.path);
  }

  /**
   * Returns at most two segments that are less than half full of current texts, so both fit into one,
   * with these texts. Newer texts have replaced the others, or the segment was never full.
   */
  private smallSegments(): (readonly [SearchSegment, readonly IndexedDocument[]])[] {
    const current = new Map(
      [...this.segments.values()].map((segment) => [segment, [] as IndexedDocument[]]),
    );
    const bytes = new Map<SearchSegment, number>();
    for (const row of this.index.rows()) {
      const segment = this.segmentOf(row);
      if (segment === undefined) continue;
      const number = this.documentNumberOf(row);
      current.get(segment)?.push({ row, number });
      bytes.set(segment, (bytes.get(segment) ?? 0) + segment.textBytesOf(number));
    }
    return [...current]
      .filter(
        ([segment, documents]) =>
          (bytes.get(segment) ?? 0) < MAX_SEGMENT_BYTES / 2 && documents.length < MAX_DOCUMENTS / 2,
      )
      .slice(0, 2);
  }

  /** Resolves with true if this window may build. Two windows at once only do work twice. */
  private async claim(): Promise<boolean> {
    const stat = await this.caches.stat(SEARCH_CLAIM_PATH);
    if (stat && Math.abs(this.clock.nowMs() - stat.changedAtMs) < CLAIM_MS) return false;
    const own = new TextEncoder().encode(this.windowId);
    await this.caches.replace(SEARCH_CLAIM_PATH, own);
    const read = await this.caches.read(SEARCH_CLAIM_PATH);
    return read !== undefined && new TextDecoder().decode(read) === this.windowId;
  }

  private async loadNow(): Promise<void> {
    try {
      const names = await this.caches.list(SEARCH_FOLDER);
      const paths = names.filter(isSearchSegmentName).map((name) => `${SEARCH_FOLDER}/${name}`);
      for (const path of paths.sort()) {
        const segment = this.segments.has(path) ? undefined : await this.open(path);
        if (segment === undefined) continue;
        this.segments.set(path, segment);
        this.areLocationsValid = false;
      }
      for (const segment of this.segments.values())
        if (!paths.includes(segment.path)) this.drop(segment);
    } catch (error) {
      this.log.warn(`history: the search index could not be read (${describeError(error)})`);
    }
  }

  private async open(path: string): Promise<SearchSegment | undefined> {
    try {
      return await SearchSegment.open(this.caches, path);
    } catch (error) {
      await this.discard(path, error);
      return undefined;
    }
  }

  /** Finds each row's segment and document. Takes a few milliseconds for 100,000 conversations. */
  private findLocations(): void {
    const { table } = this.index;
    // Later segments are newer: their names begin with a time.
    const paths = [...this.segments.keys()].sort();
    this.orderedSegments = paths.flatMap((path) => this.segments.get(path) ?? []);
    this.segmentNumbers = new Uint16Array(table.rowCount);
    this.documentNumbers = new Uint16Array(table.rowCount);
    for (const [at, segment] of this.orderedSegments.entries()) {
      segment.link(table);
      for (let number = 0; number < segment.count; number++) {
        const row = segment.rowOf(number);
        if (row === undefined) continue;
        this.segmentNumbers[row] = at + 1;
        this.documentNumbers[row] = number;
      }
    }
    this.areLocationsValid = true;
  }

  private drop(segment: SearchSegment): void {
    this.segments.delete(segment.path);
    this.areLocationsValid = false;
  }

  /** Runs a read; discards the segment if the read fails, so that its texts are built again. */
  private async readOrDiscard<T>(
    segment: SearchSegment,
    run: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      this.drop(segment);
      await this.discard(segment.path, error);
      // Another window may have merged the segment into a new one.
      await this.load(true);
      return undefined;
    }
  }

  private async discard(path: string, error: unknown): Promise<void> {
    this.log.warn(`history: a part of the search index is built again (${describeError(error)})`);
    await this.caches.remove(path).catch(() => undefined);
  }
}
