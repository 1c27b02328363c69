/**
 * Removes secrets from text for a log, an error, an export or the inspector: by value (the key as
 * it is, and as written in URLs, JSON, HTML and base64) and by pattern. Not for the conversation
 * itself, which stays unchanged.
 */

/** Replacement of a secret. */
export const REDACTED = "[redacted]";

/** Shortest secret that is searched by value; shorter ones match ordinary words. */
const MIN_SECRET_CHARS = 6;

/** Shortest piece of base64 that is searched; shorter ones match any base64. */
const MIN_BASE64_CHARS = 8;

/**
 * Returns a function for headers, errors and logs. Removes `secrets`, in any escape and case, and
 * everything that looks like a key. Secrets under 6 characters are found only by pattern ("Bearer
 * …", "api_key=…"). Redact before truncating: half a secret is not recognized.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const values = trimmed(secrets).filter(({ length }) => length >= MIN_SECRET_CHARS);
  // In any case: host names, for example, are in lower case.
  const redactValues = replaceAll([...values, ...values.flatMap(spellings)].map(escaped), "gi");
  const redactEscaped = createEscapeRedactor(values);
  return (text) => redactPatterns(redactEscaped(redactValues(text)));
}

/**
 * Returns a function for text that must otherwise stay the same, such as an export. Removes exact
 * occurrences of `secrets`. Keeps a secret that may be an ordinary word or number: removing every
 * occurrence would damage the text and reveal the secret.
 */
export function createValueRedactor(secrets: readonly string[]): (text: string) => string {
  const values = trimmed(secrets).filter(isDistinctive);
  return replaceAll([...values, ...values.flatMap(spellings)].map(escaped), "g");
}

/**
 * Applies `redact` to each string of a JSON text. Everything else keeps its exact form, as do
 * pictures in `data:` URLs. Linear in the length of `json`.
 */
export function redactJsonText(json: string, redact: (text: string) => string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = json.indexOf('"'); at !== -1;) {
    const end = endOfString(json, at);
    if (!/^"data:[\w/+.-]+;base64,/.test(json.slice(at, at + 100))) {
      const text = JSON.parse(json.slice(at, end)) as string;
      const redacted = redact(text);
      if (redacted !== text) {
        pieces.push(json.slice(copied, at), JSON.stringify(redacted));
        copied = end;
      }
    }
    at = json.indexOf('"', end);
  }
  return pieces.join("") + json.slice(copied);
}

/** Returns the end of the JSON string that begins at `start`, after its closing quotation mark. */
function endOfString(json: string, start: number): number {
  for (
    let quote = json.indexOf('"', start + 1);
    quote !== -1;
    quote = json.indexOf('"', quote + 1)
  ) {
    let slash = quote;
    while (json.charAt(slash - 1) === "\\") slash--;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return json.length;
}

/** Returns true for a value that ordinary text does not contain by chance. */
function isDistinctive(secret: string): boolean {
  const isMixed = /[a-z]/i.test(secret) && /\d/.test(secret);
  return secret.length >= (isMixed ? 12 : 24);
}

function trimmed(secrets: readonly string[]): string[] {
  return [...new Set(secrets.map((secret) => secret.trim()))];
}

/** Returns a function that replaces every match of the patterns. */
function replaceAll(sources: readonly string[], flags: string): (text: string) => string {
  if (sources.length === 0) return (text) => text;
  const pattern = alternatives(sources, flags);
  return (text) => {
    const pieces: string[] = [];
    let end = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { 0: matched, index } = match;
      if (index >= end) pieces.push(text.slice(end, index), REDACTED);
      end = Math.max(end, index + matched.length);
      pattern.lastIndex = index + 1; // Secrets can overlap.
    }
    return pieces.length === 0 ? text : pieces.join("") + text.slice(end);
  };
}

/** Returns a pattern for all alternatives, the longest first. */
function alternatives(sources: readonly string[], flags: string): RegExp {
  const longestFirst = [...new Set(sources)].sort((a, b) => b.length - a.length);
  // Made of escaped texts.
  return new RegExp(longestFirst.join("|"), flags);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Returns the usual escaped forms of a secret. */
function spellings(secret: string): string[] {
  const forms = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  // btoa accepts Latin-1 only; a key is ASCII, but a header value may not be.
  if (/^[\x20-\x7e]*$/.test(secret)) forms.push(...base64Spellings(secret));
  return forms;
}

/**
 * Returns the secret as part of any base64, such as that of "user:secret", for each of three byte
 * offsets.
 */
function base64Spellings(secret: string): string[] {
  const standard = [0, 1, 2].map((offset) => {
    const text = btoa("x".repeat(offset) + secret).replace(/={1,2}$/, "");
    // The characters at both ends also contain bits of the neighboring bytes.
    const end = (offset + secret.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(offset === 0 ? 0 : offset + 1, end);
  });
  const pieces = standard.filter(({ length }) => length >= MIN_BASE64_CHARS);
  return [...pieces, ...pieces.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** HTML entities of characters that a key may contain. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  bsol: "\\",
  plus: "+",
  equals: "=",
  lowbar: "_",
  period: ".",
  colon: ":",
  hyphen: "-",
};

/** Backslashes with the escaped character, and escapes of URLs or HTML, also nested. */
const ESCAPE =
  /\\+(?:u([\da-f]{4})|x([\da-f]{2}))?|%(?:25)*([\da-f]{2})|&(?:amp;)*(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

interface Unescaped {
  /** Text in lower case, without backslashes and unescaped. */
  readonly text: string;
  /** Start and end in the original of each unit of `text`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function unescaped(original: string): Unescaped {
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  const pieces: string[] = [];
  let length = 0;
  const copy = (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      starts[length] = index;
      ends[length++] = index + 1;
    }
    pieces.push(original.slice(from, to));
  };
  let at = 0;
  for (const match of original.matchAll(ESCAPE)) {
    copy(at, match.index);
    at = match.index + match[0].length;
    const character = characterOf(match);
    if (character === "") continue;
    starts[length] = match.index;
    ends[length++] = at;
    pieces.push(character);
  }
  copy(at, original.length);
  return { text: lowerCase(pieces.join("")), starts, ends };
}

/** Returns the unit of an escape; empty for backslashes alone. */
function characterOf([escape, u, x, percent, decimal, hex, name]: RegExpExecArray): string {
  const digits = u ?? x ?? percent ?? hex;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (name !== undefined) return ENTITIES[lowerCase(name)] ?? "\ufffd";
  return escape.startsWith("\\") ? "" : "\ufffd";
}

/** Lower-cases ASCII only, so that no index changes. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns a function that removes `values` in any escape and case. */
function createEscapeRedactor(values: readonly string[]): (text: string) => string {
  const plainValues = values
    .map((value) => unescaped(value).text)
    .filter(({ length }) => length >= MIN_SECRET_CHARS);
  const pattern =
    plainValues.length === 0 ? undefined : alternatives(plainValues.map(escaped), "g");
  return (text) => {
    if (pattern === undefined || !/[\\%&]/.test(text)) return text;
    const plain = unescaped(text);
    const pieces: string[] = [];
    let at = 0;
    for (const { 0: matched, index } of plain.text.matchAll(pattern)) {
      pieces.push(text.slice(at, plain.starts[index]), REDACTED);
      at = plain.ends[index + matched.length - 1] ?? text.length;
    }
    return pieces.length === 0 ? text : pieces.join("") + text.slice(at);
  };
}

const AUTHORIZATION_VALUE = /\b(bearer|basic)(\s+|%20)[\w.~+/=-]{6,}/gi;
const NAMED_VALUE =
  /((?:api[-_ ]?key|access[-_ ]?token|client[-_ ]?secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?)(?!bearer\b|basic\b|\[)[^\s"',;&<>{}]{6,}/gi;
const PREFIXED_KEY = /\b(?:sk|pk|rk|ak|key|token)[-_][\w-]{16,}/gi;
/**
 * Starts only where a run of these characters starts, because a search from each "eyJ" in a run would
 * take quadratic time. Group 1 is the text before the token in the same run.
 */
const JSON_WEB_TOKEN = /(?<![\w-])((?:(?!\beyJ)[\w-])*)\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

/** Removes everything that looks like a key. */
export function redactPatterns(text: string): string {
  return text
    .replace(AUTHORIZATION_VALUE, `$1$2${REDACTED}`)
    .replace(NAMED_VALUE, `$1${REDACTED}`)
    .replace(PREFIXED_KEY, REDACTED)
    .replace(JSON_WEB_TOKEN, `$1${REDACTED}`);
}
