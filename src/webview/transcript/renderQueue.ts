import type { Disposable } from "../../base/disposables";

/** Time for rendering in a frame, in milliseconds. */
const FRAME_BUDGET_MS = 8;

/**
 * Renders replies in slices, a slice each frame, so that a long conversation never blocks the page.
 * The last request is the nearest to the viewport and comes first.
 */
export class RenderQueue {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  /** Runs `render` in one of the next frames unless disposed first. */
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
