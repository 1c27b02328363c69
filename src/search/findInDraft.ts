/** Search in an unsent question, with the term matching of the search over conversations. */
import { excerptOf, termsOf, type Excerpt } from "./matches";
import { normalizeText } from "./normalizeText";

/**
 * Returns an excerpt with the terms of `query`, and none for a blank query; undefined if a term does not
 * occur.
 */
export function findInDraft(draft: string, query: string): Excerpt[] | undefined {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const { text: folded, original } = normalizeText(draft);
  if (!terms.every((term) => folded.includes(term))) return undefined;
  return [excerptOf(original, folded, terms)];
}
