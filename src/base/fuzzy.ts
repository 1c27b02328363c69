/**
 * Scores how well typed letters match a name or a path: a prefix of the last name, then a
 * substring, then the letters in order. Does not correct spelling.
 */

/** Lowest score of a text that contains the typed letters, and of a last name that begins with them. */
export const SUBSTRING_SCORE = 2;
export const PREFIX_SCORE = 4;

/** Returns 0 for no match; higher is better. `typed` and `text` are in lower case. */
export function matchScore(typed: string, text: string): number {
  if (typed === "") return 1;
  const at = text.lastIndexOf(typed);
  // Of two equal matches, the shorter text ranks higher.
  const shortness = 100 / (100 + text.length);
  if (at === -1) return containsInOrder(typed, text) ? 1 + shortness : 0;
  const name = text.lastIndexOf("/", text.length - 2) + 1;
  if (text.startsWith(typed, name)) return PREFIX_SCORE + shortness;
  return SUBSTRING_SCORE + (at > name ? 1 : 0) + shortness;
}

/** Keeps the best of many items without sorting all; drops items that do not match. */
export class BestMatches<T> {
  private readonly best: { readonly item: T; readonly score: number }[] = [];

  constructor(
    private readonly scoreOf: (item: T) => number,
    private readonly count: number,
  ) {}

  /** Items, best first; equal items in order of insertion. */
  get items(): T[] {
    return this.best.map(({ item }) => item);
  }

  addItem(item: T): void {
    const { best, count } = this;
    const score = this.scoreOf(item);
    const last = best[count - 1];
    if (score <= 0 || (last !== undefined && score <= last.score)) return;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
    best.splice(at, 0, { item, score });
    if (best.length > count) best.pop();
  }
}

export function bestMatches<T>(
  items: Iterable<T>,
  scoreOf: (item: T) => number,
  count: number,
): T[] {
  const best = new BestMatches(scoreOf, count);
  for (const item of items) best.addItem(item);
  return best.items;
}

function containsInOrder(typed: string, text: string): boolean {
  let at = -1;
  for (const letter of typed) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
