/**
 * Reduces the body of a failure to a short single line of plain text, without markup and control
 * characters. Not an HTML sanitizer: the result is only shown as text.
 */

/** Longest kept text of a failure, in UTF-16 units. */
export const MAX_MESSAGE_CHARS = 300;

/** Upper limits of the text that is redacted and of a key in it, in UTF-16 units. */
const MAX_REDACTED_CHARS = 12_288;
const MAX_KEY_CHARS = 8_192;

/**
 * Removes control, invisible and bidirectional characters, then redacts, then truncates. The order
 * matters: a key that contains an invisible character or is cut in half is not recognized. A long
 * text is cut before too, and loses its end after that, where half a key may be.
 */
export function shortPlainText(text: string, redact: (text: string) => string): string {
  // Line breaks and tabs become blanks before other control characters are removed.
  const clean = text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "");
  const isLong = clean.length > MAX_REDACTED_CHARS;
  const redacted = redact(clean.slice(0, MAX_REDACTED_CHARS));
  const line = (isLong ? redacted.slice(0, -MAX_KEY_CHARS) : redacted).trim();
  if (line.length <= MAX_MESSAGE_CHARS) return line;
  const cut = line.slice(0, MAX_MESSAGE_CHARS - 1);
  const isHalfPair = /[\ud800-\udbff]$/.test(cut);
  return `${(isHalfPair ? cut.slice(0, -1) : cut).trimEnd()}…`;
}

/** Returns true for a web page, whatever its content type. */
export function isWebPage(text: string): boolean {
  return /^[\s\ufeff]*<(?:!doctype|html|head|body|\?xml)/i.test(text.slice(0, 1024));
}

/** Removes tags, scripts and styles of a page. Linear in the length of `source`. */
export function textOfPage(source: string): string {
  const lower = source.toLowerCase();
  let text = "";
  for (let at = 0; at < source.length;) {
    const open = source.indexOf("<", at);
    if (open === -1) return decodeEntities(text + source.slice(at));
    text += `${source.slice(at, open)} `;
    const hidden = /^<(script|style)/.exec(lower.slice(open, open + 8))?.[1];
    const closing = hidden === undefined ? ">" : `</${hidden}`;
    const isComment = lower.startsWith("<!--", open);
    const end = lower.indexOf(isComment ? "-->" : closing, open);
    if (end === -1) return decodeEntities(text);
    at = hidden === undefined ? end + (isComment ? 3 : 1) : lower.indexOf(">", end) + 1;
    if (at === 0) return decodeEntities(text);
  }
  return decodeEntities(text);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
  "&amp;": "&",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
