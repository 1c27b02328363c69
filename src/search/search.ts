/**
 * Full-text search over all messages of all conversations, with the search index alone. Conversations
 * that the index does not have yet are added first, or while answers are shown if there are many.
 */
import { sleep, type Clock } from "../base/clock";
import type { ConversationIndex, ListFilter } from "./conversationIndex";
import type { IndexEntry } from "./indexEntry";
import { excerptOf, rangesIn, termsOf, type Snippet, type TextRange } from "./matches";
import { normalizeText } from "./normalizeText";
import type { IndexSnapshot, TextIndex } from "./textIndex";
import { messageText } from "./messageTexts";
import type { Segment } from "./segment";
import { hasBit, isBitSet } from "./bits";
import { TimeSlice } from "../base/timeSlice";

/** Conversations ranked without a pause; takes about a millisecond. */
const CONVERSATIONS_PER_STEP = 1_024;

/** Time between two looks for conversations that another window adds to the index, in milliseconds. */
const WAIT_MS = 500;

/** Maximum number of searches of an index in which segments are missing each time. */
const MAX_ROUNDS = 4;

const MAX_SNIPPETS = 2;

/** Ranks of a conversation: all terms in its title, in a single message, or in several. */
const TITLE = 3;
const MESSAGE = 2;
const SCATTERED = 1;

/** Search text, filter, and the visible hits. */
export interface SearchQuery extends ListFilter {
  /** Terms that must all occur, also inside words; a phrase in double quotes is a single term. */
  readonly text: string;
  /** Number of best hits that the answer leaves out, because they are not visible. Default: 0. */
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
  /** Number of matching conversations among those in the index. */
  readonly foundCount: number;
  /** False while conversations are added to the index. */
  readonly isComplete: boolean;
}

/** Message with the number of terms that occur in it. */
interface CountedMessage {
  readonly number: number;
  readonly count: number;
}

/** Search over the index; refresh the index to find new messages. Each window has its own. */
export class Search {
  constructor(
    private readonly index: ConversationIndex,
    /** Texts of the conversations of `index`. */
    readonly texts: TextIndex,
    private readonly clock: Clock,
  ) {}

  /**
   * Yields answers while conversations are added to the index; the last answer is complete. Throws the
   * signal's reason when aborted.
   */
  async *search(query: SearchQuery, signal: AbortSignal): AsyncGenerator<SearchAnswer, void, void> {
    const terms = termsOf(query.text);
    if (terms.length === 0) {
      yield { hits: [], foundCount: 0, isComplete: true };
      return;
    }
    const { texts } = this;
    await texts.load();
    signal.throwIfAborted();
    while (!texts.isNearlyComplete) {
      const answer = await this.answer(query, terms, false, signal);
      if (answer) yield answer;
      // The index grows on, whatever is typed.
      await Promise.race([texts.update(), sleep(this.clock, WAIT_MS, signal)]);
      signal.throwIfAborted();
    }
    let answer: SearchAnswer | undefined;
    for (let round = 0; answer === undefined && round < MAX_ROUNDS; round++) {
      if (texts.pendingCount > 0) await texts.update();
      answer = await this.answer(query, terms, true, signal);
    }
    yield answer ?? { hits: [], foundCount: 0, isComplete: true };
  }

  /** Returns undefined if a segment is damaged, or was merged into another during the search. */
  private async answer(
    query: SearchQuery,
    terms: readonly string[],
    isComplete: boolean,
    signal: AbortSignal,
  ): Promise<SearchAnswer | undefined> {
    const { index, texts } = this;
    const { table } = index;
    const { firstHit = 0, maxHits } = query;
    const slice = new TimeSlice(this.clock, signal);
    const snapshot = texts.snapshot();
    const ranks = await this.ranks(snapshot, terms, slice);
    if (ranks === undefined) return undefined;
    const lastHit = firstHit + maxHits;
    const rowsByRank: number[][] = [[], [], [], []];
    let foundCount = 0;
    for (const row of snapshot.newestFirst) {
      const rank = ranks[row] ?? 0;
      if (rank === 0 || table.isUnreadable(row) || table.isRemoved(row)) continue;
      if (!index.isListed(row, query)) continue;
      foundCount++;
      const rows = rowsByRank[rank];
      if (rows && rows.length < lastHit) rows.push(row);
    }
    const shown = rowsByRank.reverse().flat().slice(firstHit, lastHit);
    const snippets = await this.snippets(snapshot, shown, terms, slice);
    if (snippets === undefined) return undefined;
    const hits = shown.map((row) => {
      const entry = table.entry(row);
      const titleRanges = rangesIn(normalizeText(entry.title ?? "").text, terms);
      return { entry, titleRanges, snippets: snippets.get(row) ?? [] };
    });
    return { hits, foundCount, isComplete };
  }

  /** Returns the rank of each row, 0 if a term does not occur; undefined if a segment is missing. */
  private async ranks(
    snapshot: IndexSnapshot,
    terms: readonly string[],
    slice: TimeSlice,
  ): Promise<Uint8Array | undefined> {
    const ranks = new Uint8Array(this.index.table.rowCount);
    for (const segment of snapshot.segments) {
      const found = await this.messagesWith(segment, terms);
      await slice.pause();
      if (found === undefined) return undefined;
      const withAll = commonBits(found);
      for (let number = 0; number < segment.count; number++) {
        const row = segment.rowOf(number);
        if (row === undefined || snapshot.segmentOf(row) !== segment) continue;
        if (snapshot.numberOf(row) !== number) continue;
        ranks[row] = rankOf(segment.messagesOf(number), found, withAll);
        const pause = number % CONVERSATIONS_PER_STEP === 0 ? slice.pause() : undefined;
        if (pause) await pause;
      }
    }
    return ranks;
  }

  /** Returns a bit for each message and each term; undefined if the segment is damaged. */
  private messagesWith(
    segment: Segment,
    terms: readonly string[],
  ): Promise<Uint8Array[] | undefined> {
    return this.texts.readOrDiscard(segment, async () => {
      const found: Uint8Array[] = [];
      for (const term of terms) found.push(await segment.messagesWith(term));
      return found;
    });
  }

  /**
   * Returns snippets of the messages with most terms, in the order of the messages, by row; undefined if a
   * segment is missing.
   */
  private async snippets(
    snapshot: IndexSnapshot,
    rows: readonly number[],
    terms: readonly string[],
    slice: TimeSlice,
  ): Promise<ReadonlyMap<number, readonly Snippet[]> | undefined> {
    const snippets = new Map<number, Snippet[]>();
    for (const segment of new Set(rows.map((row) => snapshot.segmentOf(row)))) {
      if (segment === undefined) continue;
      const found = await this.messagesWith(segment, terms);
      if (found === undefined) return undefined;
      const rowsByMessage = new Map<number, number>();
      for (const row of rows) {
        if (snapshot.segmentOf(row) !== segment) continue;
        const range = segment.messagesOf(snapshot.numberOf(row));
        for (const message of bestMessages(range, found)) rowsByMessage.set(message, row);
      }
      const numbers = [...rowsByMessage.keys()].sort((a, b) => a - b);
      const read = () => segment.readMessages(numbers);
      const messages = await this.texts.readOrDiscard(segment, read);
      if (messages === undefined) return undefined;
      for (const [at, { id, original }] of messages.entries()) {
        const { folded } = await messageText(id, original, slice);
        const row = rowsByMessage.get(numbers[at] ?? 0) ?? 0;
        const snippet = { messageId: id, ...excerptOf(original, folded, terms) };
        snippets.set(row, [...(snippets.get(row) ?? []), snippet]);
      }
    }
    return snippets;
  }
}

/** Returns the messages with most terms, at most two; the first message of the range is the title. */
function bestMessages(
  [title, end]: readonly [number, number],
  found: readonly Uint8Array[],
): number[] {
  const counted: CountedMessage[] = [];
  let fullCount = 0;
  for (let number = title + 1; number < end && fullCount < MAX_SNIPPETS; number++) {
    const count = found.filter((bits) => isBitSet(bits, number)).length;
    if (count > 0) counted.push({ number, count });
    if (count === found.length) fullCount++;
  }
  return counted
    .sort((a, b) => b.count - a.count || a.number - b.number)
    .slice(0, MAX_SNIPPETS)
    .map(({ number }) => number);
}

/**
 * Returns the rank of a conversation; 0 if a term does not occur. The title is the first message.
 *
 * @param withAll a bit for each message: 1 if all terms occur in it
 */
function rankOf(
  [title, end]: readonly [number, number],
  found: readonly Uint8Array[],
  withAll: Uint8Array,
): number {
  if (isBitSet(withAll, title)) return TITLE;
  if (hasBit(withAll, title, end)) return MESSAGE;
  const isScattered = found.length > 1 && found.every((bits) => hasBit(bits, title, end));
  return isScattered ? SCATTERED : 0;
}

/** Returns the bits that are set in all of some bitmaps, which are equally long. */
function commonBits([first = new Uint8Array(), ...others]: readonly Uint8Array[]): Uint8Array {
  return others.length === 0
    ? first
    : first.map((byte, at) => others.reduce((common, bits) => common & (bits[at] ?? 0), byte));
}
