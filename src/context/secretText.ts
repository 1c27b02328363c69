/**
 * Finds secrets in text by their shape: private keys, tokens of well-known services, passwords in
 * addresses and `KEY=secret` lines. A match only leads to a question, so false positives are preferred
 * to missed secrets. Code that only names or reads a secret does not match.
 */

import { REDACTED, redactPatterns } from "../base/redact";

/** Kinds of secrets as shown to the user. */
export type SecretKind = "private-key" | "token" | "password" | "vault";

/** Length limit of a text that is searched as a whole, in UTF-16 units; see `secretIn`. */
const MAX_SEARCHED = 2 * 1024 * 1024;

/** Text around a range that is searched with it, in UTF-16 units. */
const AROUND = 16 * 1024;

/** Header before a line end, real or escaped. Code that searches for the header has a quote there. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[ \t]{0,8}(?:\r|\n|\\r|\\n|$)(?:(?!-----END)[^]){0,16384}(?:-----END[^\r\n]{0,60})?|^PuTTY-User-Key-File-\d:[^]{0,8192}|\bAGE-SECRET-KEY-1[A-Z0-9]{20,100}/gm;

const VAULT = /^[ \t+-]{0,40}\$ANSIBLE_VAULT;[^]{0,65536}/gm;

/** Prefixes by which services mark their tokens. */
const TOKENS = new RegExp(
  [
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b",
    "gh[pousr]_[A-Za-z0-9]{20,255}",
    "github_pat_[A-Za-z0-9_]{20,255}",
    "gl(?:pat|dt|rt|soat|ptt|cbt|ft|imt|agent)-[\\w-]{16,255}",
    "xox[abceoprs]-[A-Za-z0-9-]{10,255}",
    "xapp-\\d-[A-Za-z0-9-]{10,255}",
    "AIza[\\w-]{30,40}",
    "GOCSPX-[\\w-]{20,40}",
    "ya29\\.[\\w-]{20,500}",
    "[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}",
    "whsec_[A-Za-z0-9+/=]{16,255}",
    "sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{16,255}",
    "sk-(?=[\\w-]{0,255}\\d)(?=[\\w-]{0,255}[A-Z])[A-Za-z0-9]{20,255}",
    "npm_[A-Za-z0-9]{20,255}",
    "pypi-[\\w-]{30,500}",
    "hf_[A-Za-z0-9]{20,255}",
    "SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}",
    "do[opr]_v1_[a-f0-9]{32,80}",
    "dapi[0-9a-f]{32}\\b",
    "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "hv[sbr]\\.[\\w-]{20,255}",
    "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{30,255}",
    "lin_api_[A-Za-z0-9]{20,80}",
    "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{20,80}",
    "rubygems_[0-9a-f]{32,80}",
    "dckr_pat_[\\w-]{16,80}",
    "key-[0-9a-f]{32}\\b",
    "SK[0-9a-f]{32}\\b",
    "\\d{8,10}:AA[\\w-]{32,40}",
    "eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{10,2000}",
  ]
    .map((shape) => `(?<![\\w-])${shape}`)
    .concat("hooks\\.slack\\.com/services/T\\w{4,20}/B\\w{4,20}/\\w{10,40}")
    .join("|"),
  "g",
);

/** Assignment to a name of a secret: the name, the operator, the rest of the line. */
const ASSIGNMENT = new RegExp(
  [
    "^[ \\t+-]{0,40}(?:\\$env:|(?:(?:export|set|setx|ENV|ARG|declare -x|const|let|var|val|final|static|",
    "public|private|protected|readonly|string)[ \\t]{1,8}){0,4})[\"']?",
    "([\\w.-]{0,80}?(?:secret|token|password|passwd|passphrase|pwd|pass|credentials?|_auth|api[_-]?key|",
    "(?:access|secret|private|auth|account|encryption|signing|master|session|client|service|license|",
    "storage|deploy|app|admin|shared)[_-]?key)",
    "(?:_(?:id|base64|prod|production|dev|test|staging|live|\\d{1,4}))?)[\"']?",
    "([ \\t]{0,20}(?:=>|[=:])[ \\t]{0,20})(.{5,4096})$",
  ].join(""),
  "gim",
);

/** A value within a text; group 1 is the value. */
const EMBEDDED: readonly RegExp[] = [
  // Password=…; in a connection string.
  /\b(?:password|pwd|accountkey|sharedaccesskey|sharedsecret)=([^;"'\s]{4,512})(?:;|["'])/gi,
  // .npmrc
  /:_(?:authtoken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([^\s"']{5,512})/gi,
  // .netrc
  /^[ \t+-]{0,8}machine\s{1,40}\S{1,255}\s{1,40}login\s{1,40}\S{1,255}\s{1,40}password\s{1,40}(\S{3,512})/gm,
  // https://user:secret@host
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>`]{0,100}:([^\s/@"'<>`]{3,300})@[\w[]/gi,
];

/** Placeholders, and expressions that read a secret from elsewhere. */
const NO_VALUE =
  /^(?:change[-_]?(?:me|it|this)|example|placeholder|todo|fixme|dummy|none|null|nil|true|false|undefined|required|optional|string|str|bool(?:ean)?|secret|pass|password|passwd|pwd|token|user|redacted|hidden|x{3,}|\*+|\.{2,}|-+|_+|your[-_ ]?.*|my[-_](?:secret|password|token|key)|insert[-_].*|replace[-_].*|enter[-_].*|<.*|\[.*|\{.*|\$.*|%.*|@.*|!.*|&.*|(?:process|env|os|import|vars?|secrets?|config|self|this)\..*|localhost|[0-9.]{1,8})$/i;

/** Calls, types and addresses. */
const CODE = /[()[\]{}<>]|=>|::|\?\.|^(?:https?:\/\/|\.{0,2}\/)/;

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
  const isFound = (pattern: RegExp, isSecret: (match: RegExpMatchArray) => boolean) => {
    for (const match of searched.matchAll(pattern)) {
      const at = from + match.index;
      if (at < end && at + match[0].length > start && isSecret(match)) return true;
    }
    return false;
  };
  if (isFound(PRIVATE_KEY, () => true)) return "private-key";
  if (isFound(TOKENS, () => true)) return "token";
  if (isFound(VAULT, () => true)) return "vault";
  const isNamed = isFound(ASSIGNMENT, ([, name = "", sign = "", rest = ""]) =>
    isSecretValue(name, sign, rest),
  );
  const isEmbedded = () =>
    EMBEDDED.some((pattern) => isFound(pattern, ([, value = ""]) => isValue(value)));
  return isNamed || isEmbedded() ? "password" : undefined;
}

/**
 * Replaces the secrets of a text, for text that is sent without a question. Give the whole text:
 * half a secret is not recognized.
 */
export function withoutSecrets(text: string): string {
  let redacted = redactPatterns(text);
  for (const pattern of [PRIVATE_KEY, TOKENS, VAULT])
    redacted = redacted.replace(pattern, REDACTED);
  redacted = redacted.replace(
    ASSIGNMENT,
    (whole: string, name: string, sign: string, rest: string) =>
      isSecretValue(name, sign, rest)
        ? `${whole.slice(0, whole.length - rest.length)}${REDACTED}`
        : whole,
  );
  for (const pattern of EMBEDDED) {
    redacted = redacted.replace(pattern, (whole: string, value: string) =>
      isValue(value) ? whole.replace(value, () => REDACTED) : whole,
    );
  }
  return redacted;
}

/** Distinguishes a secret from code that names a secret by the form of the value. */
function isSecretValue(name: string, sign: string, rest: string): boolean {
  // JSON, as of notebooks, escapes the quotes of the code in its strings.
  const code = rest.replace(/\\(["'])/g, "$1");
  const quoted = /^(["'`])([^"'`]{5,})\1/.exec(code);
  const plain = /^[^\s"'`,;#]{5,}(?=[ \t]{0,80}(?:#|\/\/|$))/.exec(code);
  const value = quoted?.[2] ?? plain?.[0];
  if (value === undefined || /\s/.test(value) || !isValue(value) || isName(value, name))
    return false;
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value);
  const isShouted = !/[a-z]/.test(name);
  // Shells and .env files write `API_KEY=anything`.
  if (isShouted && sign === "=") return true;
  // A word of letters only may be a variable, a type or a label.
  if (/^[a-z_$][a-z_$.]*$/i.test(value)) {
    return isShouted && quoted !== null && value.length >= 16 && !value.includes(".");
  }
  if (isShouted) return true;
  if (/pass$/i.test(name) && !/(?:^|[._-])pass$/i.test(name)) return false;
  const isPassword = /(?:password|passwd|passphrase|secret|api[_-]?key)$/i.test(name);
  return value.length >= 8 && (isMixed || (isPassword && value.includes("-")));
}

function isValue(value: string): boolean {
  return !NO_VALUE.test(value) && !CODE.test(value);
}

/** `ACCESS_TOKEN: "access_token"`, `API_KEY = "x-api-key"`: the value repeats the name. */
function isName(value: string, name: string): boolean {
  const [plainValue, plainName] = [value, name].map((one) =>
    one.toLowerCase().replace(/[^a-z0-9]/g, ""),
  ) as [string, string];
  if (plainName.endsWith(plainValue)) return true;
  return plainValue.endsWith(plainName) && plainValue.length - plainName.length <= 3;
}
