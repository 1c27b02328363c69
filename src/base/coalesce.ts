/**
 * Turns many small pushes into few large ones: the first goes out at once, what follows within
 * the interval goes out together at its end.
 */
import type { Clock } from "./clock";
import { toDisposable, type Disposable } from "./disposables";

/** A gate with at most one delivery an interval. */
export interface Coalescer extends Disposable {
  /** Says that there is something to deliver. */
  push(): void;
  /** Delivers what is waiting now. */
  flush(): void;
}

/**
 * @param intervalMs shortest time between two deliveries that `push` causes
 * @param deliver called with nothing waiting any more; never called after disposal
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
    flush() {
      if (!isDisposed && isWaiting) deliverNow();
    },
    ...toDisposable(() => {
      isDisposed = true;
      timer?.dispose();
    }),
  };
}
