/** Fake clock that a test advances; nothing waits for real time. */
import type { Clock } from "../../../src/base/clock";
import { toDisposable } from "../../../src/base/disposables";

/** The time changes only in `advance`. */
export class ManualClock implements Clock {
  private timers: { atMs: number; run: () => void }[] = [];

  constructor(private now = 1_700_000_000_000) {}

  nowMs(): number {
    return this.now;
  }

  elapsedMs(): number {
    return this.now - 1_600_000_000_000;
  }

  after(delayMs: number, run: () => void) {
    const timer = { atMs: this.now + delayMs, run };
    this.timers.push(timer);
    return toDisposable(() => {
      this.timers = this.timers.filter((other) => other !== timer);
    });
  }

  /** Number of pending timers. */
  get timerCount(): number {
    return this.timers.length;
  }

  /** Advances the time and calls due timers in order of time. */
  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const [next] = this.timers.filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.now = next.atMs;
      next.run();
    }
    this.now = end;
  }
}
