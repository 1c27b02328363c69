/**
 * Chance with a seed, so that a failure can be seen again.
 */

/** Gives a whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** A small linear congruential generator. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The seed of a run: that of the variable SEED, or a new one. */
export function firstSeed(): number {
  return Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
}

/** A line of code as random as it needs to be: closing braces and empty ones come often. */
export function someLine(random: Random): string {
  return ["}", "", "  return 1;", `value ${random(1_000)};`][random(4)] ?? "";
}
