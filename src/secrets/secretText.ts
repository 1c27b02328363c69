/**
 * Finds secrets in text by their shape: private keys, tokens of well-known services, passwords in
 * addresses, named values such as `KEY=secret`, and these in base64. A match only leads to a
 * question, so false positives are preferred to missed secrets. Code that only names or reads a
 * secret does not match.
 */

import { REDACTED, redactPatterns } from "../base/redact";
import { HIDDEN, namedSecrets } from "./namedSecrets";
import { SECRET_PATTERNS, type SecretKind } from "./secretTokens";

/** Length limit of a text that is searched as a whole, in UTF-16 units; see `secretIn`. */
const MAX_SEARCHED = 2 * 1024 * 1024;

/** Text around a range that is searched with it, in UTF-16 units. */
const AROUND = 16 * 1024;

/** A secret with the positions of the whole match and of the secret in it, in UTF-16 units. */
interface FoundSecret {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
}

/**
 * Returns the kind of the first secret that overlaps a range of `text`, by default the whole text;
 * undefined for none.
 * @param start offset in UTF-16 units
 * @param end offset in UTF-16 units, not included
 */
export function secretIn(
  text: string,
  start = 0,
  end: number = text.length,
): SecretKind | undefined {
  const isLong = text.length > MAX_SEARCHED;
  const from = isLong ? Math.max(0, start - AROUND) : 0;
  const searched = isLong ? text.slice(from, end + AROUND) : text;
  for (const secret of secretsOf(searched)) {
    if (from + secret.start < end && from + secret.end > start) return secret.kind;
  }
  return undefined;
}

/** Returns a function that answers for many ranges of a text if a secret overlaps the range. */
export function secretRanges(text: string): (start: number, end: number) => boolean {
  if (text.length > MAX_SEARCHED) return (start, end) => secretIn(text, start, end) !== undefined;
  const all = [...secretsOf(text)];
  return (start, end) => all.some((secret) => secret.start < end && secret.end > start);
}

/**
 * Replaces the secrets of a text, for text that is sent without a question. Give the whole text:
 * half a secret is not recognized.
 */
export function withoutSecrets(text: string): string {
  const secrets = [...secretsOf(text)].toSorted((a, b) => a.valueStart - b.valueStart);
  const pieces: string[] = [];
  let at = 0;
  for (const { valueStart, end } of secrets) {
    if (end <= at) continue;
    if (valueStart >= at) pieces.push(text.slice(at, valueStart), REDACTED);
    at = end;
  }
  return redactPatterns(pieces.join("") + text.slice(at));
}

/** Yields the secrets of a text: first private keys, then tokens, then passwords. */
export function* secretsOf(text: string): Generator<FoundSecret> {
  yield* plainSecrets(text);
  yield* encodedSecrets(text);
}

function* plainSecrets(text: string): Generator<FoundSecret> {
  for (const { kind, hint, pattern, isGenerated } of SECRET_PATTERNS) {
    if (!text.includes(hint)) continue;
    for (let match = matchIn(text, pattern); match; match = matchIn(text, pattern, match)) {
      const { index, 0: matched, 1: value } = match;
      const isExample =
        value === undefined
          ? kind === "token" && HIDDEN.test(matched)
          : !isGenerated && isPlaceholder(value);
      if (isExample) continue;
      const end = index + matched.length;
      const valueStart = end - (value ?? matched).length;
      yield { kind, start: Math.min(index, valueStart), end, valueStart };
    }
  }
  yield* manifestSecrets(text);
  for (const { start, valueStart, valueEnd } of namedSecrets(text)) {
    yield { kind: "password", start, end: valueEnd, valueStart };
  }
}

/**
 * Returns the first match of a global pattern, or the match after another. `matchAll` copies the pattern
 * at each call, which takes longer than the search of a short text.
 */
function matchIn(
  text: string,
  pattern: RegExp,
  after?: RegExpExecArray,
): RegExpExecArray | undefined {
  const length = after?.[0].length;
  pattern.lastIndex = after === undefined ? 0 : after.index + (length || 1);
  return pattern.exec(text) ?? undefined;
}

/** Placeholders, and expressions that read a secret from elsewhere. */
function isPlaceholder(value: string): boolean {
  return (
    PLACEHOLDER.test(value.replace(/[,.;!]$/, "")) || /[()[\]{}<>]|=>|::|\$[A-Z_]{2}/.test(value)
  );
}

const PLACEHOLDER =
  /^(?:change[-_]?(?:me|it|this)|example|placeholder|secret|pass|password|passwd|pwd|pw|token|user|redacted|x{3,}|\*+|\.{2,}|-+|_+|\$.*|%.*|your[-_ ]?.*|my[-_](?:secret|password|token|key)|[0-9.]{1,2})$/i;

/** Manifest of Kubernetes: `kind: Secret` with `data` or `stringData`. */
const MANIFEST =
  /(?:^[ \t+-]{0,8}|["'{,\s])kind["']?[ \t]{0,4}:[ \t]{0,4}["']?Secret["']?[ \t]{0,4}(?=[\r\n,}]|$)/gm;
const MANIFEST_DATA =
  /["']?(?:data|stringData)["']?[ \t]{0,4}:[ \t]{0,4}(?:\{\s{0,80}["'\w]|\r?\n[ \t+-]{1,40}["'\w.-]{1,100}["']?[ \t]{0,4}:[ \t]{0,4}\S)/;

/** Length of a manifest on each side of its kind, in UTF-16 units. */
const MANIFEST_LENGTH = 16 * 1024;

function* manifestSecrets(text: string): Generator<FoundSecret> {
  let searchedTo = 0;
  for (let match = matchIn(text, MANIFEST); match; match = matchIn(text, MANIFEST, match)) {
    const { index } = match;
    // One document has one kind; a text with more of them is searched once.
    if (index < searchedTo) continue;
    const before = text.slice(Math.max(0, index - MANIFEST_LENGTH), index);
    const start = index - before.length + Math.max(0, before.lastIndexOf("\n---"));
    const after = text.slice(index, index + MANIFEST_LENGTH);
    const next = after.indexOf("\n---");
    const end = index + (next === -1 ? after.length : next);
    searchedTo = end;
    const data = MANIFEST_DATA.exec(text.slice(start, end));
    if (data === null) continue;
    yield { kind: "password", start, end, valueStart: start + data.index };
  }
}

/** `user:secret` in base64, after a name; group 1 is the base64. */
const BASIC =
  /(?:auth(?:orization)?|basic|credentials?)\\?["'`\]]{0,2}[ \t]{0,4}[:=,]?[ \t]{0,4}\\?["'`]?(?:basic[ \t]{1,4})?([A-Za-z0-9+/]{8,1000}={0,2})(?![\w+/])/gi;

/** A run of base64; a short one is an identifier or a path. */
const BASE64 = /(?<![\w+/=.-])[A-Za-z0-9+/]{32,}={0,2}(?![\w.-])/g;

/** Upper limits of decoded text: characters of a run, characters that decide, and all runs. */
const MAX_RUN = 256 * 1024;
const DECIDING = 64;
const MAX_DECODED = 1024 * 1024;

/** Yields runs of base64 whose text holds a secret, such as `user:secret` or a key. */
function* encodedSecrets(text: string): Generator<FoundSecret> {
  for (let match = matchIn(text, BASIC); match; match = matchIn(text, BASIC, match)) {
    const { index, 0: matched, 1: value = "" } = match;
    if (!/^[\w.@+-]{1,100}:[\x21-\x7e]{3,}$/.test(decoded(value) ?? "")) continue;
    const end = index + matched.length;
    yield { kind: "password", start: index, end, valueStart: end - value.length };
  }
  let left = MAX_DECODED;
  for (let match = matchIn(text, BASE64); match; match = matchIn(text, BASE64, match)) {
    const { index, 0: run } = match;
    if (run.length > MAX_RUN || left < run.length || decoded(run.slice(0, DECIDING)) === undefined)
      continue;
    left -= run.length;
    const inner = decoded(run);
    if (inner === undefined) continue;
    const [secret] = plainSecrets(inner);
    if (secret === undefined) continue;
    yield { kind: secret.kind, start: index, end: index + run.length, valueStart: index };
  }
}

/** Decodes base64; undefined for anything but plain text. */
function decoded(base64: string): string | undefined {
  // As atob does, which takes long to throw for each ordinary word.
  const isWhole = base64.endsWith("=") ? base64.length % 4 === 0 : base64.length % 4 !== 1;
  if (!isWhole) return undefined;
  const text = atob(base64);
  const isText = /^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(text) && !/[\x80-\xff]{4}/.test(text);
  return isText ? text : undefined;
}
