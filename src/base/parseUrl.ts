/**
 * Parses a URL; undefined if invalid. Does not use `URL.canParse`: in Node 20 and 22 it returns
 * false for valid URLs with letters such as "ü" after some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
