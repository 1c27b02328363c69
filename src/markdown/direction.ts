/**
 * Direction of a text by the majority of its letters: a Persian sentence may begin with an English word. Code,
 * addresses and names that look like code do not count.
 */
import type { Token } from "markdown-it";

const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/gu;

const CODE_LIKE = /\w[./\\_:@]\w/;

/** Returns the text of tokens that counts. */
export function proseOf(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }, at) => type === "text" && !/link/.test(tokens[at - 1]?.markup ?? ""))
    .map(({ content }) => content)
    .join(" ");
}

/** Returns the surplus of letters from right to left as a share of all, from -1 to 1. */
export function rightToLeftLead(text: string): number {
  const words = text.split(/\s/);
  const prose = words.filter((word) => !CODE_LIKE.test(word)).join(" ");
  const count = prose.match(RIGHT_TO_LEFT)?.length ?? 0;
  if (count === 0) return -1;
  const letters = prose.match(/\p{L}/gu) ?? [];
  const lead = (2 * count) / letters.length - 1;
  // The first letter decides between equals.
  return lead === 0 && prose.search(RIGHT_TO_LEFT) === prose.search(/\p{L}/u) ? 1e-6 : lead;
}
