/**
 * Renders what is coming into sight a little in every frame, so that opening a long conversation
 * and scrolling through it never block the page. What was asked for last is nearest and comes
 * first.
 */
import type { Disposable } from "../../base/disposables";

/** How much of a frame may go into rendering, in milliseconds. */
const FRAME_BUDGET_MS = 8;

/** One per page. */
export class RenderQueue {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  /** Runs `render` in one of the next frames, unless disposed before. */
  add(render: () => void): Disposable {
    this.waiting.push(render);
    this.schedule();
    return {
      dispose: () => {
        const index = this.waiting.lastIndexOf(render);
        if (index >= 0) this.waiting.splice(index, 1);
      },
    };
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    requestAnimationFrame(() => this.renderSome());
  }

  private renderSome(): void {
    this.isScheduled = false;
    const untilMs = performance.now() + FRAME_BUDGET_MS;
    try {
      do this.waiting.pop()?.();
      while (this.waiting.length > 0 && performance.now() < untilMs);
    } finally {
      this.schedule();
    }
  }
}
