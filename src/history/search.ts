/**
 * Full-text search over all messages of all conversations. The search index names the conversations that
 * may match; their texts decide. Conversations that the index does not have yet are read from their
 * files. Pauses regularly and can be aborted.
 */
import type { Clock } from "../base/clock";
import type { Log } from "../base/log";
import type { ConversationIndex, ListFilter } from "./conversationIndex";
import type { FileSystem } from "./fileSystem";
import type { IndexEntry } from "./indexEntry";
import {
  rankOf,
  snippetsOf,
  termsOf,
  titleRanges,
  type MatchRank,
  type Snippet,
  type TextRange,
} from "./matches";
import { normalizeText } from "./normalizeText";
import { readFiles } from "./readAhead";
import { readConversation } from "./readConversation";
import { SearchIndex, type IndexProgress } from "./searchIndex";
import type { SearchSegment } from "./searchSegment";
import { SearchText } from "./searchText";
import { SearchTexts } from "./searchTexts";
import { TimeSlice } from "./timeSlice";

/** Interval of intermediate answers, in milliseconds. */
const ANSWER_INTERVAL_MS = 200;

/**
 * Conversations whose texts are read together: few at first, because the first hits must not wait for
 * many; more later, because each read opens the files of all segments that it needs.
 */
const FIRST_TEXTS_AT_ONCE = 64;
const MAX_TEXTS_AT_ONCE = 256;

/** Number of texts that are checked although there are enough hits, for the count. */
const MIN_CHECKED = 256;

/**
 * Number of texts that are checked for all terms in one message, once there are enough hits. Limits
 * the cost of frequent words that rarely share a message.
 */
const MAX_CHECKED = 2_000;

/** Rows filtered without a pause; takes less than a millisecond. */
const ROWS_PER_STEP = 1_024;

/** Search text and filter. */
export interface SearchQuery extends ListFilter {
  /** Terms that must all occur, also inside words; a phrase in double quotes is a single term. */
  readonly text: string;
  /** Number of best hits that the answer leaves out, because they are not in sight. Default: 0. */
  readonly firstHit?: number;
  /** Maximum number of hits in an answer. */
  readonly maxHits: number;
}

/** Conversation that matches the query. */
export interface SearchHit {
  readonly entry: IndexEntry;
  readonly titleRanges: readonly TextRange[];
  /** At most two; none if only the title matches. */
  readonly snippets: readonly Snippet[];
}

/** Best hits so far. */
export interface SearchAnswer {
  /** Sorted by rank, then newest first. */
  readonly hits: readonly SearchHit[];
  /** Number of matching conversations; about that many if `isEstimate`. */
  readonly foundCount: number;
  /** True if the search ended before it read all conversations that may match. */
  readonly isEstimate: boolean;
  /** False while conversations are being read. */
  readonly isComplete: boolean;
}

/** Row of a conversation that matches. */
interface Match {
  readonly row: number;
  readonly rank: MatchRank;
}

/** Search over the index; refresh the index to find new messages. Each window has its own. */
export class Search {
  private readonly texts: SearchTexts;
  private readonly searchIndex: SearchIndex;

  constructor(
    private readonly files: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    log: Log,
    caches: FileSystem = files,
    /** Maximum memory of the texts that are not in the search index, in bytes. */
    maxMemoryBytes = 16 * 1024 * 1024,
  ) {
    this.texts = new SearchTexts(maxMemoryBytes);
    this.searchIndex = new SearchIndex(files, caches, index, clock, log);
  }

  /** Approximate memory of the cached texts, in bytes. */
  get memoryBytes(): number {
    return this.texts.usedBytes;
  }

  /** Loads the search index, so that the first search need not. Never rejects. */
  async load(): Promise<void> {
    await this.index.load();
    await this.searchIndex.load();
    this.searchIndex.prepare();
  }

  /** Adds to the search index what is missing. Rejects with the signal's reason only. */
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
    this.texts.keepOnly((id) => this.index.table.rowOf(id) !== undefined);
    const [titled, others] = await this.candidates(query, terms, slice);
    const { table } = this.index;
    const byRankAndTime = (a: Match, b: Match) =>
      b.rank - a.rank || table.changedAtMs(b.row) - table.changedAtMs(a.row);
    const { firstHit = 0, maxHits } = query;
    const lastHit = firstHit + maxHits;
    /** Matches among `others`. */
    const matches: Match[] = [];
    const hits = new Map<number, SearchHit>();
    let rankedCount = titled.length;
    const matchCount = () => titled.length + matches.length;
    let checkedCount = 0;
    let answeredAtMs = this.clock.nowMs();
    const answer = async (isComplete: boolean): Promise<SearchAnswer> => {
      answeredAtMs = this.clock.nowMs();
      const shown = [
        ...titled.slice(firstHit, lastHit),
        ...matches
          .sort(byRankAndTime)
          .slice(Math.max(0, firstHit - titled.length), Math.max(0, lastHit - titled.length))
          .map(({ row }) => row),
      ];
      const unread = shown.filter((row) => !hits.has(row));
      for await (const [row, text] of this.readTexts(unread, slice))
        hits.set(row, hitOf(table.entry(row), text, terms));
      const uncheckedCount = others.length - checkedCount;
      const share = checkedCount === 0 ? 0 : matches.length / checkedCount;
      return {
        hits: shown.map((row) => hits.get(row)).filter((hit) => hit !== undefined),
        foundCount: matchCount() + Math.round(share * uncheckedCount),
        isEstimate: isComplete && uncheckedCount > 0,
        isComplete,
      };
    };
    const isEnough = () =>
      (rankedCount >= lastHit && checkedCount >= MIN_CHECKED) ||
      (matchCount() >= lastHit && checkedCount >= MAX_CHECKED);
    let answerCount = 0;
    // Later candidates are older, so they come behind the hits of the same rank.
    while (checkedCount < others.length && !isEnough()) {
      const textsAtOnce =
        checkedCount === 0
          ? FIRST_TEXTS_AT_ONCE
          : checkedCount < MIN_CHECKED
            ? MIN_CHECKED - checkedCount
            : MAX_TEXTS_AT_ONCE;
      const batch = others.slice(checkedCount, checkedCount + textsAtOnce);
      for await (const [row, text] of this.readTexts(batch, slice)) {
        const rank = rankOf(text, terms);
        if (rank !== undefined) {
          matches.push({ row, rank });
          if (rank > 0) rankedCount++;
          if (matchCount() <= lastHit) hits.set(row, hitOf(table.entry(row), text, terms));
        }
        if (this.clock.nowMs() - answeredAtMs < ANSWER_INTERVAL_MS) continue;
        answerCount++;
        yield await answer(false);
      }
      checkedCount += batch.length;
      if (answerCount > 0 || matchCount() === 0) continue;
      answerCount++;
      yield await answer(false);
    }
    yield await answer(true);
  }

  /**
   * Returns the rows of conversations whose titles have all terms, which come before all others in the
   * answer, and of the others that may match; newest first.
   */
  private async candidates(
    filter: ListFilter,
    terms: readonly string[],
    slice: TimeSlice,
  ): Promise<readonly [titled: number[], others: number[]]> {
    const { index, searchIndex } = this;
    const { table } = index;
    const bits = await searchIndex.candidates(terms);
    const titled: number[] = [];
    const others: number[] = [];
    let untilPause = ROWS_PER_STEP;
    let segment: SearchSegment | undefined;
    let segmentBits: Uint8Array | undefined;
    for (const row of searchIndex.newestFirst()) {
      if (--untilPause === 0) {
        untilPause = ROWS_PER_STEP;
        await slice.pause();
      }
      if (table.isUnreadable(row) || table.isRemoved(row)) continue;
      const place = searchIndex.segmentOf(row);
      const number = searchIndex.numberOf(row);
      if (place) {
        // Neighbours are mostly in the same segment, because newer conversations are added first.
        if (place !== segment) segmentBits = bits.get(place);
        segment = place;
        const byte = segmentBits?.[number >> 3] ?? 0xff;
        if ((byte & (1 << (number & 7))) === 0) continue;
      }
      if (!index.isListed(row, filter)) continue;
      const title = place?.title(number) ?? normalizeText(table.title(row) ?? "").text;
      (hasAll(title, terms) ? titled : others).push(row);
    }
    return [titled, others];
  }

  /** Reads texts, in any order: those in memory and in the search index, then those in files. */
  private async *readTexts(
    rows: readonly number[],
    slice: TimeSlice,
  ): AsyncGenerator<readonly [row: number, SearchText], void, void> {
    const { table } = this.index;
    const unread = new Map<string, number>();
    const reads = [...this.groupedBySegment(rows)].map(([segment, group]) => {
      const numbers = group.map((row) => this.searchIndex.numberOf(row));
      return { group, reading: segment && this.searchIndex.texts(segment, numbers) };
    });
    for (const { group, reading } of reads) {
      const texts = await reading;
      for (const [at, row] of group.entries()) {
        const text = texts ? texts[at] : this.texts.get(table.entry(row));
        if (text) yield [row, text];
        else unread.set(table.id(row), row);
        const pause = slice.pause();
        if (pause) await pause;
      }
    }
    for await (const [id, file] of readFiles(this.files, [...unread.keys()])) {
      const row = unread.get(id);
      const pause = slice.pause();
      if (pause) await pause;
      // The index reports missing and unreadable files.
      if (row === undefined || file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const text = await SearchText.of(conversation, slice);
      const { bytes: fileBytes, changedAtMs: fileChangedAtMs } = file.stat;
      this.texts.keep({ ...table.entry(row), fileBytes, fileChangedAtMs }, text);
      yield [row, text];
    }
  }

  private groupedBySegment(rows: readonly number[]): Map<SearchSegment | undefined, number[]> {
    const groups = new Map<SearchSegment | undefined, number[]>();
    for (const row of rows) {
      const segment = this.searchIndex.segmentOf(row);
      const group = groups.get(segment);
      if (group) group.push(row);
      else groups.set(segment, [row]);
    }
    return groups;
  }
}

function hasAll(text: string, terms: readonly string[]): boolean {
  for (const term of terms) if (!text.includes(term)) return false;
  return true;
}

function hitOf(entry: IndexEntry, text: SearchText, terms: readonly string[]): SearchHit {
  return {
    entry,
    titleRanges: titleRanges(text, terms),
    snippets: snippetsOf(text, terms),
  };
}
