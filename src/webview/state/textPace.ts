/**
 * Asks the host for text of the running reply as often as the page can use it. A page that is hidden
 * draws no frames and asks for nothing. Over a slow connection, such as SSH, the page asks for several
 * updates ahead, so that text does not wait for the next request.
 */
import { MAX_UPDATES_AHEAD } from "../../protocol/actions";
import { lastKeyMs } from "../../renderer/lastKey";
import type { Host } from "./host";
import type { PanelStore } from "./store";

/** Intervals between two updates, in milliseconds: in the first second, later, and out of sight. */
const FIRST_INTERVAL_MS = 33;
const INTERVAL_MS = 60;
const UNSEEN_INTERVAL_MS = 250;

/** Time to the host and back, in milliseconds, from which a connection is slow. */
const SLOW_MS = 100;

/** Assumed until a reply has shown the time of the connection, in milliseconds. */
const UNKNOWN_MS = 600;

/** Time after the first text in which a reader sees each word appear. */
const FIRST_MS = 1_000;

/** Time after a key press without new text, and the longest wait for a pause in typing. */
const TYPING_PAUSE_MS = 100;
const MAX_TYPING_WAIT_MS = 400;

export class TextPace {
  private replyId: string | undefined;
  private startedMs = 0;
  private isAsking = false;

  /**
   * @param isAtEnd returns false after the user scrolled up
   * @param roundTripMs returns the time for a message to the host and back
   */
  constructor(
    store: PanelStore,
    private readonly host: Host,
    private readonly isAtEnd: () => boolean,
    private readonly roundTripMs: () => number,
  ) {
    store.on("turn-delta", ({ messageId }) => this.textArrived(messageId));
    store.on("thinking-delta", ({ messageId }) => this.textArrived(messageId));
    store.on("panel-changed", ({ panel }) => {
      // The first text of a reply must not wait for a request.
      if (panel.isRunning && this.isSlow) this.ask();
    });
    // The host sends text without being asked after a snapshot.
    store.on("snapshot", () => {
      this.isAsking = false;
      // Over a slow connection, the first reply begins before a request can come.
      if (this.roundTripMs() === 0) this.ask(UNKNOWN_MS);
    });
  }

  private textArrived(replyId: string): void {
    const arrivedMs = performance.now();
    if (replyId !== this.replyId) this.startedMs = arrivedMs;
    this.replyId = replyId;
    if (this.isAsking) return;
    this.isAsking = true;
    // The host keeps the interval of updates that were asked for ahead.
    const dueMs = arrivedMs + (this.isSlow ? 0 : this.intervalMs(arrivedMs));
    requestAnimationFrame(() => this.askAt(dueMs, arrivedMs));
  }

  private get isSlow(): boolean {
    return this.roundTripMs() > SLOW_MS;
  }

  /** Asks for text. The renderer draws less often than text arrives ahead, so only one of both waits. */
  private ask(roundTripMs = this.roundTripMs()): void {
    const everyMs = this.isAtEnd() ? FIRST_INTERVAL_MS : UNSEEN_INTERVAL_MS;
    const count = Math.min(MAX_UPDATES_AHEAD, Math.ceil(roundTripMs / everyMs) + 1);
    const isAhead = roundTripMs > SLOW_MS;
    this.host.send({ type: "text-asked", ...(isAhead && { ahead: { count, everyMs } }) });
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
    this.ask();
  }
}
