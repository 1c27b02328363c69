/**
 * Returns a function that starts `run` unless a run is in progress. Calls during a run share one further
 * run, which starts after the current one and sees later changes. `run` must not reject.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function start(): Promise<void> {
    if (next) return next;
    if (current) {
      next = current.then(() => {
        next = undefined;
        return start();
      });
      return next;
    }
    current = run().finally(() => {
      current = undefined;
    });
    return current;
  }
  return start;
}
