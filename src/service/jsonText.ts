/**
 * Writes a value that came out of JSON back as JSON. V8 reads documents nested to any depth but
 * throws when it writes very deep ones.
 */

/** The JSON of `value`; empty when it is nested too deeply to be written. */
export function jsonText(value: object | string | number | boolean): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
