/**
 * Time as the service room needs it, injected so that tests need no waiting.
 */

/** Two readings and one timer. */
export interface Clock {
  /** Milliseconds that only grow; for measuring how long something took. */
  monotonicMs(): number;
  /** Milliseconds since 1970; for comparing with dates a server sends. */
  epochMs(): number;
  /** Calls `callback` once after `delayMs`; the returned function takes it back. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves after `delayMs`. When `signal` is aborted first it rejects with the signal's reason,
 * at once; nothing keeps running either way.
 */
export function sleep(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      takeBack();
      reject(signal.reason as Error);
    };
    const takeBack = clock.setTimer(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
