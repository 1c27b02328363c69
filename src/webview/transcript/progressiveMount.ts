/**
 * Puts a long conversation onto the page newest first: what is in sight at once, the rest in
 * slices while the page is idle.
 */
import { useEffect, useState } from "preact/hooks";

/** Messages that are there with the first paint; more than fill a tall screen. */
const FIRST_COUNT = 30;

/** Messages added in one idle slice: some 6 ms of work, so that no frame is late for it. */
const SLICE_COUNT = 30;

/**
 * How many of the newest messages are on the page now; grows to `count`.
 * @param conversationId another one begins anew
 * @param leastCount must be there at once, to find a remembered place
 */
export function useMountedCount(
  conversationId: string | undefined,
  count: number,
  leastCount: number,
): number {
  const [mounted, setMounted] = useState({ conversationId, count: FIRST_COUNT });
  const own = mounted.conversationId === conversationId ? mounted.count : FIRST_COUNT;
  const shown = Math.min(count, Math.max(own, leastCount));

  useEffect(() => {
    if (shown >= count) return undefined;
    const idle = requestIdleCallback(
      () => setMounted({ conversationId, count: shown + SLICE_COUNT }),
      { timeout: 500 },
    );
    return () => cancelIdleCallback(idle);
  }, [conversationId, shown, count]);
  // Once everything is there, what joins the end must not make the oldest leave.
  useEffect(() => {
    if (shown === count) setMounted({ conversationId, count: Number.MAX_SAFE_INTEGER });
  }, [conversationId, shown === count]);

  return shown;
}
