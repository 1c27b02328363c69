/**
 * What a quick run leaves out: `npm test` skips the tests whose titles end with this word, and
 * `npm run test:all` adds them. They cost time and repeat with more rounds, or in more themes, what
 * a quick test proves.
 */
export const ALL = "@all";

/** Returns the end of the title of a table's row: `@all` for a row that the quick run leaves out. */
export function addedIf(isAdded: boolean): string {
  return isAdded ? ` ${ALL}` : "";
}

/**
 * Registers a test of random inputs twice: with few rounds in the quick run, with many in the full one.
 *
 * @param body gets the number of rounds
 */
export function itWithRounds(
  title: string,
  rounds: { readonly quick: number; readonly all: number },
  body: (rounds: number) => Promise<void> | void,
): void {
  it(`${title}, ${rounds.quick} rounds`, () => body(rounds.quick));
  it(`${title}, ${rounds.all} rounds ${ALL}`, () => body(rounds.all));
}
