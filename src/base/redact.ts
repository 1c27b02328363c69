/**
 * Removes secrets from text for a log, an error, an export or the inspector: by value (the key as
 * it is, and as written in URLs, JSON, HTML and base64) and by pattern. Not for the conversation
 * itself, which stays unchanged.
 */

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
  const escapes = values.map(anyEscape).filter((pattern) => pattern !== "");
  const redactValues = replaceAll([...escapes, ...exactForms(values)], "gi");
  return (text) => redactPatterns(redactValues(text));
}

/**
 * Returns a function for text that must otherwise stay the same, such as an export. Removes exact
 * occurrences of `secrets`. Keeps a secret that may be an ordinary word or number: removing every
 * occurrence would damage the text and reveal the secret.
 */
export function createValueRedactor(secrets: readonly string[]): (text: string) => string {
  return replaceAll(exactForms(trimmed(secrets).filter(isDistinctive)), "g");
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
  const longestFirst = [...new Set(sources)].sort((a, b) => b.length - a.length);
  // Made of the letters of secrets, each with its escapes.
  const pattern = new RegExp(longestFirst.join("|"), flags);
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

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Returns patterns for values as they are, in a URL, in JSON and in base64. */
function exactForms(values: readonly string[]): string[] {
  return values
    .flatMap((value) => {
      const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
      // btoa accepts Latin-1 only; a key is ASCII, but a header value may not be.
      return /^[\x20-\x7e]*$/.test(value) ? [...forms, ...base64Spellings(value)] : forms;
    })
    .map(escaped);
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

/** Names of HTML entities of characters that a key may contain. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "+": "plus",
  "=": "equals",
  _: "lowbar",
  ".": "period",
  ":": "colon",
  "-": "hyphen",
};

/** Returns a pattern for a value with any of its characters in escapes of URLs, JSON or HTML, also nested. */
function anyEscape(value: string): string {
  const characters = Array.from(value.replaceAll("\\", ""), (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).padStart(2, "0");
    const name = character in ENTITIES ? `|${ENTITIES[character]}` : "";
    const entity = `&(?:amp;){0,8}(?:#0{0,5}${code}|#x0{0,4}${hex}${name});`;
    return String.raw`(?:${escaped(character)}|\\{1,9}(?:u00|x)${hex}|%(?:25){0,8}${hex}|${entity})`;
  });
  return characters.join(String.raw`\\{0,9}`);
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
