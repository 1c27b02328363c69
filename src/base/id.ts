/** Unique identifiers that sort by creation time. */

const RANDOM_DIGITS = 10;
const TIME_DIGITS = 9;

/**
 * Returns a new identifier: 9 base-36 digits of the time in milliseconds, then random ones. Safe in
 * file names and URLs; unique across windows for all practical purposes.
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  const random = Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
  return nowMs.toString(36).padStart(TIME_DIGITS, "0") + random;
}

/**
 * Returns the creation time of an identifier, in milliseconds since the Unix epoch; undefined for a
 * foreign identifier.
 */
export function idTimeMs(id: string): number | undefined {
  const time = id.slice(0, TIME_DIGITS);
  return /^[0-9a-z]{9}$/.test(time) ? Number.parseInt(time, 36) : undefined;
}
