/**
 * Cleans or refuses an API key that a person typed or pasted, and shows a key without showing it.
 * Where keys are stored, and for which origin, is the host's business.
 */

/** Longest key taken, in characters; the service's specification names no limit. */
export const MAX_KEY_CHARS = 4096;

/** Longest text looked at: a key, a header's name and blanks around. */
const MAX_TYPED_CHARS = MAX_KEY_CHARS + 1024;

/** What is sent to a service on loopback when there is no key. Not a secret. */
export const LOOPBACK_KEY = "local";

/** Why a typed key cannot be used; never carries the key itself. */
export type KeyProblem = "empty" | "too-long" | "several-lines" | "blank-inside" | "not-ascii";

export type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyProblem };

/**
 * Reads what was typed: blanks around it, quotes around it, a leading "Bearer" and a whole
 * "Authorization: Bearer …" line are taken off; what remains must be printable ASCII without blanks.
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

/** The text without one pair of quotes around it. */
function unquote(text: string): string {
  const quote = text[0];
  const isQuoted = text.length > 1 && text.endsWith(quote ?? "") && /^["'`]$/.test(quote ?? "");
  return isQuoted ? text.slice(1, -1).trim() : text;
}

/** `••••` and the last four characters; fewer than eight characters show none. */
export function maskKey(key: string): string {
  return key.length < 8 ? "••••" : `••••${key.slice(-4)}`;
}
