/**
 * Pauses for long work. Yields to the event loop every few milliseconds, so that the window stays
 * responsive while thousands of conversations are read or searched.
 */
import { sleep, type Clock } from "./clock";

/** Maximum work between two pauses, in milliseconds; half of a noticeable delay. */
const MAX_WORK_MS = 8;

/** Timer of a long task. */
export class TimeSlice {
  private startedAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.startedAtMs = clock.nowMs();
  }

  /**
   * Returns a promise to await if a pause is due. Called between small steps. Throws the signal's reason
   * once aborted.
   */
  pause(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    if (this.clock.nowMs() - this.startedAtMs < MAX_WORK_MS) return undefined;
    return this.yieldToEventLoop();
  }

  /** Maps items one after the other, with pauses between them. */
  async map<T, R>(items: readonly T[], use: (item: T, index: number) => R): Promise<R[]> {
    const results: R[] = [];
    for (const [index, item] of items.entries()) {
      const pause = this.pause();
      if (pause) await pause;
      results.push(use(item, index));
    }
    return results;
  }

  private async yieldToEventLoop(): Promise<void> {
    await sleep(this.clock, 0, this.signal);
    this.startedAtMs = this.clock.nowMs();
  }
}
