/**
 * Detects the kind of a reply's body: event stream, JSON document or web page. The first character
 * overrides the content type, which proxies often get wrong.
 */

export type BodyKind = "stream" | "json" | "page" | "unknown";

/** Visible bytes after which `sniffBody` always decides. */
const LONGEST_FIELD = "event:".length;

/**
 * Returns the kind of a body that begins with `head`, without blanks; undefined if more bytes are
 * needed.
 */
export function sniffBody(contentType: string | null, head: string): BodyKind | undefined {
  const first = head.charAt(0);
  if (first === "") return undefined;
  // No event stream and no JSON document starts with "<".
  if (first === "<") return "page";
  if (first === "{" || first === "[") return "json";
  // Compressed bytes without a header; no text begins with a control character.
  if (first < " ") return "unknown";
  if (isPageType(contentType)) {
    // Some frameworks label every stream as a page; only a field name proves a stream.
    if (/^(?:data|event|id|retry)?:/.test(head)) return "stream";
    return head.length < LONGEST_FIELD && /^[a-z]+$/.test(head) ? undefined : "page";
  }
  // data, event, id, retry and comments
  if (isStreamType(contentType) || /[deir:]/.test(first)) return "stream";
  return /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "") ? "json" : "unknown";
}

export function isPageType(contentType: string | null): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? "");
}

export function isStreamType(contentType: string | null): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "");
}

/** Returns the first bytes as characters, without leading blanks and byte order mark. */
export function visibleHead(bytes: Uint8Array): string {
  const from = firstVisible(bytes);
  return from === -1 ? "" : String.fromCharCode(...bytes.subarray(from, from + LONGEST_FIELD));
}

/**
 * Returns the index of the first byte that is neither blank nor part of a byte order mark; -1 for
 * none.
 */
export function firstVisible(bytes: Uint8Array): number {
  return bytes.findIndex(
    (byte) =>
      byte !== 0x20 &&
      (byte < 0x09 || byte > 0x0d) &&
      byte !== 0xef &&
      byte !== 0xbb &&
      byte !== 0xbf,
  );
}

/** Returns true for binary data, such as a compressed body without the header. */
export function isBinary(head: string): boolean {
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(head);
}

const FIELD_STARTS = ["data:", "event:", "id:", "retry:", "error:", ":"];

/** Returns true for the start of an event stream, also if it ends in the name of the first field. */
export function beginsLikeStream(head: string): boolean {
  const first = head.trimStart();
  return FIELD_STARTS.some((field) => first.startsWith(field) || field.startsWith(first));
}
