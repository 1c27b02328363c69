/** Random numbers with a seed, so that a failure can be repeated. */

/** Generator of integers from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Returns a small linear congruential generator. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns the seed of a run: the variable CORE_CHAT_SEED, or a new seed. */
export function firstSeed(): number {
  return Number(process.env["CORE_CHAT_SEED"] ?? Date.now() % 1_000_000_000);
}

/** Returns a random line of code; closing braces and empty lines are frequent. */
export function randomLine(random: Random): string {
  return ["}", "", "  return 1;", `value ${random(1_000)};`][random(4)] ?? "";
}
