/**
 * Reads a URL, or finds that it is none.
 */

/**
 * The URL, or undefined. Not by way of `URL.canParse`: in Node 20 and 22 that turns false for good
 * URLs with letters such as "ü" once it was called some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
