/**
 * Decides what a reply's body is: an event stream, one JSON document or a web page. The type a
 * server names is believed unless the first character says otherwise; proxies are careless with it.
 */

export type BodyKind = "stream" | "json" | "page" | "unknown";

/** Visible bytes after which `sniffBody` always decides. */
const LONGEST_FIELD = "event:".length;

/**
 * The shape of a body with this type that begins with `head`, blanks left out; undefined while more
 * of it is needed.
 */
export function sniffBody(contentType: string | null, head: string): BodyKind | undefined {
  const first = head.charAt(0);
  if (first === "") return undefined;
  // No field of an event stream and no JSON document starts like this.
  if (first === "<") return "page";
  if (first === "{" || first === "[") return "json";
  // Compressed bytes without a label; no text begins with a control character.
  if (first < " ") return "unknown";
  if (isPageType(contentType)) {
    // Some frameworks call every stream a page; only a field of one is believed.
    if (/^(?:data|event|id|retry)?:/.test(head)) return "stream";
    return head.length < LONGEST_FIELD && /^[a-z]+$/.test(head) ? undefined : "page";
  }
  // data, event, id, retry and comments
  if (isStreamType(contentType) || /[deir:]/.test(first)) return "stream";
  return /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "") ? "json" : "unknown";
}

/** True for a type that only web pages should have. */
export function isPageType(contentType: string | null): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? "");
}

/** True for the type of an event stream. */
export function isStreamType(contentType: string | null): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "");
}

/** The first bytes, each as one character, without the blanks and the byte order mark before them. */
export function visibleHead(bytes: Uint8Array): string {
  const from = firstVisible(bytes);
  return from === -1 ? "" : String.fromCharCode(...bytes.subarray(from, from + LONGEST_FIELD));
}

/** Index of the first byte that is neither blank nor part of a byte order mark; -1 for none. */
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
