/**
 * Full-text search over all messages of all conversations: a scan of the folded texts, the newest first.
 * A query that narrows the one before is searched only in its hits.
 */
import { sleep, type Clock } from "../base/clock";
import { TimeSlice } from "../base/timeSlice";
import { LINE_END } from "../history/record";
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

const encoder = new TextEncoder();

/** Ranks of a conversation: all terms in its title, in a single message, or in several; none. */
const TITLE = 3;
const MESSAGE = 2;
const SCATTERED = 1;
const NO_HIT = 0;

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

/** Returns the offset of bytes in others; -1 if they do not occur. */
export type IndexOfBytes = (bytes: Uint8Array, searched: Uint8Array) => number;

/** Returns the offset of a term in a folded text; -1 if it does not occur. */
type Finder = (folded: Uint8Array) => number;

/** Terms with the ranks of the texts that were searched for them. */
interface Scan {
  readonly terms: readonly string[];
  /** The longest term, which is probably the rarest, is first. */
  readonly finders: readonly Finder[];
  readonly ranks: Map<SearchableTexts, number>;
}

/** Listed conversation with its latest texts; undefined if these are not packed yet. */
interface Candidate {
  readonly entry: IndexEntry;
  readonly texts: SearchableTexts | undefined;
}

/** Search over the texts; refresh the list to find new messages. Each window has its own. */
export class Search {
  private last: Scan | undefined;
  /** Shown texts of the hits in the last answer: most of them are in the next one, too. */
  private shown = new Map<SearchableTexts, Uint8Array>();
  /** Memory for reading packs while no search uses it: new memory for each pack costs more than reading. */
  private buffer = new Uint8Array();

  constructor(
    private readonly list: ConversationList,
    /** Texts of the conversations of `list`. */
    readonly texts: TextPacks,
    private readonly clock: Clock,
    private readonly indexOfBytes: IndexOfBytes,
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
    const scan = (this.last = this.scanFor(terms, this.last));
    const slice = new TimeSlice(this.clock, signal);
    let intervalMs = FIRST_ANSWER_MS;
    let answerAtMs = this.clock.elapsedMs() + intervalMs;
    let updateCount = 0;
    let updating: Promise<void> | undefined;
    for (;;) {
      const candidates = this.candidates(query);
      for await (const foundCount of this.scanTexts(scan, candidates, slice)) {
        if (foundCount === 0 || this.clock.elapsedMs() < answerAtMs) continue;
        yield { ...(await this.answer(scan, candidates, query, slice)), isComplete: false };
        intervalMs *= 2;
        answerAtMs = this.clock.elapsedMs() + intervalMs;
      }
      const isLast = updateCount > MAX_UPDATES;
      if (isLast || candidates.every(({ texts }) => texts && scan.ranks.has(texts))) {
        const answer = await this.answer(scan, candidates, query, slice);
        if (isLast || answer.isComplete) {
          yield { ...answer, isComplete: true };
          return;
        }
      }
      if (updating === undefined) {
        updateCount++;
        updating = texts.update().then(() => (updating = undefined));
      }
      const waiting = new AbortController();
      const interval = AbortSignal.any([signal, waiting.signal]);
      await Promise.race([updating, sleep(this.clock, PACKED_INTERVAL_MS, interval)]);
      waiting.abort();
      signal.throwIfAborted();
    }
  }

  /** Ranks the texts that are not ranked yet. Yields the number of hits among them, pack by pack. */
  private async *scanTexts(
    { finders, ranks }: Scan,
    candidates: readonly Candidate[],
    slice: TimeSlice,
  ): AsyncGenerator<number, void, void> {
    let { buffer } = this;
    this.buffer = new Uint8Array();
    const allocate = (bytes: number) =>
      buffer.length < bytes ? (buffer = new Uint8Array(1.25 * bytes)) : buffer;
    try {
      const unranked = candidates.filter(({ texts }) => texts && !ranks.has(texts));
      for (const group of byPack(unranked)) {
        let foundCount = 0;
        for (const [texts, folded] of await this.texts.read(group, "folded", allocate)) {
          const pause = slice.pause();
          if (pause) await pause;
          const rank = rankOf(folded, finders);
          if (rank !== NO_HIT) foundCount++;
          ranks.set(texts, rank);
        }
        yield foundCount;
      }
    } finally {
      this.buffer = buffer;
    }
  }

  /** Returns the state of a search before it begins, with what an earlier one proves. */
  private scanFor(terms: readonly string[], earlier: Scan | undefined): Scan {
    if (earlier && terms.join('"') === earlier.terms.join('"')) return earlier;
    const patterns = terms.map((term) => encoder.encode(term)).sort((a, b) => b.length - a.length);
    const finders = patterns.map(
      (pattern): Finder =>
        (folded) =>
          this.indexOfBytes(folded, pattern),
    );
    const isNarrower = earlier?.terms.every((term) => terms.some((other) => other.includes(term)));
    const ranks = isNarrower ? [...(earlier?.ranks ?? [])] : [];
    return { terms, finders, ranks: new Map(ranks.filter(([, rank]) => rank === NO_HIT)) };
  }

  private candidates(filter: ListFilter): Candidate[] {
    return this.list
      .entries()
      .filter((entry) => !entry.isUnreadable && isListed(entry, filter))
      .map((entry) => ({ entry, texts: this.texts.textsOf(entry) }));
  }

  /** Returns an incomplete answer if a pack turns out to be damaged while its snippets are read. */
  private async answer(
    { terms, finders, ranks }: Scan,
    candidates: readonly Candidate[],
    { firstHit = 0, maxHits }: SearchQuery,
    slice: TimeSlice,
  ): Promise<SearchAnswer> {
    const matching = candidates
      .map(({ entry, texts }) => ({ entry, texts, rank: (texts && ranks.get(texts)) ?? NO_HIT }))
      .filter(({ rank }) => rank !== NO_HIT)
      .sort((a, b) => b.rank - a.rank || b.entry.changedAtMs - a.entry.changedAtMs);
    const visible = matching.slice(firstHit, firstHit + maxHits);
    const snippets = new Map<string, readonly Snippet[]>();
    const shownBefore = this.shown;
    this.shown = new Map();
    for (const group of byPack(visible)) {
      const unread = group.filter((texts) => !shownBefore.has(texts));
      const foldedTexts = await this.texts.read(group, "folded");
      const shownTexts = await this.texts.read(unread, "shown");
      for (const [texts, folded] of foldedTexts) {
        const pause = slice.pause();
        if (pause) await pause;
        const shown = shownBefore.get(texts) ?? shownTexts.get(texts);
        if (shown === undefined) continue;
        this.shown.set(texts, shown);
        snippets.set(texts.id, snippetsOf(shown, bestMessages(folded, finders), terms));
      }
    }
    const hits = visible.map(({ entry }) => ({
      entry,
      titleRanges: rangesIn(normalizeText(entry.title ?? "").text, terms),
      snippets: snippets.get(entry.id) ?? [],
    }));
    return { hits, foundCount: matching.length, isComplete: snippets.size === visible.length };
  }
}

/** Returns texts by pack, in the order of the first conversation of each. */
function byPack(candidates: readonly Candidate[]): SearchableTexts[][] {
  const groups = new Map<string | undefined, SearchableTexts[]>();
  for (const { texts } of candidates) {
    const group = texts && groups.get(texts.path);
    if (group) group.push(texts);
    else if (texts) groups.set(texts.path, [texts]);
  }
  return [...groups.values()];
}

function rankOf(folded: Uint8Array, finders: readonly Finder[]): number {
  const hasAll = (text: Uint8Array) => finders.every((find) => find(text) !== -1);
  if (!hasAll(folded)) return NO_HIT;
  const titleEnd = endOfMessage(folded, 0);
  if (hasAll(folded.subarray(0, titleEnd))) return TITLE;
  const [findRarest] = finders;
  if (findRarest === undefined || finders.length === 1) return MESSAGE;
  for (let from = titleEnd + 1; from < folded.length;) {
    const at = findRarest(folded.subarray(from));
    if (at === -1) break;
    const start = folded.lastIndexOf(SEPARATOR, from + at) + 1;
    const end = endOfMessage(folded, from + at);
    if (hasAll(folded.subarray(start, end))) return MESSAGE;
    from = end + 1;
  }
  return SCATTERED;
}

/** Returns the end (exclusive) of the message at an offset. */
function endOfMessage(folded: Uint8Array, offset: number): number {
  const end = folded.indexOf(SEPARATOR, offset);
  return end === -1 ? folded.length : end;
}

/** Returns the positions in the conversation of the two messages with most terms; the title has 0. */
function bestMessages(folded: Uint8Array, finders: readonly Finder[]): number[] {
  const counted: { readonly number: number; readonly count: number }[] = [];
  let start = endOfMessage(folded, 0) + 1;
  for (let number = 1, fullCount = 0; start < folded.length && fullCount < MAX_SNIPPETS; number++) {
    const end = endOfMessage(folded, start);
    const message = folded.subarray(start, end);
    const count = finders.filter((find) => find(message) !== -1).length;
    if (count > 0) counted.push({ number, count });
    if (count === finders.length) fullCount++;
    start = end + 1;
  }
  const best = counted.sort((a, b) => b.count - a.count).slice(0, MAX_SNIPPETS);
  return best.map(({ number }) => number).sort((a, b) => a - b);
}

/** Returns snippets of messages. `shown` has a line for each message. */
function snippetsOf(
  shown: Uint8Array,
  numbers: readonly number[],
  terms: readonly string[],
): Snippet[] {
  let start = 0;
  let line = 0;
  return numbers.map((number) => {
    for (; line < number; line++) start = shown.indexOf(LINE_END, start) + 1;
    const { id, text } = decodeMessage(shown.subarray(start, shown.indexOf(LINE_END, start)));
    return { messageId: id, ...excerptOf(text, terms) };
  });
}
