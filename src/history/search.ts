/**
 * Full-text search over all messages of all conversations. The search index names the conversations that
 * may match; their texts decide. Conversations that the index does not have yet are read from their
 * files. Pauses regularly and can be aborted.
 */
import type { Clock } from "../base/clock";
import type { Log } from "../base/log";
import type { ConversationIndex, ListFilter } from "./conversationIndex";
import type { FileSystem } from "./fileSystem";
import { termsOf } from "./matches";
import { normalizeText } from "./normalizeText";
import { SearchIndex, type IndexProgress } from "./searchIndex";
import { SearchRun, type SearchAnswer, type SearchCandidates } from "./searchRun";
import type { SearchSegment } from "./searchSegment";
import { SearchTextReader } from "./searchTextReader";
import { TimeSlice } from "./timeSlice";

/** Rows filtered without a pause; takes less than a millisecond. */
const ROWS_PER_STEP = 1_024;

/** Search text, filter, and the visible hits. */
export interface SearchQuery extends ListFilter {
  /** Terms that must all occur, also inside words; a phrase in double quotes is a single term. */
  readonly text: string;
  /** Number of best hits that the answer leaves out, because they are not visible. Default: 0. */
  readonly firstHit?: number;
  /** Maximum number of hits in an answer. */
  readonly maxHits: number;
}

/** Search over the index; refresh the index to find new messages. Each window has its own. */
export class Search {
  private readonly searchIndex: SearchIndex;
  private readonly reader: SearchTextReader;

  constructor(
    files: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    log: Log,
    caches: FileSystem = files,
    /** Maximum memory of the texts that are not in the search index, in bytes. */
    maxMemoryBytes = 16 * 1024 * 1024,
  ) {
    this.searchIndex = new SearchIndex(files, caches, index, clock, log);
    this.reader = new SearchTextReader(files, index.table, this.searchIndex, maxMemoryBytes);
  }

  /** Approximate memory of the cached texts, in bytes. */
  get memoryBytes(): number {
    return this.reader.memoryBytes;
  }

  /** Loads the search index, so that the first search need not. Never rejects. */
  async load(): Promise<void> {
    await this.index.load();
    await this.searchIndex.load();
    this.searchIndex.prepare();
  }

  /** Adds the missing conversations to the search index. Rejects with the signal's reason only. */
  async buildIndex(
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void = () => undefined,
  ): Promise<void> {
    await this.index.refreshIfOld();
    await this.searchIndex.build(signal, onProgress);
  }

  /**
   * Yields answers while texts are read; the last answer is complete. Throws the signal's reason when
   * aborted.
   */
  async *search(query: SearchQuery, signal: AbortSignal): AsyncGenerator<SearchAnswer, void, void> {
    const terms = termsOf(query.text);
    if (terms.length === 0) {
      yield { hits: [], foundCount: 0, isEstimate: false, isComplete: true };
      return;
    }
    await this.index.load();
    const slice = new TimeSlice(this.clock, signal);
    await this.searchIndex.load();
    this.reader.removeObsolete();
    const { firstHit = 0, maxHits } = query;
    const run = new SearchRun({
      terms,
      candidates: await this.candidates(query, terms, slice),
      firstHit,
      endHit: firstHit + maxHits,
      table: this.index.table,
      reader: this.reader,
      clock: this.clock,
      slice,
    });
    yield* run.answers();
  }

  /** Finds the conversations that may match, with the titles and the search index alone. */
  private async candidates(
    filter: ListFilter,
    terms: readonly string[],
    slice: TimeSlice,
  ): Promise<SearchCandidates> {
    const { index, searchIndex } = this;
    const { table } = index;
    const bits = await searchIndex.candidates(terms);
    const titled: number[] = [];
    const others: number[] = [];
    let untilPause = ROWS_PER_STEP;
    let lastSegment: SearchSegment | undefined;
    let segmentBits: Uint8Array | undefined;
    for (const row of searchIndex.newestFirst()) {
      if (--untilPause === 0) {
        untilPause = ROWS_PER_STEP;
        await slice.pause();
      }
      if (table.isUnreadable(row) || table.isRemoved(row)) continue;
      const segment = searchIndex.segmentOf(row);
      const number = searchIndex.documentNumberOf(row);
      if (segment) {
        // Neighbours are mostly in the same segment, because newer conversations are added first.
        if (segment !== lastSegment) segmentBits = bits.get(segment);
        lastSegment = segment;
        const byte = segmentBits?.[number >> 3] ?? 0xff;
        if ((byte & (1 << (number & 7))) === 0) continue;
      }
      if (!index.isListed(row, filter)) continue;
      const title = segment?.title(number) ?? normalizeText(table.title(row) ?? "").text;
      (hasAll(title, terms) ? titled : others).push(row);
    }
    return { titled, others };
  }
}

function hasAll(text: string, terms: readonly string[]): boolean {
  for (const term of terms) if (!text.includes(term)) return false;
  return true;
}
