import { useEffect, useState } from "preact/hooks";

/** Messages of the first paint, besides those in view; a group of them. */
const FIRST_COUNT = 10;

/** Number of messages added in an idle callback; about 6 ms of work. */
const SLICE_COUNT = 30;

/**
 * Returns the number of newest messages to render at every scroll position. Grows to `count` while the
 * page is idle and all are needed.
 * @param conversationId starts from the first count when it changes
 */
export function useMountedCount(
  conversationId: string | undefined,
  count: number,
  isWholeNeeded: boolean,
): number {
  const [mounted, setMounted] = useState({ conversationId, count: FIRST_COUNT });
  const mountedCount = mounted.conversationId === conversationId ? mounted.count : FIRST_COUNT;
  const shown = Math.min(count, mountedCount);

  useEffect(() => {
    if (!isWholeNeeded || shown >= count) return undefined;
    const idle = requestIdleCallback(
      () => setMounted({ conversationId, count: shown + SLICE_COUNT }),
      { timeout: 500 },
    );
    return () => cancelIdleCallback(idle);
  }, [conversationId, shown, count, isWholeNeeded]);
  // Once all are rendered, a new message must not unmount the oldest.
  useEffect(() => {
    if (shown === count) setMounted({ conversationId, count: Number.MAX_SAFE_INTEGER });
  }, [conversationId, shown === count]);

  return shown;
}
