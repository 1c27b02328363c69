/**
 * One run of the search over the conversations that may match: checks their texts in batches and yields
 * the best hits so far. Ends early once there are enough hits, and then estimates their number.
 */
import type { Clock } from "../base/clock";
import type { EntryTable } from "./entryTable";
import type { IndexEntry } from "./indexEntry";
import {
  rankOf,
  snippetsOf,
  titleRanges,
  type MatchRank,
  type Snippet,
  type TextRange,
} from "./matches";
import type { SearchText } from "./searchText";
import type { SearchTextReader } from "./searchTextReader";
import type { TimeSlice } from "./timeSlice";

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

/** Rows of the conversations that may match; newest first. */
export interface SearchCandidates {
  /** Conversations with all terms in their titles. They match, and come before all others. */
  readonly titled: readonly number[];
  /** Conversations whose texts decide. */
  readonly others: readonly number[];
}

export interface SearchRunOptions {
  readonly terms: readonly string[];
  readonly candidates: SearchCandidates;
  /** Hits of the answer, among all hits in order: the first, and the end (exclusive). */
  readonly firstHit: number;
  readonly endHit: number;
  readonly table: EntryTable;
  readonly reader: SearchTextReader;
  readonly clock: Clock;
  readonly slice: TimeSlice;
}

export class SearchRun {
  /** Matches among the candidates whose texts decide. */
  private readonly matches: Match[] = [];
  /** Hits by row, as far as an answer had them. */
  private readonly hits = new Map<number, SearchHit>();
  /** Number of matches that later candidates cannot precede. */
  private rankedCount: number;
  /** Number of candidates whose texts were checked. */
  private checkedCount = 0;
  private answeredAtMs: number;

  constructor(private readonly options: SearchRunOptions) {
    this.rankedCount = options.candidates.titled.length;
    this.answeredAtMs = options.clock.nowMs();
  }

  /** Yields answers while texts are read; the last answer is complete. */
  async *answers(): AsyncGenerator<SearchAnswer, void, void> {
    const { candidates, clock, reader, slice } = this.options;
    let hasAnswered = false;
    // Later candidates are older, so they come behind the hits of the same rank.
    while (this.checkedCount < candidates.others.length && !this.isEnough()) {
      const batch = this.nextBatch();
      for await (const [row, text] of reader.read(batch, slice)) {
        this.checkText(row, text);
        if (clock.nowMs() - this.answeredAtMs < ANSWER_INTERVAL_MS) continue;
        hasAnswered = true;
        yield await this.answer(false);
      }
      this.checkedCount += batch.length;
      if (hasAnswered || this.matchCount === 0) continue;
      hasAnswered = true;
      yield await this.answer(false);
    }
    yield await this.answer(true);
  }

  private get matchCount(): number {
    return this.options.candidates.titled.length + this.matches.length;
  }

  private isEnough(): boolean {
    const { endHit } = this.options;
    return (
      (this.rankedCount >= endHit && this.checkedCount >= MIN_CHECKED) ||
      (this.matchCount >= endHit && this.checkedCount >= MAX_CHECKED)
    );
  }

  private nextBatch(): readonly number[] {
    const { checkedCount } = this;
    const count =
      checkedCount === 0
        ? FIRST_TEXTS_AT_ONCE
        : checkedCount < MIN_CHECKED
          ? MIN_CHECKED - checkedCount
          : MAX_TEXTS_AT_ONCE;
    return this.options.candidates.others.slice(checkedCount, checkedCount + count);
  }

  private checkText(row: number, text: SearchText): void {
    const { terms, endHit } = this.options;
    const rank = rankOf(text, terms);
    if (rank === undefined) return;
    this.matches.push({ row, rank });
    if (rank > 0) this.rankedCount++;
    if (this.matchCount <= endHit) this.addHit(row, text);
  }

  private addHit(row: number, text: SearchText): void {
    const { table, terms } = this.options;
    this.hits.set(row, {
      entry: table.entry(row),
      titleRanges: titleRanges(text, terms),
      snippets: snippetsOf(text, terms),
    });
  }

  private async answer(isComplete: boolean): Promise<SearchAnswer> {
    const { candidates, clock, reader, slice } = this.options;
    this.answeredAtMs = clock.nowMs();
    const shown = this.shownRows();
    const unread = shown.filter((row) => !this.hits.has(row));
    for await (const [row, text] of reader.read(unread, slice)) this.addHit(row, text);
    const uncheckedCount = candidates.others.length - this.checkedCount;
    const share = this.checkedCount === 0 ? 0 : this.matches.length / this.checkedCount;
    return {
      hits: shown.map((row) => this.hits.get(row)).filter((hit) => hit !== undefined),
      foundCount: this.matchCount + Math.round(share * uncheckedCount),
      isEstimate: isComplete && uncheckedCount > 0,
      isComplete,
    };
  }

  /** Returns the rows of the hits in the answer, best first. */
  private shownRows(): number[] {
    const { candidates, firstHit, endHit, table } = this.options;
    const { titled } = candidates;
    const ranked = this.matches
      .sort((a, b) => b.rank - a.rank || table.changedAtMs(b.row) - table.changedAtMs(a.row))
      .slice(Math.max(0, firstHit - titled.length), Math.max(0, endHit - titled.length));
    return [...titled.slice(firstHit, endHit), ...ranked.map(({ row }) => row)];
  }
}
