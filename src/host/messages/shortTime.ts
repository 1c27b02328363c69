/**
 * Formats a time briefly in the display language: the time of today, the weekday of the last week,
 * else the date.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

/** @param language BCP 47 tag, as in VS Code's display language */
export function shortTime(atMs: number, nowMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, shapeFor(atMs, nowMs)).format(atMs);
}

function shapeFor(atMs: number, nowMs: number): Intl.DateTimeFormatOptions {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (at.toDateString() === now.toDateString()) return { hour: "2-digit", minute: "2-digit" };
  if (nowMs - atMs < 6 * DAY_MS) return { weekday: "short" };
  const day = { day: "numeric", month: "short" } as const;
  return at.getFullYear() === now.getFullYear() ? day : { ...day, year: "numeric" };
}
