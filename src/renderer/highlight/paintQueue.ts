/** Paints tokens in slices of a few milliseconds with pauses for the page. */
import type { TokenReceiver } from "../codeHighlighter";

/** Maximum duration of a slice, in milliseconds. */
const SLICE_MS = 6;

/** Minimum pause between two slices, in milliseconds. */
const PAUSE_MS = 10;

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
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= this.view.setTimeout(() => {
      this.timer = undefined;
      this.paint();
    }, PAUSE_MS);
  }

  private paint(): void {
    const end = performance.now() + SLICE_MS;
    const shouldStop = () => performance.now() >= end;
    for (let paint = this.paints[0]; paint !== undefined; paint = this.paints[0]) {
      paint.at = paint.receiver.paint(paint.tokens, paint.at, shouldStop);
      if (paint.at < paint.tokens.length) break;
      this.paints.shift();
      paint.done();
      if (shouldStop()) break;
    }
    if (this.paints.length > 0) this.schedule();
  }
}
