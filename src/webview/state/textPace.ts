/**
 * Asks the host for text of the running reply as often as the page can use it. A page that is hidden
 * draws no frames and asks for nothing.
 */
import { lastKeyMs } from "../../renderer/lastKey";
import type { Host } from "./host";
import type { PanelStore } from "./store";

/** Intervals between two updates, in milliseconds: in the first second, later, and out of sight. */
const FIRST_INTERVAL_MS = 33;
const INTERVAL_MS = 60;
const UNSEEN_INTERVAL_MS = 250;

/** Time after the first text in which a reader sees each word appear. */
const FIRST_MS = 1_000;

/** Time after a key press without new text, and the longest wait for a pause in typing. */
const TYPING_PAUSE_MS = 100;
const MAX_TYPING_WAIT_MS = 400;

export class TextPace {
  private replyId: string | undefined;
  private startedMs = 0;
  private isAsking = false;

  /** @param isAtEnd returns false after the user scrolled up */
  constructor(
    store: PanelStore,
    private readonly host: Host,
    private readonly isAtEnd: () => boolean,
  ) {
    store.on("turn-delta", ({ messageId }) => this.textArrived(messageId));
    store.on("thinking-delta", ({ messageId }) => this.textArrived(messageId));
    // The host sends text without being asked after a snapshot.
    store.on("snapshot", () => (this.isAsking = false));
  }

  private textArrived(replyId: string): void {
    const arrivedMs = performance.now();
    if (replyId !== this.replyId) this.startedMs = arrivedMs;
    this.replyId = replyId;
    if (this.isAsking) return;
    this.isAsking = true;
    requestAnimationFrame(() => this.askAt(arrivedMs + this.intervalMs(arrivedMs), arrivedMs));
  }

  private intervalMs(nowMs: number): number {
    if (!this.isAtEnd()) return UNSEEN_INTERVAL_MS;
    return nowMs - this.startedMs < FIRST_MS ? FIRST_INTERVAL_MS : INTERVAL_MS;
  }

  private askAt(dueMs: number, arrivedMs: number): void {
    const nowMs = performance.now();
    const afterTyping = lastKeyMs(document) + TYPING_PAUSE_MS;
    const atMs = Math.max(dueMs, Math.min(afterTyping, arrivedMs + MAX_TYPING_WAIT_MS));
    if (atMs - nowMs > 1) {
      setTimeout(() => this.askAt(dueMs, arrivedMs), atMs - nowMs);
      return;
    }
    if (!this.isAsking) return;
    this.isAsking = false;
    this.host.send({ type: "text-asked" });
  }
}
