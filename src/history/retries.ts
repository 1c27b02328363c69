/**
 * Failed writes of conversations, drafts and pictures, and their retries. A single list for all
 * three, so that the user gets a warning when saving fails and a message when everything is saved.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { oneAtATime } from "../base/oneAtATime";

/** Delay between a failed write and its retry, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Kinds of written files, in the order of their retries. */
const WRITE_KINDS = ["conversation", "draft", "picture"] as const;
type WriteKind = (typeof WRITE_KINDS)[number];

/** Failed writes, by a key of the caller's choice. */
export class Retries implements Disposable {
  private readonly failed = new Map<string, { kind: WriteKind; retry: () => Promise<void> }>();
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
  add(kind: WriteKind, key: string, retry: () => Promise<void>): void {
    const wasSettled = this.isSettled;
    this.failed.set(key, { kind, retry });
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
  readonly retryAll = oneAtATime(() => this.retryInOrder());

  /** Retries one write at a time, text first: a picture must not use up the space that text needs. */
  private async retryInOrder(): Promise<void> {
    for (const kind of WRITE_KINDS) {
      for (const [key, write] of [...this.failed]) {
        if (write.kind === kind && this.failed.has(key)) await write.retry();
      }
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }
}
