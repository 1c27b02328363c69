/**
 * How one conversation answers a query: whether every word occurs, how well, and the snippets
 * that show it. Pure, and quick enough to be asked of thousands of conversations.
 */
import { normalizeText } from "./normalizeText";
import type { SearchText } from "./searchText";

/** From and to (exclusive), in UTF-16 units of the text they belong to. */
export type TextRange = readonly [start: number, end: number];

/** A piece of a message around what was found. */
export interface Snippet {
  readonly messageId: string;
  readonly text: string;
  /** What was found in `text`, in order, never overlapping. */
  readonly ranges: readonly TextRange[];
}

/** How well a conversation answers: all words in the title, in one message, or all over it. */
export type MatchRank = 2 | 1 | 0;

/** More words than a person types; the rest is ignored. */
const MAX_TERMS = 12;
/** So few that the first thing found always fits into its snippet. */
const MAX_TERM_UNITS = 100;
const MAX_SNIPPETS = 2;
const SNIPPET_UNITS = 160;
/** Units shown before the first thing found. */
const LEAD_UNITS = 40;

/** The folded words of a query; words between double quotes stay together. */
export function termsOf(query: string): string[] {
  const folded = normalizeText(query).text;
  const found = folded.matchAll(/"([^"]+)"|([^ "]+)/g);
  const terms = [...found].map(([, phrase = "", word = ""]) =>
    (phrase || word).replaceAll(/ +/g, " ").trim().slice(0, MAX_TERM_UNITS),
  );
  return [...new Set(terms)].filter((term) => term !== "").slice(0, MAX_TERMS);
}

/** How well the conversation answers; undefined when a word is missing. */
export function rankOf(text: SearchText, terms: readonly string[]): MatchRank | undefined {
  const [, titleEnd] = text.bounds(0);
  let isInTitle = true;
  for (const term of terms) {
    const at = text.folded.indexOf(term);
    if (at === -1) return undefined;
    isInTitle &&= at < titleEnd;
  }
  if (isInTitle) return 2;
  return terms.length === 1 || hasAllInOneMessage(text, terms) ? 1 : 0;
}

/** What was found in the title, as ranges of it. */
export function titleRanges(text: SearchText, terms: readonly string[]): TextRange[] {
  const [start, end] = text.bounds(0);
  return rangesIn(text, terms, start, end);
}

/** Snippets of the messages in which most of the words occur, in the order of the messages. */
export function snippetsOf(text: SearchText, terms: readonly string[]): Snippet[] {
  const best: { segment: number; count: number }[] = [];
  for (let segment = 1; segment < text.segmentCount; segment++) {
    const own = segmentText(text, segment);
    const count = terms.filter((term) => own.includes(term)).length;
    if (count === 0) continue;
    best.push({ segment, count });
    // Many messages with all words say no more than the first of them.
    if (best.length > MAX_SNIPPETS && best.filter((one) => one.count === terms.length).length > 1) {
      break;
    }
  }
  return best
    .sort((a, b) => b.count - a.count || a.segment - b.segment)
    .slice(0, MAX_SNIPPETS)
    .sort((a, b) => a.segment - b.segment)
    .map(({ segment }) => snippetOf(text, segment, terms));
}

function hasAllInOneMessage(text: SearchText, terms: readonly string[]): boolean {
  for (let segment = 1; segment < text.segmentCount; segment++) {
    const own = segmentText(text, segment);
    if (terms.every((term) => own.includes(term))) return true;
  }
  return false;
}

function segmentText(text: SearchText, segment: number): string {
  return text.folded.slice(...text.bounds(segment));
}

function snippetOf(text: SearchText, segment: number, terms: readonly string[]): Snippet {
  const [start, end] = text.bounds(segment);
  const own = segmentText(text, segment);
  const places = terms.map((term) => own.indexOf(term)).filter((place) => place !== -1);
  const first = start + Math.min(...places);
  let from = Math.max(start, first - LEAD_UNITS);
  let to = Math.min(end, from + SNIPPET_UNITS);
  if (isSecondHalf(text, from)) from--;
  if (to < end && isSecondHalf(text, to)) to--;
  const head = from > start ? "…" : "";
  const tail = to < end ? "…" : "";
  const ranges = rangesIn(text, terms, from, to);
  return {
    messageId: text.messageId(segment) ?? "",
    text: head + text.original(from, to) + tail,
    ranges: ranges.map(([a, b]) => [a + head.length, b + head.length]),
  };
}

/** True in the middle of a character of two units. */
function isSecondHalf(text: SearchText, at: number): boolean {
  const unit = text.folded.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Everything found between two places, relative to the first, in order and joined. */
function rangesIn(
  text: SearchText,
  terms: readonly string[],
  from: number,
  to: number,
): TextRange[] {
  const own = text.folded.slice(from, to);
  const found: [number, number][] = [];
  for (const term of terms) {
    for (let at = own.indexOf(term); at !== -1; at = own.indexOf(term, at + term.length)) {
      found.push([at, at + term.length]);
    }
  }
  const joined: [number, number][] = [];
  for (const range of found.sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push(range);
  }
  return joined;
}
