/**
 * Returns the JSON of a parsed value. Empty for very deep nesting: V8 parses any depth but throws
 * when it serializes a deep value.
 */
export function jsonText(value: object | string | number | boolean): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
