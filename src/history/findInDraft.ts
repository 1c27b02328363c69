/** Search in an unsent question, with the term matching of the search over conversations. */
import { normalizeText } from "./normalizeText";
import { isLowSurrogate, LEAD_UNITS, SNIPPET_UNITS, termsOf, type TextRange } from "./matches";

/** Excerpt of the draft with the ranges of its matches. */
export interface DraftSnippet {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/**
 * Returns a snippet with the terms of `query`, and no snippet for a blank query; undefined if a term does
 * not occur.
 */
export function findInDraft(draft: string, query: string): DraftSnippet[] | undefined {
  const terms = termsOf(query);
  const [first] = terms;
  if (first === undefined) return [];
  const { text: folded, original } = normalizeText(draft);
  if (!terms.every((term) => folded.includes(term))) return undefined;
  const offsets = terms.map((term) => folded.indexOf(term));
  const from = characterStart(original, Math.max(0, Math.min(...offsets) - LEAD_UNITS));
  const to = characterStart(original, Math.min(original.length, from + SNIPPET_UNITS));
  const head = from > 0 ? "…" : "";
  const ranges = terms
    .map((term): TextRange => {
      const start = folded.indexOf(term, from) - from + head.length;
      return [start, start + term.length];
    })
    .filter(([, end]) => end <= to - from + head.length)
    .sort(([a], [b]) => a - b)
    .filter(([start], at, all) => at === 0 || start >= (all[at - 1]?.[1] ?? 0));
  const text = original.slice(from, to).replaceAll(/\s/g, " ");
  return [{ text: head + text + (to < original.length ? "…" : ""), ranges }];
}

/** Moves an offset out of the middle of a surrogate pair. */
function characterStart(text: string, offset: number): number {
  return isLowSurrogate(text, offset) ? offset - 1 : offset;
}
