/**
 * Full-text search over all messages of all conversations. The folded texts are kept in memory up
 * to a limit; what does not fit, or was not read yet, is read from the disk while searching and
 * told as it is found. Works in short pieces and stops at once when asked to.
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

/** Time between two answers to one query while files are still being read, in milliseconds. */
const ANSWER_INTERVAL_MS = 200;

/** What is looked for, and where. */
export interface SearchQuery extends ListFilter {
  /** Words that must all occur, as parts of words too; in double quotes they stay together. */
  readonly text: string;
  /** Most hits to describe; all are counted. */
  readonly maxHits: number;
}

/** One conversation that answers the query. */
export interface SearchHit {
  readonly entry: IndexEntry;
  readonly titleRanges: readonly TextRange[];
  /** At most two; none when only the title answers. */
  readonly snippets: readonly Snippet[];
}

/** Everything found so far. */
export interface SearchAnswer {
  /** Titles first, then single messages, then what is scattered; the newest first in each. */
  readonly hits: readonly SearchHit[];
  /** Conversations that answer, also those beyond `maxHits`. */
  readonly foundCount: number;
  /** False while conversations are still being read. */
  readonly isComplete: boolean;
}

interface Match {
  readonly entry: IndexEntry;
  readonly rank: MatchRank;
  /** Described when it is shown, or at once where the text does not stay in memory. */
  readonly describe: () => SearchHit;
}

/** Searches; one for each window. Follows the index, so refresh that to find what is new. */
export class Search {
  private readonly texts: SearchTexts;

  constructor(
    private readonly files: FileSystem,
    private readonly index: ConversationIndex,
    private readonly clock: Clock,
    /** Memory the texts may take, in bytes; beyond it the oldest conversations stay on disk. */
    maxMemoryBytes = 96 * 1024 * 1024,
  ) {
    this.texts = new SearchTexts(maxMemoryBytes);
  }

  /** Memory the texts take now, in bytes, roughly. */
  get memoryBytes(): number {
    return this.texts.usedBytes;
  }

  /**
   * Answers once with what is in memory, then again while more is found on disk; the last answer
   * is complete. Ends by throwing the signal's reason when that is aborted.
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

  /** Reads what is not in memory yet, so that the first search need not; aborted by the signal. */
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

  /** Reads conversations and keeps their texts where there is room. */
  private async *readTexts(
    entries: readonly IndexEntry[],
    slice: TimeSlice,
  ): AsyncGenerator<readonly [IndexEntry, SearchText], void, void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for await (const [id, file] of readFiles(this.files, [...byId.keys()])) {
      const entry = byId.get(id);
      const pause = slice.pause();
      if (pause) await pause;
      // What is gone or unreadable is the index's to notice and to tell.
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
  isTextLetGo: boolean,
): void {
  const rank = rankOf(text, terms);
  if (rank === undefined) return;
  const describe = (): SearchHit => ({
    entry,
    titleRanges: titleRanges(text, terms),
    snippets: snippetsOf(text, terms),
  });
  if (!isTextLetGo) {
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
