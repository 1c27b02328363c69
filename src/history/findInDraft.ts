/**
 * Search in an unsent question, with the term matching of the search over conversations.
 */
import { normalizeText } from "./normalizeText";
import { termsOf, type TextRange } from "./matches";

/** UTF-16 units in a snippet, and before its first match. */
const SNIPPET_UNITS = 160;
const LEAD_UNITS = 40;

/** Excerpt of the draft with the ranges of its matches. */
export interface DraftSnippet {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/** Returns snippets with the terms of `query`; undefined if a term does not occur. */
export function findInDraft(draft: string, query: string): DraftSnippet[] | undefined {
  const terms = termsOf(query);
  const [first] = terms;
  if (first === undefined) return [];
  const folded = normalizeText(draft).text;
  if (!terms.every((term) => folded.includes(term))) return undefined;
  const offsets = terms.map((term) => folded.indexOf(term));
  const from = characterStart(draft, Math.max(0, Math.min(...offsets) - LEAD_UNITS));
  const to = characterStart(draft, Math.min(draft.length, from + SNIPPET_UNITS));
  const head = from > 0 ? "…" : "";
  const ranges = terms
    .map((term): TextRange => {
      const start = folded.indexOf(term, from) - from + head.length;
      return [start, start + term.length];
    })
    .filter(([, end]) => end <= to - from + head.length)
    .sort(([a], [b]) => a - b)
    .filter(([start], at, all) => at === 0 || start >= (all[at - 1]?.[1] ?? 0));
  const text = draft.slice(from, to).replaceAll(/\s/g, " ");
  return [{ text: head + text + (to < draft.length ? "…" : ""), ranges }];
}

/** Moves an offset out of the middle of a surrogate pair. */
function characterStart(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit < 0xe000 ? offset - 1 : offset;
}
