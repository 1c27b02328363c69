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
import type { IndexEntry } from "./indexEntry";
import { isSearchSegmentName, SEARCH_CLAIM_PATH, SEARCH_FOLDER, searchSegmentPath } from "./paths";
import { readFiles } from "./readAhead";
import { readConversation } from "./readConversation";
import { MAX_DOCUMENTS, MAX_SEGMENT_BYTES, SearchSegment, SegmentBuilder } from "./searchSegment";
import { SearchText } from "./searchText";
import { TimeSlice } from "./timeSlice";

/** Conversations outside the segments that are searched in memory; more are added to a segment. */
const MAX_PENDING = 64;

/** Time after which another window may build although a window claimed it, in milliseconds. */
const CLAIM_MS = 60_000;

/** Entries located without a pause; takes less than a millisecond. */
const ENTRIES_PER_STEP = 1_024;

/** Interval of looking for segments of other windows, in milliseconds. */
const LOAD_INTERVAL_MS = 5_000;

/** Place of a conversation's text. */
export interface IndexedPlace {
  readonly segment: SearchSegment;
  readonly number: number;
}

/** Readable conversation, with the place of its text unless it is only in its file. */
export interface LocatedEntry {
  readonly entry: IndexEntry;
  readonly place?: IndexedPlace;
}

/** Progress of building, in conversations. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export class SearchIndex {
  private readonly windowId: string;
  private readonly segments = new Map<string, SearchSegment>();
  private readonly places = new Map<string, IndexedPlace>();
  private placesVersion = 0;
  /** Result of `located`, with the entries and the version of the places it was made from. */
  private locatedEntries: readonly LocatedEntry[] = [];
  private locatedFrom: readonly IndexEntry[] | undefined;
  private locatedVersion = 0;
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

  /** Returns all readable conversations, newest first. Takes no time while nothing changes. */
  async located(slice: TimeSlice): Promise<readonly LocatedEntry[]> {
    const entries = this.index.all();
    const { placesVersion } = this;
    if (this.locatedFrom === entries && this.locatedVersion === placesVersion)
      return this.locatedEntries;
    const located: LocatedEntry[] = [];
    let untilPause = ENTRIES_PER_STEP;
    for (const entry of entries) {
      if (--untilPause === 0) {
        untilPause = ENTRIES_PER_STEP;
        await slice.pause();
      }
      if (entry.isUnreadable) continue;
      const place = this.places.get(entry.id);
      const isUpToDate = place?.segment.isUpToDate(place.number, entry) === true;
      located.push(isUpToDate ? { entry, place } : { entry });
    }
    // Two sorted runs, pinned and other entries, so sorting takes linear time.
    this.locatedEntries = located.sort((a, b) => b.entry.changedAtMs - a.entry.changedAtMs);
    this.locatedFrom = entries;
    this.locatedVersion = placesVersion;
    return this.locatedEntries;
  }

  /** Returns the documents that may have all terms: a bit for each document of each segment. */
  async candidates(terms: readonly string[]): Promise<ReadonlyMap<SearchSegment, Uint8Array>> {
    const found = new Map<SearchSegment, Uint8Array>();
    await Promise.all(
      [...this.segments.values()].map(async (segment) => {
        const bits = await this.checked(segment, () => segment.candidates(terms));
        if (bits) found.set(segment, bits);
      }),
    );
    return found;
  }

  /** Reads texts of a segment; undefined if it is damaged. */
  texts(segment: SearchSegment, numbers: readonly number[]): Promise<SearchText[] | undefined> {
    return this.checked(segment, () => segment.searchTexts(numbers));
  }

  /** Loads new segments and drops removed ones, at most every few seconds. Never rejects. */
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
      if ((await this.pending(slice)).length < MAX_PENDING || !(await this.claim())) return;
      for (;;) {
        const pending = await this.pending(slice);
        const total = (await this.located(slice)).length;
        onProgress({ done: total - pending.length, total });
        if (pending.length < MAX_PENDING) break;
        if (!(await this.buildSegment(pending, slice))) break;
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

  private async pending(slice: TimeSlice): Promise<IndexEntry[]> {
    const located = await this.located(slice);
    return located.filter(({ place }) => place === undefined).map(({ entry }) => entry);
  }

  /** Builds a segment from small segments and pending files. Resolves with false if nothing was added. */
  private async buildSegment(pending: readonly IndexEntry[], slice: TimeSlice): Promise<boolean> {
    const builder = new SegmentBuilder();
    const absorbed: SearchSegment[] = [];
    for (const [segment, numbers] of await this.smallSegments(slice)) {
      if (builder.isFull) break;
      absorbed.push(segment);
      for (const number of numbers) {
        const file = segment.file(number);
        const [text] = (await this.texts(segment, [number])) ?? [];
        if (text && !builder.has(file.id)) await builder.add(file, text, slice);
      }
    }
    const countBefore = builder.count;
    for await (const [id, file] of readFiles(
      this.files,
      pending.map(({ id }) => id),
    )) {
      if (builder.isFull) break;
      if (file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const stat = { fileBytes: file.stat.bytes, fileChangedAtMs: file.stat.changedAtMs };
      await builder.add({ id, ...stat }, await SearchText.of(conversation, slice), slice);
    }
    if (builder.count === 0) return false;
    const path = searchSegmentPath(newId(this.clock.nowMs()));
    await this.caches.replace(path, await builder.encode(slice));
    for (const segment of absorbed) await this.caches.remove(segment.path);
    return builder.count > countBefore;
  }

  /** Returns the segments that newer texts have replaced half of, or that were never full. */
  private async smallSegments(slice: TimeSlice): Promise<Map<SearchSegment, number[]>> {
    const current = new Map(
      [...this.segments.values()].map((segment) => [segment, [] as number[]]),
    );
    const bytes = new Map<SearchSegment, number>();
    for (const { place } of await this.located(slice)) {
      if (place === undefined) continue;
      const { segment, number } = place;
      current.get(segment)?.push(number);
      bytes.set(segment, (bytes.get(segment) ?? 0) + segment.textBytesOf(number));
    }
    for (const [segment, numbers] of current) {
      const isSmall =
        (bytes.get(segment) ?? 0) < MAX_SEGMENT_BYTES / 2 && numbers.length < MAX_DOCUMENTS / 2;
      if (!isSmall) current.delete(segment);
    }
    return current;
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
        if (segment) this.add(segment);
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

  /** Later segments are newer: their names begin with a time. */
  private add(segment: SearchSegment): void {
    this.segments.set(segment.path, segment);
    for (let number = 0; number < segment.count; number++) {
      const { id } = segment.file(number);
      const other = this.places.get(id);
      if (!other || other.segment.path < segment.path) this.places.set(id, { segment, number });
    }
    this.placesVersion++;
  }

  private drop(segment: SearchSegment): void {
    this.segments.delete(segment.path);
    for (let number = 0; number < segment.count; number++) {
      const { id } = segment.file(number);
      if (this.places.get(id)?.segment === segment) this.places.delete(id);
    }
    this.placesVersion++;
  }

  /** Runs a read; discards the segment if the read fails, so that its texts are built again. */
  private async checked<T>(segment: SearchSegment, run: () => Promise<T>): Promise<T | undefined> {
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
