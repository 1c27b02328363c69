/**
 * Matches of a query in the text of a conversation: rank, ranges in the title, and snippets.
 */
import { normalizeText } from "./normalizeText";
import type { SearchText } from "./searchText";

/** Start and end (exclusive) in UTF-16 units of the text. */
export type TextRange = readonly [start: number, end: number];

/** Excerpt of a message around its matches. */
export interface Snippet {
  readonly messageId: string;
  readonly text: string;
  /** Matches in `text`, in order and without overlaps. */
  readonly ranges: readonly TextRange[];
}

/** Rank of a match: all terms in a single message (1), or in several (0). */
export type MatchRank = 1 | 0;

/** Maximum number of terms; more terms are ignored. */
const MAX_TERMS = 12;
/** Maximum length of a term; the first match always fits into its snippet. */
const MAX_TERM_UNITS = 100;
const MAX_SNIPPETS = 2;
/** UTF-16 units in a snippet. */
export const SNIPPET_UNITS = 160;
/** UTF-16 units in a snippet before its first match. */
export const LEAD_UNITS = 40;

/** Splits a query into normalized terms; a phrase in double quotes is a single term. */
export function termsOf(query: string): string[] {
  const folded = normalizeText(query).text;
  const found = folded.matchAll(/"([^"]+)"|([^ "]+)/g);
  const terms = [...found].map(([, phrase = "", word = ""]) =>
    (phrase || word).replaceAll(/ +/g, " ").trim().slice(0, MAX_TERM_UNITS),
  );
  return [...new Set(terms)].filter((term) => term !== "").slice(0, MAX_TERMS);
}

/** Ranks a conversation without all terms in its title; undefined if a term does not occur. */
export function rankOf(text: SearchText, terms: readonly string[]): MatchRank | undefined {
  if (!terms.every((term) => text.folded.includes(term))) return undefined;
  return terms.length === 1 || hasAllInOneMessage(text, terms) ? 1 : 0;
}

/** Returns the ranges of the matches in the title. */
export function titleRanges(text: SearchText, terms: readonly string[]): TextRange[] {
  const [start, end] = text.bounds(0);
  return rangesIn(text, terms, start, end);
}

/** Returns snippets of the messages with most terms, in the order of the messages. */
export function snippetsOf(text: SearchText, terms: readonly string[]): Snippet[] {
  const best: { segment: number; count: number }[] = [];
  let fullCount = 0;
  for (let segment = 1; segment < text.segmentCount; segment++) {
    const own = segmentText(text, segment);
    const count = terms.filter((term) => own.includes(term)).length;
    if (count === 0) continue;
    best.push({ segment, count });
    if (count === terms.length && ++fullCount === MAX_SNIPPETS) break;
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
  const offsets = terms.map((term) => own.indexOf(term)).filter((offset) => offset !== -1);
  const first = start + Math.min(...offsets);
  let from = Math.max(start, first - LEAD_UNITS);
  let to = Math.min(end, from + SNIPPET_UNITS);
  if (isLowSurrogate(text.folded, from)) from--;
  if (to < end && isLowSurrogate(text.folded, to)) to--;
  const head = from > start ? "…" : "";
  const tail = to < end ? "…" : "";
  const ranges = rangesIn(text, terms, from, to);
  return {
    messageId: text.messageId(segment) ?? "",
    text: head + text.original(from, to) + tail,
    ranges: ranges.map(([a, b]) => [a + head.length, b + head.length]),
  };
}

/** True if an offset is in the middle of a surrogate pair. */
export function isLowSurrogate(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Returns the matches between two offsets, relative to the first, sorted and merged. */
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
  const merged: [number, number][] = [];
  for (const range of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}
