/**
 * Estimates the progress of a rewrite while its lines arrive: the number of original lines that
 * they cover. The remaining original lines stay below, so that an early ending does not delete
 * lines the rewrite did not reach. The estimate serves streaming only; hunks.ts computes the final
 * changes.
 */

/** Number of lines ahead in which an arriving line is searched. */
const LOOK_AHEAD_LINES = 40;

/**
 * Minimum number of letters and digits that identifies a line; shorter lines ("}", "});") are
 * ambiguous.
 */
const MIN_TELLING_LETTERS = 3;

/** Tracks the progress of a single rewrite. */
export class StreamProgress {
  /** Index after the last line of `base` that arrived unchanged. */
  private matched = 0;
  private unmatched = 0;

  constructor(private readonly base: readonly string[]) {}

  /** Number of base lines that the arrived lines cover. */
  get consumed(): number {
    return Math.min(this.base.length, this.matched + this.unmatched);
  }

  /** Accepts the next arrived line; returns true if the base contains the same line. */
  consumeLine(line: string): boolean {
    const matchAt = this.find(line);
    if (matchAt === undefined) this.unmatched++;
    else {
      this.matched = matchAt + 1;
      this.unmatched = 0;
    }
    return matchAt !== undefined;
  }

  /** Returns the nearest matching line: at the current position, then after, then before. */
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
