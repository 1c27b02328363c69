/**
 * Decides what a reply's body is: an event stream, one JSON document or a web page. The type a
 * server names is believed unless the first character says otherwise; proxies are careless with it.
 */

export type BodyShape = "stream" | "json" | "page" | "unknown";

/** True for a type that only web pages have; the body need not be read then. */
export function isPageType(contentType: string | null): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? "");
}

/** The shape of a body with this type whose first byte that is not blank is `firstByte`. */
export function bodyShape(contentType: string | null, firstByte: number): BodyShape {
  const first = String.fromCharCode(firstByte);
  // No field of an event stream and no JSON document starts like this.
  if (first === "<") return "page";
  if (first === "{" || first === "[") return "json";
  // Compressed bytes without a label; no text begins with a control character.
  if (firstByte < 0x20) return "unknown";
  // data, event, id, retry and comments
  if (isStreamType(contentType) || /[deir:]/.test(first)) return "stream";
  return /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "") ? "json" : "unknown";
}

/** True for the type of an event stream. */
export function isStreamType(contentType: string | null): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "");
}

/** The first byte that is neither blank nor part of a byte order mark, or undefined. */
export function firstVisibleByte(bytes: Uint8Array): number | undefined {
  return bytes.find(
    (byte) =>
      byte !== 0x20 &&
      (byte < 0x09 || byte > 0x0d) &&
      byte !== 0xef &&
      byte !== 0xbb &&
      byte !== 0xbf,
  );
}
