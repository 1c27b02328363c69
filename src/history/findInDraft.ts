/**
 * The search in a question that was not sent: the words compare as in the search over conversations.
 */
import { normalizeText } from "./normalizeText";
import { termsOf, type TextRange } from "./matches";

/** Units of the draft in a snippet, and before the first word found. */
const SNIPPET_UNITS = 160;
const LEAD_UNITS = 40;

/** A piece of the draft, and where the words stand in it. */
export interface DraftSnippet {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/** Returns snippets with the words of `query`, none for no words; undefined if a word is missing. */
export function findInDraft(draft: string, query: string): DraftSnippet[] | undefined {
  const terms = termsOf(query);
  const [first] = terms;
  if (first === undefined) return [];
  const folded = normalizeText(draft).text;
  if (!terms.every((term) => folded.includes(term))) return undefined;
  const places = terms.map((term) => folded.indexOf(term));
  const from = wholeCharacter(draft, Math.max(0, Math.min(...places) - LEAD_UNITS));
  const to = wholeCharacter(draft, Math.min(draft.length, from + SNIPPET_UNITS));
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

/** The place itself, or the one before it where that is in the middle of a character. */
function wholeCharacter(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit < 0xe000 ? place - 1 : place;
}
