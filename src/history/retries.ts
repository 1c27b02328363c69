/**
 * What the disk refused, and the trying again: one place, so that a person is told once that
 * something is not being saved, and once that all of it is.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";

/** Pause before what could not be written is tried again, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Kinds of files, in the order in which they are tried again. */
const RANKS = ["conversation", "draft", "picture"] as const;
export type RetryRank = (typeof RANKS)[number];

/** Writes that failed, by a key of the caller's choice. */
export class Retries implements Disposable {
  private readonly failed = new Map<string, { rank: RetryRank; again: () => Promise<void> }>();
  private trying: Promise<void> | undefined;
  private readonly changed = new Emitter<boolean>();
  private timer: Disposable | undefined;

  /** Tells false when the first write has failed, and true when nothing waits any more. */
  readonly onChanged = this.changed.event;

  constructor(private readonly clock: Clock) {}

  /** True while nothing waits for the disk. */
  get isSettled(): boolean {
    return this.failed.size === 0;
  }

  /**
   * Notes a failed write; `again` is called later, reports with `add` or `done` and never rejects.
   */
  add(rank: RetryRank, key: string, again: () => Promise<void>): void {
    const wasSettled = this.isSettled;
    this.failed.set(key, { rank, again });
    this.timer ??= this.clock.after(RETRY_AFTER_MS, () => {
      this.timer = undefined;
      void this.tryAll();
    });
    if (wasSettled) this.changed.fire(false);
  }

  /** Notes that a write succeeded; harmless for one that never failed. */
  done(key: string): void {
    if (!this.failed.delete(key) || !this.isSettled) return;
    this.timer?.dispose();
    this.timer = undefined;
    this.changed.fire(true);
  }

  /**
   * Tries everything that waits now, for instance before the window closes: one after the other and
   * words before pictures, so that a large file does not take the space that a small one needs.
   */
  tryAll(): Promise<void> {
    this.trying ??= this.tryInOrder().finally(() => {
      this.trying = undefined;
    });
    return this.trying;
  }

  private async tryInOrder(): Promise<void> {
    for (const rank of RANKS) {
      for (const [key, failed] of [...this.failed]) {
        if (failed.rank === rank && this.failed.has(key)) await failed.again();
      }
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }
}
