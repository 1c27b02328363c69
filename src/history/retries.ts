/**
 * Failed writes of conversations, drafts and pictures, and their retries. A single list for all
 * three, so that the user gets a warning when saving fails and a message when everything is saved.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";

/** Pause between a failed write and the next pass of retries, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Kinds of files, in the order of their retries. */
const RANKS = ["conversation", "draft", "picture"] as const;
export type RetryRank = (typeof RANKS)[number];

/** Failed writes, by a key of the caller's choice. */
export class Retries implements Disposable {
  private readonly failed = new Map<string, { rank: RetryRank; retry: () => Promise<void> }>();
  private pass: Promise<void> | undefined;
  private nextPass: Promise<void> | undefined;
  private readonly changed = new Emitter<boolean>();
  private timer: Disposable | undefined;

  /** Fires false after the first failed write, and true when no failed write is left. */
  readonly onChanged = this.changed.event;

  constructor(private readonly clock: Clock) {}

  /** True while no failed write is left. */
  get isSettled(): boolean {
    return this.failed.size === 0;
  }

  /** Adds a failed write. `retry` never rejects; it reports its result with `add` or `done`. */
  add(rank: RetryRank, key: string, retry: () => Promise<void>): void {
    const wasSettled = this.isSettled;
    this.failed.set(key, { rank, retry });
    this.timer ??= this.clock.after(RETRY_AFTER_MS, () => {
      this.timer = undefined;
      void this.retryAll();
    });
    if (wasSettled) this.changed.fire(false);
  }

  /** Records that a write succeeded; harmless for a write that never failed. */
  done(key: string): void {
    if (!this.failed.delete(key) || !this.isSettled) return;
    this.timer?.dispose();
    this.timer = undefined;
    this.changed.fire(true);
  }

  /** Retries every failed write now, for instance before the window closes. */
  retryAll(): Promise<void> {
    if (this.pass) {
      // The running pass does not repeat a write that fails in it.
      this.nextPass ??= this.pass.then(() => {
        this.nextPass = undefined;
        return this.retryAll();
      });
      return this.nextPass;
    }
    this.pass = this.retryInOrder().finally(() => {
      this.pass = undefined;
    });
    return this.pass;
  }

  /**
   * A single write at a time and text first: a picture must not use up the space that text needs.
   */
  private async retryInOrder(): Promise<void> {
    for (const rank of RANKS) {
      for (const [key, write] of [...this.failed]) {
        if (write.rank === rank && this.failed.has(key)) await write.retry();
      }
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }
}
