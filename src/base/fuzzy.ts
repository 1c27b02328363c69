/**
 * How well typed letters fit a name or a path: the start of the last name first, then a stretch
 * anywhere, then the letters in their order. Not a spelling corrector.
 */

/** 0 for no fit; more is better. `typed` and `text` are in lower case already. */
export function fitOf(typed: string, text: string): number {
  if (typed === "") return 1;
  const at = text.lastIndexOf(typed);
  const name = text.lastIndexOf("/", text.length - 2) + 1;
  // Of two that fit alike, the shorter is the likelier.
  const shortness = 100 / (100 + text.length);
  if (at === name) return 4 + shortness;
  if (at > name) return 3 + shortness;
  if (at !== -1) return 2 + shortness;
  return holdsInOrder(typed, text) ? 1 + shortness : 0;
}

/** The best of many, best first, without sorting them all; those that do not fit are left out. */
export function bestFits<T>(items: Iterable<T>, fit: (item: T) => number, count: number): T[] {
  const best: { item: T; score: number }[] = [];
  for (const item of items) {
    const score = fit(item);
    const last = best[count - 1];
    if (score <= 0 || (last !== undefined && score <= last.score)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
    best.splice(at, 0, { item, score });
    if (best.length > count) best.pop();
  }
  return best.map(({ item }) => item);
}

function holdsInOrder(typed: string, text: string): boolean {
  let at = -1;
  for (const letter of typed) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
