/**
 * Long work over many things, done in slices, so that whatever else waits has its turn in between.
 */
import type { Clock } from "./clock";

/** Things between two turns: a millisecond or two for what is done with a name or a path. */
export const SLICE_LENGTH = 2_000;

/**
 * Does something with each.
 * @returns false when the signal was aborted on the way; the rest is left then
 */
export async function inTurns<T>(
  items: readonly T[],
  act: (item: T) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  for (let start = 0; start < items.length; start += SLICE_LENGTH) {
    if (start > 0) await new Promise<void>((resolve) => void clock.after(0, resolve));
    if (signal.aborted) return false;
    for (const item of items.slice(start, start + SLICE_LENGTH)) act(item);
  }
  return !signal.aborted;
}
