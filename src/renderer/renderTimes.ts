/**
 * Times the renders of a streamed reply: at most 30 a second, and fewer while they take much of the main
 * thread or while the user types. Times are milliseconds of one monotonic clock.
 */

/** Minimum interval between two renders: 30 a second. */
const MIN_INTERVAL_MS = 1000 / 30;

/** Maximum interval between two renders. One frame later, text is on screen within 100 ms. */
const MAX_INTERVAL_MS = 64;

/** Share of the main thread's time that rendering may use before renders become less frequent. */
const MAX_SHARE = 0.1;

/** Time after a key press without a render, in which the key's own change is painted. */
const TYPING_PAUSE_MS = 100;

/** Longest time that text waits for a pause in typing. */
const MAX_TYPING_WAIT_MS = 400;

/** Time after a key press that belongs to the frame of the key: two frames at 60 a second. */
const KEY_FRAME_MS = 1000 / 30;

export class RenderTimes {
  private lastRenderMs = -Infinity;
  private intervalMs = MIN_INTERVAL_MS;
  private waitingSinceMs: number | undefined;

  /** @param lastKeyMs returns the time of the last key press */
  constructor(private readonly lastKeyMs: () => number) {}

  /** Records that text waits for a render. */
  textArrived(nowMs: number): void {
    this.waitingSinceMs ??= nowMs;
  }

  /** Returns the time until the next render may start; 0 or less if it may start now. */
  waitMs(nowMs: number): number {
    const keyMs = this.lastKeyMs();
    const isFirst = this.lastRenderMs === -Infinity;
    const afterTyping = keyMs + (isFirst ? KEY_FRAME_MS : TYPING_PAUSE_MS);
    const overdue = (this.waitingSinceMs ?? nowMs) + MAX_TYPING_WAIT_MS;
    // A key that repeats faster than its frames are painted must not hold the text for ever.
    const latest = Math.max(overdue, Math.min(keyMs + KEY_FRAME_MS, overdue + TYPING_PAUSE_MS));
    return Math.max(this.lastRenderMs + this.intervalMs, Math.min(afterTyping, latest)) - nowMs;
  }

  /** Returns the time until the frame of the last key press has been painted; 0 or less if it has. */
  keyFrameMs(nowMs: number): number {
    return this.lastKeyMs() + KEY_FRAME_MS - nowMs;
  }

  /** Returns true shortly after a key press. */
  isTyping(nowMs: number): boolean {
    return nowMs - this.lastKeyMs() < TYPING_PAUSE_MS;
  }

  /** @param hasRest true if some of the text still waits */
  renderStarted(nowMs: number, hasRest: boolean): void {
    this.lastRenderMs = nowMs;
    if (!hasRest) this.waitingSinceMs = undefined;
  }

  /** Records the end of the frame of the last render, with layout and paint. */
  frameEnded(nowMs: number): void {
    const idealMs = (nowMs - this.lastRenderMs) / MAX_SHARE;
    this.intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, idealMs));
  }
}
