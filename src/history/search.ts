/**
 * Full-text search over all messages of all conversations. Caches normalized texts in memory up to a
 * limit and reads the others from disk during the search. Pauses regularly and can be aborted.
 */
import type { Clock } from "../base/clock";
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
import { readFiles } from "./readAhead";
import { readConversation } from "./readConversation";
import { SearchText } from "./searchText";
import { SearchTexts } from "./searchTexts";
import { TimeSlice } from "./timeSlice";

/** Interval of intermediate answers while files are read, in milliseconds. */
const ANSWER_INTERVAL_MS = 200;

/** Search text and filter. */
export interface SearchQuery extends ListFilter {
  /** Terms that must all occur, also inside words; a phrase in double quotes is a single term. */
  readonly text: string;
  /** Maximum number of hits in an answer; all hits are counted. */
  readonly maxHits: number;
}

/** Conversation that matches the query. */
export interface SearchHit {
  readonly entry: IndexEntry;
  readonly titleRanges: readonly TextRange[];
  /** At most two; none if only the title matches. */
  readonly snippets: readonly Snippet[];
}

/** All hits so far. */
export interface SearchAnswer {
  /** Sorted by rank, then newest first. */
  readonly hits: readonly SearchHit[];
  /** Number of matching conversations, including those beyond `maxHits`. */
  readonly foundCount: number;
  /** False while conversations are being read. */
  readonly isComplete: boolean;
}

interface Match {
  readonly entry: IndexEntry;
  readonly rank: MatchRank;
  /** Creates the hit; for a text that is not cached the hit exists already. */
  readonly describe: () => SearchHit;
}

/** Search over the index; refresh the index to find new messages. Each window has its own. */
export class Search {
  private readonly texts: SearchTexts;

  constructor(
    private readonly files: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    /** Maximum memory of the cached texts, in bytes; the oldest conversations stay on disk. */
    maxMemoryBytes = 96 * 1024 * 1024,
  ) {
    this.texts = new SearchTexts(maxMemoryBytes);
  }

  /** Approximate memory of the cached texts, in bytes. */
  get memoryBytes(): number {
    return this.texts.usedBytes;
  }

  /**
   * Yields an answer from memory, then more while texts are read from disk; the last answer is
   * complete. Throws the signal's reason when aborted.
   */
  async *search(query: SearchQuery, signal: AbortSignal): AsyncGenerator<SearchAnswer, void, void> {
    const terms = termsOf(query.text);
    if (terms.length === 0) {
      yield { hits: [], foundCount: 0, isComplete: true };
      return;
    }
    if (!this.index.isReady) await this.index.refresh();
    const slice = new TimeSlice(this.clock, signal);
    const matches: Match[] = [];
    const unread: IndexEntry[] = [];
    this.texts.keepOnly((id) => this.index.get(id) !== undefined);
    for (const entry of this.index.list(query)) {
      const text = this.texts.get(entry);
      if (text === undefined) unread.push(entry);
      else addMatch(matches, entry, text, terms, false);
      const pause = slice.pause();
      if (pause) await pause;
    }
    yield await answer(matches, query.maxHits, unread.length === 0, slice);
    if (unread.length === 0) return;
    yield* this.searchUnread(unread, matches, query.maxHits, terms, slice);
  }

  /** Fills the cache, so that the first search is fast. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.index.refresh();
    const slice = new TimeSlice(this.clock, signal);
    const unread = this.index.list().filter((entry) => this.texts.get(entry) === undefined);
    const reading = this.readTexts(unread, slice);
    try {
      while (!this.texts.isFull && !(await reading.next()).done);
    } finally {
      await reading.return();
    }
  }

  private async *searchUnread(
    unread: readonly IndexEntry[],
    matches: Match[],
    maxHits: number,
    terms: readonly string[],
    slice: TimeSlice,
  ): AsyncGenerator<SearchAnswer, void, void> {
    let answeredAtMs = this.clock.nowMs();
    for await (const [entry, text] of this.readTexts(unread, slice)) {
      addMatch(matches, entry, text, terms, this.texts.get(entry) === undefined);
      if (this.clock.nowMs() - answeredAtMs < ANSWER_INTERVAL_MS) continue;
      yield await answer(matches, maxHits, false, slice);
      answeredAtMs = this.clock.nowMs();
    }
    yield await answer(matches, maxHits, true, slice);
  }

  /** Reads conversations and caches their texts up to the limit. */
  private async *readTexts(
    entries: readonly IndexEntry[],
    slice: TimeSlice,
  ): AsyncGenerator<readonly [IndexEntry, SearchText], void, void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for await (const [id, file] of readFiles(this.files, [...byId.keys()])) {
      const entry = byId.get(id);
      const pause = slice.pause();
      if (pause) await pause;
      // The index reports missing and unreadable files.
      if (entry === undefined || file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const text = await SearchText.of(conversation, slice);
      this.texts.keep(entry, text);
      yield [entry, text];
    }
  }
}

function addMatch(
  matches: Match[],
  entry: IndexEntry,
  text: SearchText,
  terms: readonly string[],
  isUncached: boolean,
): void {
  const rank = rankOf(text, terms);
  if (rank === undefined) return;
  const describe = (): SearchHit => ({
    entry,
    titleRanges: titleRanges(text, terms),
    snippets: snippetsOf(text, terms),
  });
  if (!isUncached) {
    matches.push({ entry, rank, describe });
    return;
  }
  const hit = describe();
  matches.push({ entry, rank, describe: () => hit });
}

async function answer(
  matches: Match[],
  maxHits: number,
  isComplete: boolean,
  slice: TimeSlice,
): Promise<SearchAnswer> {
  matches.sort((a, b) => b.rank - a.rank || b.entry.changedAtMs - a.entry.changedAtMs);
  const hits: SearchHit[] = [];
  for (const { describe } of matches.slice(0, maxHits)) {
    hits.push(describe());
    const pause = slice.pause();
    if (pause) await pause;
  }
  return { hits, foundCount: matches.length, isComplete };
}
