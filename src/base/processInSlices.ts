/** Processes many items in slices, so that other tasks can run in between. */
import type { Clock } from "./clock";

/** Number of items in a slice: 1 to 2 ms of work on a name or a path. */
export const SLICE_LENGTH = 2_000;

/**
 * Calls `act` for each item.
 * @returns false if the signal was aborted; the remaining items are skipped
 */
export async function processInSlices<T>(
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
