/** Terms of a query, and their matches in a text: ranges and snippets. */
import { normalizeText } from "./normalizeText";

/** Start and end (exclusive) in UTF-16 units of the text. */
export type TextRange = readonly [start: number, end: number];

export interface Excerpt {
  readonly text: string;
  /** Matches in `text`, in order and without overlaps. */
  readonly ranges: readonly TextRange[];
}

export interface Snippet extends Excerpt {
  readonly messageId: string;
}

/** Maximum number of terms; more terms are ignored. */
const MAX_TERMS = 12;
/** Maximum length of a term; the first match always fits into its snippet. */
const MAX_TERM_UNITS = 100;
const SNIPPET_UNITS = 160;
/** UTF-16 units in a snippet before its first match. */
const LEAD_UNITS = 40;

/** Splits a query into normalized terms; a phrase in double quotes is a single term. */
export function termsOf(query: string): string[] {
  const folded = normalizeText(query).text;
  const matches = folded.matchAll(/"([^"]+)"|([^ "]+)/g);
  const terms = [...matches].map(([, phrase = "", word = ""]) =>
    withoutHalfPair((phrase || word).replaceAll(/ +/g, " ").trim().slice(0, MAX_TERM_UNITS)),
  );
  return [...new Set(terms)].filter((term) => term !== "").slice(0, MAX_TERMS);
}

export function excerptOf(text: string, terms: readonly string[]): Excerpt {
  const { text: folded, original } = normalizeText(text);
  const offsets = terms.map((term) => folded.indexOf(term)).filter((offset) => offset !== -1);
  let from = Math.max(0, Math.min(...offsets) - LEAD_UNITS);
  let to = Math.min(original.length, from + SNIPPET_UNITS);
  if (isLowSurrogate(original, from)) from--;
  if (to < original.length && isLowSurrogate(original, to)) to--;
  const head = from > 0 ? "…" : "";
  const tail = to < original.length ? "…" : "";
  const shown = original
    .slice(from, to)
    .replaceAll(/[\s\p{Cc}\p{Cf}]/gu, (blank) => " ".repeat(blank.length));
  const ranges = rangesIn(folded.slice(from, to), terms);
  return {
    text: head + shown + tail,
    ranges: ranges.map(([a, b]) => [a + head.length, b + head.length]),
  };
}

/** True if an offset is in the middle of a surrogate pair. */
function isLowSurrogate(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Returns the matches in a normalized text, sorted and merged. */
export function rangesIn(folded: string, terms: readonly string[]): TextRange[] {
  const ranges: [number, number][] = [];
  for (const term of terms) {
    for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length)) {
      ranges.push([at, at + term.length]);
    }
  }
  const merged: [number, number][] = [];
  for (const range of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

/** Removes the first half of a surrogate pair from the end of a term, which has no bytes of its own. */
function withoutHalfPair(term: string): string {
  return /[\ud800-\udbff]$/.test(term) ? term.slice(0, -1) : term;
}

/**
 * Returns an excerpt with the terms of `query`, and none for a blank query; undefined if a term does not
 * occur.
 */
export function findInDraft(draft: string, query: string): Excerpt[] | undefined {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const folded = normalizeText(draft).text;
  return terms.every((term) => folded.includes(term)) ? [excerptOf(draft, terms)] : undefined;
}
