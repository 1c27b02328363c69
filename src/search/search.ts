/**
 * Full-text search over all messages of all conversations: a scan of the folded texts, the newest first.
 * A query that narrows the one before is searched only in its hits.
 */
import { sleep, type Clock } from "../base/clock";
import { TimeSlice } from "../base/timeSlice";
import { LINE_END } from "../history/record";
import { BytePattern } from "./bytePattern";
import { isListed, type ConversationList, type ListFilter } from "./conversationList";
import type { IndexEntry } from "./indexEntry";
import { excerptOf, rangesIn, termsOf, type Snippet, type TextRange } from "./matches";
import { normalizeText } from "./normalizeText";
import { decodeMessage, SEPARATOR } from "./textPack";
import type { SearchableTexts, TextPacks } from "./textPacks";

/** Time before the first answer of a search that goes on, in milliseconds; each later one takes twice as long. */
const FIRST_ANSWER_MS = 50;

/** Interval of looking for texts that are packed during the search, in milliseconds. */
const PACKED_INTERVAL_MS = 300;

/** Maximum number of times that missing texts are packed: some files cannot be read, or change each time. */
const MAX_UPDATES = 3;

const MAX_SNIPPETS = 2;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Ranks of a conversation: all terms in its title, in a single message, or in several; none. */
const TITLE = 3;
const MESSAGE = 2;
const SCATTERED = 1;
const NO_HIT = 0;

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
  /** Number of matching conversations among those that were searched. */
  readonly foundCount: number;
  /** False while conversations are searched or packed. */
  readonly isComplete: boolean;
}

/** Terms with the ranks of the texts that were searched for them. */
interface Scan {
  readonly terms: readonly string[];
  readonly patterns: readonly BytePattern[];
  readonly ranks: Map<SearchableTexts, number>;
}

/** Search over the texts; refresh the list to find new messages. Each window has its own. */
export class Search {
  private last: Scan | undefined;
  /** Shown texts of the hits in the last answer: most of them are in the next one, too. */
  private shown = new Map<SearchableTexts, Uint8Array>();

  constructor(
    private readonly list: ConversationList,
    /** Texts of the conversations of `list`. */
    readonly texts: TextPacks,
    private readonly clock: Clock,
  ) {}

  /**
   * Yields answers while conversations are searched and packed; the last answer is complete. Throws the
   * signal's reason when aborted.
   */
  async *search(query: SearchQuery, signal: AbortSignal): AsyncGenerator<SearchAnswer, void, void> {
    const terms = termsOf(query.text);
    if (terms.length === 0) {
      yield { hits: [], foundCount: 0, isComplete: true };
      return;
    }
    const { texts } = this;
    texts.extendKept();
    await texts.load();
    signal.throwIfAborted();
    const scan = (this.last = scanFor(terms, this.last));
    const slice = new TimeSlice(this.clock, signal);
    let intervalMs = FIRST_ANSWER_MS;
    let answerAtMs = this.clock.elapsedMs() + intervalMs;
    let updateCount = 0;
    let updating: Promise<void> | undefined;
    for (;;) {
      const lossesBefore = texts.lossCount;
      const isComplete = () =>
        (texts.pending().length === 0 && texts.lossCount === lossesBefore) ||
        updateCount > MAX_UPDATES;
      for await (const foundCount of this.scanTexts(scan, query, slice)) {
        if (foundCount === 0 || this.clock.elapsedMs() < answerAtMs) continue;
        yield { ...(await this.answer(scan, query, slice)), isComplete: false };
        intervalMs *= 2;
        answerAtMs = this.clock.elapsedMs() + intervalMs;
      }
      if (isComplete()) {
        const answer = await this.answer(scan, query, slice);
        // A pack may turn out to be damaged while its snippets are read.
        if (isComplete()) {
          yield { ...answer, isComplete: true };
          return;
        }
      }
      if (updating === undefined) {
        updateCount++;
        updating = texts.update().then(() => (updating = undefined));
      }
      await Promise.race([updating, sleep(this.clock, PACKED_INTERVAL_MS, signal)]);
      signal.throwIfAborted();
    }
  }

  /** Ranks the texts that are not ranked yet. Yields the number of hits among them, pack by pack. */
  private async *scanTexts(
    { patterns, ranks }: Scan,
    filter: ListFilter,
    slice: TimeSlice,
  ): AsyncGenerator<number, void, void> {
    // One buffer for all packs: creating and collecting hundreds of megabytes takes longer than reading.
    let buffer = new Uint8Array();
    const allocate = (bytes: number) =>
      buffer.length < bytes ? (buffer = new Uint8Array(bytes)) : buffer;
    for (const { path, texts } of this.texts.groupsOf(this.listed(filter))) {
      const unranked = texts.filter((one) => !ranks.has(one));
      if (unranked.length === 0) continue;
      const contents = await this.texts.read({ path, texts: unranked }, "folded", allocate);
      let foundCount = 0;
      for (const [at, content] of (contents ?? []).entries()) {
        const pause = slice.pause();
        if (pause) await pause;
        const rank = rankOf(content, patterns);
        if (rank !== NO_HIT) foundCount++;
        const one = unranked[at];
        if (one) ranks.set(one, rank);
      }
      yield foundCount;
    }
  }

  private listed(filter: ListFilter): IndexEntry[] {
    return this.list.entries().filter((entry) => !entry.isUnreadable && isListed(entry, filter));
  }

  private async answer(
    { terms, patterns, ranks }: Scan,
    query: SearchQuery,
    slice: TimeSlice,
  ): Promise<Omit<SearchAnswer, "isComplete">> {
    const { firstHit = 0, maxHits } = query;
    const rank = (entry: IndexEntry) => {
      const texts = this.texts.textsOf(entry);
      return (texts && ranks.get(texts)) ?? NO_HIT;
    };
    const ranked = await slice.map(this.listed(query), (entry) => ({ entry, rank: rank(entry) }));
    const matching = ranked
      .filter(({ rank }) => rank !== NO_HIT)
      .sort((a, b) => b.rank - a.rank || b.entry.changedAtMs - a.entry.changedAtMs);
    const entries = matching.slice(firstHit, firstHit + maxHits).map(({ entry }) => entry);
    const snippets = new Map<string, readonly Snippet[]>();
    const shownNow = new Map<SearchableTexts, Uint8Array>();
    for (const group of this.texts.groupsOf(entries)) {
      const folded = await this.texts.read(group, "folded");
      const unread = group.texts.filter((texts) => !this.shown.has(texts));
      const read = await this.texts.read({ ...group, texts: unread }, "shown");
      for (const [at, bytes] of (read ?? []).entries())
        if (unread[at]) this.shown.set(unread[at], bytes);
      for (const [at, texts] of group.texts.entries()) {
        const pause = slice.pause();
        if (pause) await pause;
        const content = { folded: folded?.[at], shown: this.shown.get(texts) };
        if (content.folded === undefined || content.shown === undefined) continue;
        shownNow.set(texts, content.shown);
        const messages = bestMessages(content.folded, patterns);
        snippets.set(texts.id, snippetsOf(content.shown, messages, terms));
      }
    }
    this.shown = shownNow;
    const hits = entries.map((entry) => ({
      entry,
      titleRanges: rangesIn(normalizeText(entry.title ?? "").text, terms),
      snippets: snippets.get(entry.id) ?? [],
    }));
    return { hits, foundCount: matching.length };
  }
}

/** Returns the state of a search before it begins, with what an earlier one proves. */
function scanFor(terms: readonly string[], earlier: Scan | undefined): Scan {
  if (earlier && terms.join('"') === earlier.terms.join('"')) return earlier;
  // The longest is probably the rarest.
  const patterns = terms.map((term) => new BytePattern(term)).sort((a, b) => b.length - a.length);
  const isNarrower = earlier?.terms.every((term) => terms.some((other) => other.includes(term)));
  const ranks = isNarrower ? [...(earlier?.ranks ?? [])] : [];
  return { terms, patterns, ranks: new Map(ranks.filter(([, rank]) => rank === NO_HIT)) };
}

/** Returns the rank of the folded texts of a conversation. */
function rankOf(folded: Uint8Array, patterns: readonly BytePattern[]): number {
  if (!hasAll(folded, patterns)) return NO_HIT;
  let titleEnd = 0;
  while (titleEnd < folded.length && folded[titleEnd] !== SEPARATOR) titleEnd++;
  if (hasAll(folded.subarray(0, titleEnd), patterns)) return TITLE;
  const [pattern] = patterns;
  if (pattern === undefined || patterns.length === 1) return MESSAGE;
  for (let from = titleEnd + 1; from < folded.length;) {
    const at = pattern.indexIn(folded.subarray(from));
    if (at === -1) break;
    const start = folded.lastIndexOf(SEPARATOR, from + at) + 1;
    const end = endOfMessage(folded, from + at);
    if (hasAll(folded.subarray(start, end), patterns)) return MESSAGE;
    from = end + 1;
  }
  return SCATTERED;
}

function hasAll(text: Uint8Array, patterns: readonly BytePattern[]): boolean {
  return patterns.every((pattern) => pattern.indexIn(text) !== -1);
}

/** Returns the end (exclusive) of the message at an offset. */
function endOfMessage(folded: Uint8Array, offset: number): number {
  const end = folded.indexOf(SEPARATOR, offset);
  return end === -1 ? folded.length : end;
}

/** Message of a conversation, with the number of terms that occur in it. */
interface CountedMessage {
  /** Position in the conversation; 0 would be the title. */
  readonly number: number;
  readonly folded: Uint8Array;
  readonly count: number;
}

/** Returns the messages with most terms, at most two, in order. */
function bestMessages(folded: Uint8Array, patterns: readonly BytePattern[]): CountedMessage[] {
  const counted: CountedMessage[] = [];
  let start = endOfMessage(folded, 0) + 1;
  for (let number = 1, fullCount = 0; start < folded.length && fullCount < MAX_SNIPPETS; number++) {
    const end = endOfMessage(folded, start);
    const message = folded.subarray(start, end);
    const count = patterns.filter((pattern) => pattern.indexIn(message) !== -1).length;
    if (count > 0) counted.push({ number, folded: message, count });
    if (count === patterns.length) fullCount++;
    start = end + 1;
  }
  return counted
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_SNIPPETS)
    .sort((a, b) => a.number - b.number);
}

/** Returns snippets of messages, in their order. `shown` has a line for each message. */
function snippetsOf(
  shown: Uint8Array,
  messages: readonly CountedMessage[],
  terms: readonly string[],
): Snippet[] {
  let start = 0;
  let line = 0;
  return messages.map(({ number, folded }) => {
    for (; line < number; line++) start = shown.indexOf(LINE_END, start) + 1;
    const { id, text } = decodeMessage(shown.subarray(start, shown.indexOf(LINE_END, start)));
    return { messageId: id, ...excerptOf(text, decoder.decode(folded), terms) };
  });
}
