/** Validates an API key that a user typed or pasted, and masks a key for display. */

/** Longest accepted key, in characters. The service specification names no limit. */
export const MAX_KEY_CHARS = 4096;

/** Longest text that is parsed: a key, a header name and blanks. */
const MAX_TYPED_CHARS = MAX_KEY_CHARS + 1024;

/** Value sent to a service on loopback when there is no key. Not a secret. */
export const LOOPBACK_KEY = "local";

/** Reason why a typed key cannot be used; never contains the key itself. */
export type KeyProblem = "empty" | "too-long" | "several-lines" | "blank-inside" | "not-ascii";

export type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyProblem };

/**
 * Parses a typed key. Removes blanks and quotes around the key, a leading "Bearer" and a whole
 * "Authorization: Bearer …" line. The rest must be printable ASCII without blanks.
 */
export function readApiKey(typed: string): KeyReading {
  if (typed.length > MAX_TYPED_CHARS && typed.trim().length > MAX_TYPED_CHARS) {
    return { ok: false, problem: "too-long" };
  }
  const key = unquote(
    unquote(typed.trim())
      .replace(/^(?:proxy-)?authorization\s*[:=]\s*/i, "")
      .replace(/^bearer(?:\s+|$)/i, "")
      .trim(),
  );
  if (key === "") return { ok: false, problem: "empty" };
  if (key.length > MAX_KEY_CHARS) return { ok: false, problem: "too-long" };
  if (/[\r\n\u0085\u2028\u2029]/.test(key)) return { ok: false, problem: "several-lines" };
  if (/\s/.test(key)) return { ok: false, problem: "blank-inside" };
  if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, problem: "not-ascii" };
  return { ok: true, key };
}

/** Removes a single pair of quotes around the text. */
function unquote(text: string): string {
  const quote = text[0];
  const isQuoted = text.length > 1 && text.endsWith(quote ?? "") && /^["'`]$/.test(quote ?? "");
  return isQuoted ? text.slice(1, -1).trim() : text;
}

/** Returns `••••` and the last four characters; none of a key shorter than eight characters. */
export function maskKey(key: string): string {
  return key.length < 8 ? "••••" : `••••${key.slice(-4)}`;
}
