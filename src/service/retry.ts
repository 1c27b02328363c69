/**
 * Which failures are tried again and when. Only what failed before any content arrived comes here.
 */
import type { ServiceFailure } from "./types";

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8000;

/** A service that asks for a longer pause gets no automatic retry; the person is told the time. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** Most retries, whatever the setting says. */
const MAX_RETRIES = 10;

/** The number of automatic retries for a setting that may be anything. */
export function retryCount(setting: number): number {
  return Number.isFinite(setting) ? Math.min(MAX_RETRIES, Math.max(0, Math.floor(setting))) : 0;
}

/**
 * Milliseconds before retry number `retry` (1 for the first), or undefined when `failure` is not
 * tried again. As long as the service asks for, else 0.5 s doubling to 8 s, less up to a quarter
 * at random so that many clients do not come back at once. `random` gives 0 to 1.
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
  if (failure.kind !== "status") return false;
  const { status } = failure;
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status <= 599);
}

/**
 * The pause a response asks for, in milliseconds from `nowMs` (since 1970), or undefined when it
 * asks for none that can be understood. `retry-after-ms` goes before `Retry-After`.
 * Format: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
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

/** One of the three date forms of HTTP; Date.parse alone would take "-1" for a year. */
function dateIn(text: string | null): number | undefined {
  if (text === null || !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .{10,40}$/.test(text)) {
    return undefined;
  }
  const parsed = Date.parse(/GMT|UTC|Z$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(parsed) ? undefined : parsed;
}
