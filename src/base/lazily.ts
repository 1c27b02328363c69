/**
 * A thing that is made when it is first asked for, once for everybody who asks.
 */

/** Gives what `make` makes; when that fails, the next one who asks has it tried again. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
