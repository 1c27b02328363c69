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
import { SearchIndex, type IndexedPlace, type IndexProgress } from "./searchIndex";
import { SearchText } from "./searchText";
import { SearchTexts } from "./searchTexts";
import { TimeSlice } from "./timeSlice";

/** Interval of intermediate answers, in milliseconds. */
const ANSWER_INTERVAL_MS = 200;

/** Conversations whose texts are read together; the first few hits must not wait for many. */
const TEXTS_AT_ONCE = 64;

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

/** Conversation that may match. */
interface Candidate {
  readonly entry: IndexEntry;
  /** Absent if the search index does not have the conversation yet. */
  readonly place?: IndexedPlace;
}

interface Match extends Candidate {
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
    /** Maximum memory of the texts that are not in the search index, in bytes. */
    maxMemoryBytes = 16 * 1024 * 1024,
  ) {
    this.texts = new SearchTexts(maxMemoryBytes);
    this.searchIndex = new SearchIndex(files, index, clock, log);
  }

  /** Approximate memory of the cached texts, in bytes. */
  get memoryBytes(): number {
    return this.texts.usedBytes;
  }

  /** Loads the search index and adds what is missing. Rejects with the signal's reason only. */
  async buildIndex(
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void = () => undefined,
  ): Promise<void> {
    await this.index.refresh();
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
    if (!this.index.isReady) await this.index.refresh();
    const slice = new TimeSlice(this.clock, signal);
    await this.searchIndex.load();
    this.texts.keepOnly((id) => this.index.get(id) !== undefined);
    const [titled, others] = await this.candidates(query, terms, slice);
    const all = [...titled, ...others];
    const lastHit = (query.firstHit ?? 0) + query.maxHits;
    const matches: Match[] = [];
    let checked = 0;
    let answeredAtMs = this.clock.nowMs();
    let hasAnswered = false;
    while (checked < all.length) {
      const batch = all.slice(checked, checked + TEXTS_AT_ONCE);
      for await (const [candidate, text] of this.readTexts(batch, slice)) {
        const rank = rankOf(text, terms);
        if (rank !== undefined) matches.push({ ...candidate, rank });
        if (this.clock.nowMs() - answeredAtMs < ANSWER_INTERVAL_MS) continue;
        yield await this.answer(query, terms, matches, all.length, false, slice);
        answeredAtMs = this.clock.nowMs();
      }
      checked += batch.length;
      // Later candidates are older, so only better ranks could come before these hits.
      const isEnough = matches.filter(({ rank }) => rank > 0).length >= lastHit;
      if (isEnough && checked >= titled.length) break;
      if (!hasAnswered && matches.length > 0) {
        hasAnswered = true;
        yield await this.answer(query, terms, matches, all.length, false, slice);
      }
    }
    yield await this.answer(query, terms, matches, all.length, true, slice, checked);
  }

  /**
   * Returns the conversations that may match, newest first: first those whose titles have all terms, as
   * they come before all others in the answer.
   */
  private async candidates(
    query: SearchQuery,
    terms: readonly string[],
    slice: TimeSlice,
  ): Promise<readonly [titled: Candidate[], others: Candidate[]]> {
    const bits = await this.searchIndex.candidates(terms, slice);
    const titled: Candidate[] = [];
    const others: Candidate[] = [];
    for (const entry of this.index.list(query)) {
      const place = this.searchIndex.placeOf(entry);
      if (place) {
        const { segment, number } = place;
        const byte = bits.get(segment)?.[number >> 3] ?? 0xff;
        if ((byte & (1 << (number & 7))) !== 0) {
          const title = segment.title(number);
          const isTitled = terms.every((term) => title.includes(term));
          (isTitled ? titled : others).push({ entry, place });
        }
      } else {
        const title = normalizeText(entry.title ?? "").text;
        const isTitled = terms.every((term) => title.includes(term));
        (isTitled ? titled : others).push({ entry });
      }
      const pause = slice.pause();
      if (pause) await pause;
    }
    return [titled.sort(newestFirst), others.sort(newestFirst)];
  }

  private async answer(
    query: SearchQuery,
    terms: readonly string[],
    matches: Match[],
    candidateCount: number,
    isComplete: boolean,
    slice: TimeSlice,
    checked = candidateCount,
  ): Promise<SearchAnswer> {
    matches.sort((a, b) => b.rank - a.rank || newestFirst(a, b));
    const { firstHit = 0, maxHits } = query;
    const shown = matches.slice(firstHit, firstHit + maxHits);
    const hits = new Map<string, SearchHit>();
    for await (const [{ entry }, text] of this.readTexts(shown, slice)) {
      hits.set(entry.id, {
        entry,
        titleRanges: titleRanges(text, terms),
        snippets: snippetsOf(text, terms),
      });
    }
    const share = checked === 0 ? 1 : matches.length / checked;
    return {
      hits: shown.map(({ entry }) => hits.get(entry.id)).filter((hit) => hit !== undefined),
      foundCount: matches.length + Math.round(share * (candidateCount - checked)),
      isEstimate: checked < candidateCount,
      isComplete,
    };
  }

  /** Reads texts, in any order: those in memory and in the search index, then those in files. */
  private async *readTexts<T extends Candidate>(
    candidates: readonly T[],
    slice: TimeSlice,
  ): AsyncGenerator<readonly [T, SearchText], void, void> {
    const unread = new Map<string, T>();
    for (const [segment, group] of groupedBySegment(candidates)) {
      const numbers = group.map(({ place }) => place?.number ?? 0);
      const texts = segment && (await this.searchIndex.texts(segment, numbers));
      for (const [at, candidate] of group.entries()) {
        const text = texts ? texts[at] : this.texts.get(candidate.entry);
        if (text) yield [candidate, text];
        else unread.set(candidate.entry.id, candidate);
        const pause = slice.pause();
        if (pause) await pause;
      }
    }
    for await (const [id, file] of readFiles(this.files, [...unread.keys()])) {
      const candidate = unread.get(id);
      const pause = slice.pause();
      if (pause) await pause;
      // The index reports missing and unreadable files.
      if (candidate === undefined || file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const text = await SearchText.of(conversation, slice);
      this.texts.keep(candidate.entry, text);
      yield [candidate, text];
    }
  }
}

function groupedBySegment<T extends Candidate>(candidates: readonly T[]) {
  const groups = new Map<IndexedPlace["segment"] | undefined, T[]>();
  for (const candidate of candidates) {
    const segment = candidate.place?.segment;
    const group = groups.get(segment) ?? [];
    group.push(candidate);
    groups.set(segment, group);
  }
  return groups;
}

function newestFirst(a: Candidate, b: Candidate): number {
  return b.entry.changedAtMs - a.entry.changedAtMs;
}
