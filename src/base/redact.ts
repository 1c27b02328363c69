/**
 * Takes secrets out of text that leaves for a log, an error, an export or the inspector: by value
 * (the key itself, and as it looks in URLs, JSON and base64) and by pattern (what looks like a key).
 * Not for the conversation itself: what a person wrote or a model answered stays as it is.
 */

/** What stands where a secret was. */
export const REDACTED = "[redacted]";

/** Shorter values would take out ordinary words; they are left to the patterns. */
const MIN_SECRET_CHARS = 6;

/**
 * Returns a function that takes `secrets` and everything that looks like a key out of a text.
 * Secrets shorter than 6 characters are only found by pattern ("Bearer …", "api_key=…").
 * Redact first, shorten afterwards: a secret cut in half is no longer recognised.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const redactValues = createValueRedactor(secrets);
  return (text) => redactPatterns(redactValues(text));
}

/** As `createRedactor`, but by value alone: for text that must stay as it is otherwise. */
export function createValueRedactor(secrets: readonly string[]): (text: string) => string {
  const values = [...new Set(secrets.flatMap(spellings))]
    .filter((value) => value.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length);
  if (values.length === 0) return (text) => text;
  // In any case: a host name, for one, is written in small letters.
  const escaped = values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const pattern = new RegExp(escaped.join("|"), "gi");
  return (text) => text.replace(pattern, REDACTED);
}

/** How one secret may be written in text; the longest first matters to the caller. */
function spellings(secret: string): string[] {
  const trimmed = secret.trim();
  const found = [trimmed, encodeURIComponent(trimmed), JSON.stringify(trimmed).slice(1, -1)];
  // btoa takes Latin-1 only; a key is ASCII, a header's value may not be.
  if (/^[\x20-\x7e]*$/.test(trimmed)) found.push(btoa(trimmed).replace(/={1,2}$/, ""));
  return found;
}

// All linear: one bounded or greedy class each, nothing nested.
const AUTHORIZATION_VALUE = /\b(bearer|basic)(\s+|%20)[\w.~+/=-]{6,}/gi;
const NAMED_VALUE =
  /((?:api[-_ ]?key|access[-_ ]?token|client[-_ ]?secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?)(?!bearer\b|basic\b|\[)[^\s"',;&<>{}]{6,}/gi;
const PREFIXED_KEY = /\b(?:sk|pk|rk|ak|key|token)[-_][\w-]{16,}/gi;
const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

/** Takes out what looks like a key, whoever's it is. */
export function redactPatterns(text: string): string {
  return text
    .replace(AUTHORIZATION_VALUE, `$1$2${REDACTED}`)
    .replace(NAMED_VALUE, `$1${REDACTED}`)
    .replace(PREFIXED_KEY, REDACTED)
    .replace(JSON_WEB_TOKEN, REDACTED);
}
