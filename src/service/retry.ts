/**
 * Decides which failures are retried, and when. Only failures before any content are candidates.
 */
import type { ServiceFailure } from "./types";

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8000;

/** Longest pause before an automatic retry, in milliseconds; longer ones are shown to the user. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Returns the milliseconds before retry number `retry` (1 for the first); undefined without a
 * retry. Uses the service's pause, else 0.5 s doubling to 8 s, minus a random quarter, so that
 * clients do not return at once. `random` returns 0 to 1.
 */
export function retryDelayMs(
  failure: ServiceFailure,
  retry: number,
  random: () => number,
): number | undefined {
  if (!isRetried(failure)) return undefined;
  if (failure.kind === "status" && failure.retryAfterMs !== undefined) {
    return failure.retryAfterMs <= MAX_RETRY_AFTER_MS ? failure.retryAfterMs : undefined;
  }
  const delayMs = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (retry - 1));
  return Math.round(delayMs * (1 - random() / 4));
}

function isRetried(failure: ServiceFailure): boolean {
  if (failure.kind === "network") return failure.cause === "reset";
  // An error with a cause stays until the user removes the cause.
  if (failure.kind !== "status" || failure.about !== undefined) return false;
  const { status } = failure;
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status <= 599);
}

/**
 * Returns the pause that a response asks for, in milliseconds from `nowMs` (Unix epoch); undefined
 * without a valid pause. `retry-after-ms` overrides `Retry-After`. Format:
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = numberIn(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const text = headers.get("retry-after")?.trim() ?? null;
  const seconds = numberIn(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const dateMs = dateIn(text);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,9}(?:\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;
}

/** Parses the three date forms of HTTP; Date.parse alone accepts "-1" as a year. */
function dateIn(text: string | null): number | undefined {
  if (text === null || !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .{10,40}$/.test(text)) {
    return undefined;
  }
  const parsed = Date.parse(/GMT|UTC|Z$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(parsed) ? undefined : parsed;
}
