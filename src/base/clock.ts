/**
 * Time as a parameter, so that tests can move it by hand.
 */
import { toDisposable, type Disposable } from "./disposables";

/** Tells the time and calls back later. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds since some moment, for waits: never jumps when the time of day is set. */
  elapsedMs(): number;
  /** Calls `run` once after `delayMs`, unless disposed before. */
  after(delayMs: number, run: () => void): Disposable;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason as soon as that is aborted. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    function stop(): void {
      timer.dispose();
      reject(signal.reason as Error);
    }
    signal.addEventListener("abort", stop, { once: true });
  });
}
