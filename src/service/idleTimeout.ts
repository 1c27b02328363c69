/**
 * Limits the silence during a wait, not its length: a reply may take hours as long as bytes arrive.
 * Also notifies that a wait continues.
 * Phases: "connect", where the platform reports connections; "first-byte", until the first byte of
 * the reply's body; "silence", between later bytes. Elsewhere a failed connection ends by the
 * platform's limit (10 s in Node), named "connect" by networkFailure.ts, or by the first-byte
 * limit.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { ServiceError } from "./types";

/** Interval of notices during a wait, in milliseconds. */
export const NOTICE_MS = 10_000;

/** Plausible delay of a timer on a busy machine, in milliseconds. */
const MAX_LATE_MS = 5_000;

/** Notice that the wait continues; call `wait` again with the same promise. */
export class StillWaiting {
  constructor(readonly forMs: number) {}
}

export type WaitPhase = "connect" | "first-byte" | "silence";

export interface IdleTimeout {
  /** Starts a phase; the limit counts from now or from the last `restart`. */
  begin(phase: WaitPhase, limitMs: number): void;
  /** Restarts the limit: data arrived. */
  restart(): void;
  /**
   * Waits for `work`. Resolves with a notice after a while without data. Rejects with a
   * ServiceError at the limit, and with the reason of an aborted signal at once.
   */
  wait<T>(work: Promise<T>): Promise<T | StillWaiting>;
  /** Resolves the open wait, if any, with a notice now. */
  notify(): void;
  /** Releases the timer and the listener. */
  stop(): void;
}

export function createIdleTimeout(clock: Clock, signal: AbortSignal): IdleTimeout {
  let phase: WaitPhase = "first-byte";
  let limitMs = Infinity;
  let sinceMs = clock.elapsedMs();
  let noticeMs = NOTICE_MS;
  let timer: Disposable | undefined;
  let armedMs = 0;
  let delayMs = 0;
  // Callbacks of the open wait, if any. They are shared by all waits, because each network read has
  // a wait and may be a single byte.
  let resolveWait: ((value: unknown) => void) | undefined;
  let rejectWait: ((error: Error) => void) | undefined;

  const open = (resolve: (value: unknown) => void, reject: (error: Error) => void): void => {
    resolveWait = resolve;
    rejectWait = reject;
  };
  const settle = (value: unknown): void => {
    const settled = resolveWait;
    resolveWait = rejectWait = undefined;
    settled?.(value);
  };
  const fail = (error: Error): void => {
    const failed = rejectWait;
    resolveWait = rejectWait = undefined;
    failed?.(error);
  };

  const onAbort = (): void => fail(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });

  // The timer is not moved for each byte. A timer that fires early is set again.
  function arm(): void {
    armedMs = clock.elapsedMs();
    delayMs = Math.max(1, Math.min(limitMs, noticeMs) - (armedMs - sinceMs));
    timer = clock.after(delayMs, onTimer);
  }

  function onTimer(): void {
    timer = undefined;
    if (resolveWait === undefined) return; // armed again by the next wait
    // A timer that fires far too late means that the computer slept; that time does not count.
    const lateMs = clock.elapsedMs() - armedMs - delayMs;
    if (lateMs > MAX_LATE_MS) sinceMs += lateMs;
    const forMs = clock.elapsedMs() - sinceMs;
    if (forMs >= limitMs) {
      fail(new ServiceError({ kind: "timeout", phase, limitMs }));
      return;
    }
    if (forMs >= noticeMs) {
      noticeMs = (Math.floor(forMs / NOTICE_MS) + 1) * NOTICE_MS;
      settle(new StillWaiting(forMs)); // the caller opens the next wait
    }
    arm();
  }

  return {
    begin(nextPhase, nextLimitMs) {
      phase = nextPhase;
      limitMs = nextLimitMs > 0 ? nextLimitMs : Infinity;
      this.restart();
      timer?.dispose();
      timer = undefined;
      if (resolveWait !== undefined) arm();
    },
    restart() {
      sinceMs = clock.elapsedMs();
      noticeMs = NOTICE_MS;
    },
    wait<T>(work: Promise<T>) {
      if (timer === undefined) arm();
      const outcome = new Promise(open) as Promise<T | StillWaiting>;
      if (signal.aborted) fail(signal.reason as Error);
      // After a notice the same promise is awaited again. The first handler settles the wait; the
      // others find none open.
      work.then(settle, fail);
      return outcome;
    },
    notify() {
      settle(new StillWaiting(clock.elapsedMs() - sinceMs));
    },
    stop() {
      timer?.dispose();
      timer = undefined;
      signal.removeEventListener("abort", onAbort);
    },
  };
}
