/**
 * Paints tokens with the next render of a reply, so that they need no frame of their own, or without
 * a render in slices of a few milliseconds with pauses for the page.
 */
import type { TokenReceiver } from "../codeHighlighter";

/** Maximum duration of a slice, in milliseconds. */
const SLICE_MS = 6;

/** Minimum pause between two slices, in milliseconds. */
const PAUSE_MS = 10;

/** Time for a render to come, in milliseconds: its longest interval (renderTimes.ts) and a frame. */
const RENDER_WAIT_MS = 80;

interface Paint {
  readonly receiver: TokenReceiver;
  readonly tokens: Uint32Array;
  readonly done: () => void;
  at: number;
}

export class PaintQueue {
  private readonly paints: Paint[] = [];
  private timer: number | undefined;

  constructor(readonly view: Window) {}

  /** Checks if tokens of a receiver are still unpainted. */
  has(receiver: TokenReceiver): boolean {
    return this.paints.some((paint) => paint.receiver === receiver);
  }

  add(receiver: TokenReceiver, tokens: Uint32Array, done: () => void): void {
    this.paints.push({ receiver, tokens, done, at: 0 });
    this.schedule(RENDER_WAIT_MS);
  }

  /** Paints until `shouldStop` returns true; the rest follows later. */
  paint(shouldStop: () => boolean): void {
    for (let paint = this.paints[0]; paint !== undefined; paint = this.paints[0]) {
      paint.at = paint.receiver.paint(paint.tokens, paint.at, shouldStop);
      if (paint.at < paint.tokens.length) break;
      this.paints.shift();
      paint.done();
      if (shouldStop()) break;
    }
    if (this.paints.length > 0) return;
    this.view.clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(waitMs: number): void {
    this.timer ??= this.view.setTimeout(() => {
      this.timer = undefined;
      const end = performance.now() + SLICE_MS;
      this.paint(() => performance.now() >= end);
      if (this.paints.length > 0) this.schedule(PAUSE_MS);
    }, waitMs);
  }
}
