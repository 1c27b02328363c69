/**
 * Long work in short pieces: after a few milliseconds at a stretch the event loop gets its turn,
 * so that typing and painting go on while thousands of conversations are read or searched.
 */
import { sleep, type Clock } from "../base/clock";

/** Longest stretch without a pause, in milliseconds; half of what a person could begin to feel. */
const MAX_STRETCH_MS = 8;

/** One piece of work that pauses now and then. */
export class TimeSlice {
  private startedAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.startedAtMs = clock.nowMs();
  }

  /**
   * Call it between small steps and await what it gives, if anything. Throws the signal's reason
   * once that is aborted.
   */
  pause(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    if (this.clock.nowMs() - this.startedAtMs < MAX_STRETCH_MS) return undefined;
    return this.rest();
  }

  private async rest(): Promise<void> {
    await sleep(this.clock, 0, this.signal);
    this.startedAtMs = this.clock.nowMs();
  }
}
