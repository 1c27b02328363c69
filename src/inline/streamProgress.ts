/**
 * How far a rewrite has come while its lines arrive: how many lines of the text it replaces they
 * stand for. What is left of that text stays in the document below them, so a rewrite that ends
 * early has eaten nothing it did not get to. A guess for the time of streaming only; what has
 * changed in the end is hunks.ts.
 */

/** How many lines ahead an arriving line is looked for. */
const LOOK_AHEAD_LINES = 40;

/** A line with fewer letters and digits than this ("}", "});") says nothing about the place. */
const MIN_TELLING_LETTERS = 3;

/** Follows one rewrite. */
export class StreamProgress {
  /** Index after the last line of `base` that arrived unchanged. */
  private matched = 0;
  private unmatched = 0;

  constructor(private readonly base: readonly string[]) {}

  /** Lines of the base that the arrived ones stand for. */
  get consumed(): number {
    return Math.min(this.base.length, this.matched + this.unmatched);
  }

  /** Takes the next arrived line; true when it stands in the base unchanged. */
  take(line: string): boolean {
    const found = this.find(line);
    if (found === undefined) this.unmatched++;
    else {
      this.matched = found + 1;
      this.unmatched = 0;
    }
    return found !== undefined;
  }

  /** The nearest place from where the rewrite stands, first there, then onwards, then before. */
  private find(line: string): number | undefined {
    const expected = this.matched + this.unmatched;
    if (this.base[expected] === line) return expected;
    if ((line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < MIN_TELLING_LETTERS) return undefined;
    for (let ahead = 1; ahead <= LOOK_AHEAD_LINES; ahead++) {
      if (this.base[expected + ahead] === line) return expected + ahead;
      const before = expected - ahead;
      if (before >= this.matched && this.base[before] === line) return before;
    }
    return undefined;
  }
}
