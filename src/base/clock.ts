/** Time as a parameter, so that tests control it. */
import { toDisposable, type Disposable } from "./disposables";

export interface Clock {
  /** Returns milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Returns milliseconds of a monotonic clock, for durations. */
  elapsedMs(): number;
  /** Calls `run` once after `delayMs`, unless disposed first. */
  after(delayMs: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Resolves after `delayMs`; rejects with the reason of an aborted signal. */
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
