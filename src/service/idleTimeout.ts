/**
 * Watches for silence while something is awaited: tells that the wait goes on, and ends it at a
 * limit. It guards silence, not length; a reply may go on for hours as long as bytes come.
 *
 * Three phases: "connect", where the platform tells when a connection is begun and made; "first-byte",
 * from then on (else from the start of a try) to the first byte of the reply's body; and "silence",
 * between bytes after that. Where the platform does not tell, a connection that cannot be made ends by
 * the platform's own limit (Node's is 10 s) and is named "connect" by networkFailure.ts, or at the
 * first-byte limit.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { ServiceError } from "./types";

/** After how long, and then how often, a wait is told. */
export const NOTICE_MS = 10_000;

/** How late a timer may fire on a busy machine. */
const MAX_LATE_MS = 5_000;

/** The wait goes on; call `wait` again with the same promise. */
export class StillWaiting {
  constructor(readonly forMs: number) {}
}

/** True for a notice. By its shape: the reading side is a bundle of its own, with its own classes. */
export function isStillWaiting(outcome: unknown): outcome is StillWaiting {
  return typeof outcome === "object" && outcome !== null && "forMs" in outcome;
}

/** What is waited for. */
export type WaitPhase = "connect" | "first-byte" | "silence";

export interface IdleTimeout {
  /** Starts a phase: the limit counts from now, or from the last `heard` in it. */
  begin(phase: WaitPhase, limitMs: number): void;
  /** Something came: the limit counts from now. */
  heard(): void;
  /**
   * Waits for `work`. Resolves with a notice when nothing came for a while; rejects with a
   * ServiceError at the limit, and with the signal's reason at once when that is aborted.
   */
  wait<T>(work: Promise<T>): Promise<T | StillWaiting>;
  /** Resolves the open wait, if any, with a notice now. */
  notify(): void;
  /** Ends the watch: no timer and no listener remains. */
  stop(): void;
}

/** Starts a watch for one try. */
export function createIdleTimeout(clock: Clock, signal: AbortSignal): IdleTimeout {
  let phase: WaitPhase = "first-byte";
  let limitMs = Infinity;
  let sinceMs = clock.elapsedMs();
  let noticeMs = NOTICE_MS;
  let timer: Disposable | undefined;
  let armedMs = 0;
  let delayMs = 0;
  // The one wait that is open, if any. Kept here, and not in functions made for each wait: a wait
  // belongs to every piece of the network, which may be a single byte.
  let give: ((value: unknown) => void) | undefined;
  let refuse: ((error: Error) => void) | undefined;

  const open = (resolve: (value: unknown) => void, reject: (error: Error) => void): void => {
    give = resolve;
    refuse = reject;
  };
  const settle = (value: unknown): void => {
    const settled = give;
    give = refuse = undefined;
    settled?.(value);
  };
  const fail = (error: Error): void => {
    const failed = refuse;
    give = refuse = undefined;
    failed?.(error);
  };

  const onAbort = (): void => fail(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });

  // The timer is not moved at each byte: when it fires early it looks and is set again.
  function arm(): void {
    armedMs = clock.elapsedMs();
    delayMs = Math.max(1, Math.min(limitMs, noticeMs) - (armedMs - sinceMs));
    timer = clock.after(delayMs, look);
  }

  function look(): void {
    timer = undefined;
    if (give === undefined) return; // armed again by the next wait
    // A timer that fires far too late means that the computer slept; that time was no wait.
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
      this.heard();
      timer?.dispose();
      timer = undefined;
      if (give !== undefined) arm();
    },
    heard() {
      sinceMs = clock.elapsedMs();
      noticeMs = NOTICE_MS;
    },
    wait<T>(work: Promise<T>) {
      if (timer === undefined) arm();
      const outcome = new Promise(open) as Promise<T | StillWaiting>;
      if (signal.aborted) fail(signal.reason as Error);
      // Of a promise that is waited for again after a notice the first of these settles the wait;
      // the others find none open.
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
