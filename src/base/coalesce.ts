/**
 * Coalesces many notifications: delivers the first at once, and later ones of the interval together
 * at its end.
 */
import type { Clock } from "./clock";
import { toDisposable, type Disposable } from "./disposables";

/** Limits deliveries to a single delivery per interval. */
export interface Coalescer extends Disposable {
  push(): void;
}

/**
 * @param intervalMs shortest time between two deliveries by `push`
 * @param deliver called when nothing else is pending; never after disposal
 */
export function coalesce(clock: Clock, intervalMs: number, deliver: () => void): Coalescer {
  let isWaiting = false;
  let isDisposed = false;
  let timer: Disposable | undefined;

  function deliverNow(): void {
    isWaiting = false;
    timer?.dispose();
    timer = clock.after(intervalMs, () => {
      timer = undefined;
      if (isWaiting) deliverNow();
    });
    deliver();
  }

  return {
    push() {
      if (isDisposed) return;
      isWaiting = true;
      if (timer === undefined) deliverNow();
    },
    ...toDisposable(() => {
      isDisposed = true;
      timer?.dispose();
    }),
  };
}
