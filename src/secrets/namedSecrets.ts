/**
 * Finds values that are assigned to a name of a secret, as in `API_KEY=…`, `"password": "…"`,
 * `<password>…` or `setPassword("…")`. The form of name and value distinguishes a secret from code
 * that names, reads or describes one.
 * Names, placeholders and least lengths are in namedSecrets.txt.
 */
import { tableSections } from "./dataTable";
import table from "./namedSecrets.txt";

const TABLE = new Map(tableSections(table).map(({ heading, rows }) => [heading, rows]));

function rowsOf(heading: string): readonly string[] {
  return TABLE.get(heading) ?? [];
}

function patternOf(heading: string, wrapped = (rows: string) => rows, flags = "i"): RegExp {
  // Made of the rows, which the tests pump.
  return new RegExp(wrapped(rowsOf(heading).join("|")), flags);
}

/** A value and its position, in UTF-16 units; `start` is the start of the name. */
export interface NamedValue {
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Last word of a name of a secret, with an ending such as `_prod` or `2`. */
const NAME = patternOf("name", (rows) => rows, "gi");
const STRONG_NAME = patternOf("strong-name");
const TOKEN_NAME = patternOf("token-name");
const ANY_KEY = patternOf("any-key");
const NO_VALUE = patternOf("no-value", (rows) => `^(?:${rows})$`);

/** Start of the name before its last word, as group 1. */
const NAME_BEFORE = /(?<=([\w$.-]{0,80}))/y;

/** An example or a hidden value: `sk-ant-xxxxxxxx`, `sk-your-key-here`, `1db3****`. */
export const HIDDEN = /([xX0.])\1{7}$|[-_]your[-_]|[*•]{4}/;

/** Text with Chinese punctuation. */
const PROSE = /[，。；、！？]/;

/** Operator before the default of a variable of a shell: `${PASSWORD:-changeme}`. */
const DEFAULT_SIGN = /^[-=?+]/;

/** Calls and types. */
const CODE = /^[\w.$!]+[([]|::|\?\./;

/** Templates, addresses and paths, also between quotation marks. */
const REFERENCE = /=>|\$\{|\{\{|^(?:[a-z][a-z+]{1,10}:\/\/|\.{0,2}\/|~\/|[a-z]:\\)|^\/.*[/\\^$]/i;
const BRACKETS = /[()[\]{}<>]/;

/** Words of names and headers. A value of these words alone is a name. */
const WORDS = new Set(rowsOf("word").join(" ").split(" "));

/** Start and end of a line of a program. In other text, words without quotation marks are values. */
const CODE_START =
  /^[+-]?\s{0,40}(?:import|from|export|const|let|var|def|class|function|func|fn|return|public|package|using|interface|elif|else|try)\b/;
const CODE_END = /^(?!\s{0,40}[#;]).*(?:[;{)]|=>)$/;

/** Lines of programs that make a text a program, and lines that are checked. */
const MIN_CODE_LINES = 3;
const MAX_LINES = 5_000;

/** Ends of a name, with the operator. Sticky, as all patterns below. */
const QUOTE = "\\\\*[\"'`]";
const ASSIGN = new RegExp(
  `(?:${QUOTE}|\\*{1,2})?\\]?\\)?(?:${QUOTE})?[ \\t]{0,40}` +
    "((?:\\??:[ \\t]{0,4}[&\\w<>[\\]|.'* ]{1,40}?[ \\t]{0,4})?=(?![=~])>?|:=|->|<-|\\|\\||\\?\\?|As[ \\t]{1,4}\\w{1,40}[ \\t]{0,4}=|\\??[:：](?![:=/]))" +
    // An anchor or a tag of YAML, or the start of a list.
    "[ \\t*]{0,40}(?:[&!]{1,2}\\w{1,40}[ \\t]{1,8}|\\[\\s{0,40}(?=[\"']))?",
  "y",
);
/** `define('DB_PASSWORD', …)` of PHP. */
const DEFINE = /\bdefine\(\s{0,4}["']$/i;
const CALL = new RegExp(
  `(?:\\([ \\t]{0,4}|${QUOTE}[ \\t]{0,4},[ \\t]{0,8})(?=${QUOTE}|[@rbu]")`,
  "y",
);
const ELEMENT = /<\/key>\s{0,80}<string>|(?:\\*["'])?[ \t]{0,4}>[ \t]{0,4}(?=[^\s<>])/y;
/** A pair of name and value, as in `name: DB_PASSWORD` and `value: …` of a container. */
const PAIR = new RegExp(
  `(?:${QUOTE})?,?(?:[ \\t]{1,8}|\\s{0,4}\\n[ \\t+-]{1,40}|[ \\t]{0,4}(?=\\\\?["']))(?:${QUOTE})?(?:value|default)(?:${QUOTE})?[ \\t]{0,4}[:=][ \\t]{0,4}`,
  "yi",
);
const VARIABLE = /["'][ \t]{0,4}\{[^{}]{0,400}?\bdefault[ \t]{0,20}=[ \t]{0,20}(?=")/y;
const USER = /\b(?:user(?:name)?|login|auth|e?mail)\b/i;
const SPACE = /[ \t]{1,20}(?:(?:is|was)[ \t:]{1,4})?(?=\S)/y;

const QUOTED =
  /[rbu@L]?(?:String(?:::from)?\(|ConvertTo-SecureString[ \t]{1,4})?(\\*)(["'`])((?:(?!\1\2)(?:\\[^\n]|[^\n\\])){1,1000})\1\2/y;
const FIRST_LINE = /["']([^"'\n]{3,1000})(?=\r?\n)/y;
const PLAIN = /[^\s"'`][^\s"'`]{1,400}/y;
const LINE = /(?=\S)[^\r\n"'`#]{4,301}/y;
/** Text on the lines after the name, as in YAML and TOML. */
const BELOW =
  /(?:[|>][+-]?\d?|"""|''')[ \t]{0,8}\r?\n[ \t+-]{0,40}(?=\S)|\r?\n[ \t+]{1,40}- {1,8}(?=\S)/y;

/** Keywords before a name that make the word after it a value. */
const BEFORE_VALUE =
  /(?:^|\n)[ \t+-]{0,40}(?:ENV|SetEnv|proxy_set_header|fastcgi_param|#[ \t]{0,8}define|setx|set(?:[ \t]{1,4}-\w{1,6}){1,3})[ \t]{1,8}$/;
const SQL = /\b(?:user|role|login|with|set|alter|create)\b[^\n;]{0,120}$/i;

/** Start of a line of a shell or a `.env` file. */
const ENV_START =
  /(?:^|[\n\r]|[;&|(][ \t]|[:,[=][ \t]{0,4}(?=\\?["'])|\\n|-e[ \t]|--env[ \t=])[ \t+-]{0,40}(?:-[ \t]{1,4})?\\?["']?(?:Environment=\\?["']?)?(?:(?:export|set|setx|ENV|ARG|local|declare -x|\$env:)[ \t]{0,8})?["']?$/i;

type Sign = "=" | ":" | "call" | "element" | "pair" | "space";

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
  /** Text in the same line after the value. */
  readonly restOfLine: string;
}

interface Assignment {
  /** Not spread into this object, which takes V8 several times as long as all patterns. */
  readonly value: Value;
  readonly name: string;
  readonly sign: Sign;
  /** Text shortly before, which may have the name of a user. */
  readonly before: string;
  /** True for `NAME=value` at the start of a line, without spaces around the operator. */
  readonly isEnv: boolean;
}

/** Upper limit of names that are read within a value, as in `a=b=c`: each reads the same text again. */
const MAX_NESTED = 4;

/** Yields the values of a text that are secrets by their names. */
export function* namedSecrets(text: string): Generator<NamedValue> {
  let isCode: boolean | undefined;
  let nested = 0;
  let readTo = 0;
  let searchedTo = 0;
  for (;;) {
    const match = matchAt(NAME, text, searchedTo);
    if (match === undefined) return;
    const end = match.index + match[0].length;
    nested = match.index < readTo ? nested + 1 : 0;
    searchedTo = nested > MAX_NESTED ? Math.max(readTo, end) : end;
    if (nested > MAX_NESTED) continue;
    const name = (matchAt(NAME_BEFORE, text, match.index)?.[1] ?? "") + match[0];
    if (!isNameOfSecret(name)) continue;
    const start = end - name.length;
    const assignment = valueAfter(text, start, end, name);
    if (assignment === undefined) continue;
    const valueStart = assignment.value.start;
    const valueEnd = valueStart + assignment.value.text.length;
    readTo = Math.max(readTo, valueEnd);
    isCode ??= isProgram(text);
    if (isSecret(assignment, isCode)) yield { start, valueStart, valueEnd };
  }
}

function isProgram(text: string): boolean {
  let count = 0;
  for (const line of text.split("\n", MAX_LINES)) {
    const isCode = CODE_START.test(line) || CODE_END.test(line.trimEnd());
    if (isCode && ++count === MIN_CODE_LINES) return true;
  }
  return false;
}

/** Returns false for words that only end like a secret: `compass`, `publicKeyToken`. */
function isNameOfSecret(name: string): boolean {
  if (/(?:pass|pw)$/i.test(name) && !/^requirepass$/i.test(name))
    return /(?<![A-Za-z\d])(?:pass|pw)$/i.test(name) || /[a-z\d]Pass$/.test(name);
  // `existingSecret` names a secret of a cluster: https://github.com/bitnami/charts
  return !/existing[_-]?secret|public[_-]?key[_-]?token|(?:next|continuation|page|csrf|xsrf)[_-]?token|(?:^|_)oldpwd$/i.test(
    name,
  );
}

function valueAfter(
  text: string,
  start: number,
  end: number,
  name: string,
): Assignment | undefined {
  const before = text.slice(Math.max(0, start - 80), start);
  const assign = matchAt(ASSIGN, text, end);
  if (assign !== undefined) {
    const operator = assign[1] ?? "";
    const isDefault = operator === "||" || operator === "??";
    const sign = isDefault ? "call" : /=|<-/.test(operator) ? "=" : ":";
    // `isOpen ? "password" : "number"`
    if (/\?\s{0,4}["'`]$/.test(before.slice(-6))) return undefined;
    const at = end + assign[0].length;
    const isTight = assign[0] === "=";
    const isEnv = isTight && ENV_START.test(before.slice(-40));
    const below = matchAt(BELOW, text, at);
    const value = valueAt(text, at + (below?.[0].length ?? 0), !isTight && below === undefined);
    return value && { value, name, sign, isEnv, before };
  }
  const forms: readonly (readonly [Sign, RegExp])[] = [
    ["pair", PAIR],
    ["pair", VARIABLE],
    ["call", CALL],
    ["element", ELEMENT],
    ["space", SPACE],
  ];
  for (const [sign, pattern] of forms) {
    const form = matchAt(pattern, text, end);
    if (form === undefined) continue;
    const at = end + form[0].length;
    if (sign === "space" && !isBeforeValue(text, start, name, form[0])) return undefined;
    const value = sign === "element" ? elementAt(text, at) : valueAt(text, at, false);
    const isDefined = sign === "call" && DEFINE.test(before.slice(-20));
    const kind = isDefined ? "=" : sign;
    return value && { value, name, sign: kind, isEnv: false, before };
  }
  return undefined;
}

/** Returns true if the word after a name and a space is the name's value. */
function isBeforeValue(text: string, start: number, name: string, space: string): boolean {
  const before = text.slice(Math.max(0, start - 160), start);
  if (name.startsWith("-") || BEFORE_VALUE.test(before)) return true;
  if (!STRONG_NAME.test(name) && !/^requirepass$/i.test(name)) return false;
  // `storePassword "…"` of Gradle, `password …` of configurations, `:password "…"` of Clojure.
  const isFirst = /(?:^|\n)[ \t+-]{0,40}:?$|[{ ]:$/.test(before);
  return (isFirst && !/^pass$/i.test(name)) || /\b(?:is|was)\b/.test(space) || SQL.test(before);
}

function valueAt(text: string, at: number, mayHaveSpaces: boolean): Value | undefined {
  const quoted = matchAt(QUOTED, text, at);
  if (quoted !== undefined) {
    const [whole, slash = "", , value = ""] = quoted;
    const start = at + whole.length - slash.length - 1 - value.length;
    return { text: value, start, isQuoted: true, restOfLine: restAfter(text, at + whole.length) };
  }
  const firstLine = mayHaveSpaces ? undefined : matchAt(FIRST_LINE, text, at)?.[1];
  if (firstLine !== undefined) {
    return { text: firstLine, start: at + 1, isQuoted: true, restOfLine: "" };
  }
  const line = mayHaveSpaces ? matchAt(LINE, text, at)?.[0] : undefined;
  const isWhole = line !== undefined && /^[\r\n]?$/.test(text.charAt(at + line.length));
  if (isWhole && /^\S+(?: \S+){1,11}$/.test(line)) {
    return { text: line, start: at, isQuoted: false, restOfLine: "" };
  }
  const plain = matchAt(PLAIN, text, at)?.[0];
  if (plain === undefined) return undefined;
  const restOfLine = restAfter(text, at + plain.length);
  return { text: plain, start: at, isQuoted: false, restOfLine };
}

function elementAt(text: string, at: number): Value | undefined {
  const [value] = matchAt(/[^\s<>{}][^\s<>{}]{2,300}(?=<)/y, text, at) ?? [];
  return value === undefined
    ? undefined
    : { text: value, start: at, isQuoted: true, restOfLine: "" };
}

function restAfter(text: string, at: number): string {
  const end = text.slice(at, at + 200).search(/[\r\n]/);
  return text.slice(at, end === -1 ? at + 200 : at + end);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Removes what follows a value without quotation marks: line ends in strings, and punctuation. */
function withoutEnd(plain: string): string {
  const lineEnd = plain.search(/\\[rn]/);
  let end = lineEnd === -1 ? plain.length : lineEnd;
  while (end > 0 && ",;)]}".includes(plain.charAt(end - 1))) end--;
  return plain.slice(0, end);
}

/** Kinds of values, in the order of the lengths in the table. */
const VALUE_KINDS = "letters capitalized digits identifier mixed signs words other".split(" ");

/** Returns true if the form, the kind of the name and the kind of the value are those of a secret. */
function isSecret(assignment: Assignment, isCode: boolean): boolean {
  const { name, sign, before, isEnv } = assignment;
  const { text, isQuoted } = assignment.value;
  const value = isQuoted ? text : withoutEnd(text);
  if (isPublic(value, assignment)) return false;
  const isShouted = !/[a-z]/.test(name);
  const isMixed = /\d/.test(value) && /\p{L}/u.test(value);
  if (/(?:phrase|mnemonic)$/i.test(name) && /^(?:[a-z]{3,10} ){11,23}[a-z]{3,10}$/.test(value))
    return true;
  const isStrong = STRONG_NAME.test(name);
  if (BRACKETS.test(value)) {
    const hasSigns = sign === "=" && value.length >= 12 && /[^\w\s()[\]{}<>.,]/.test(value);
    if (!(isStrong ? isEnv || (isQuoted && isMixed) : isQuoted && isMixed && hasSigns))
      return false;
  }
  if (ANY_KEY.test(name))
    return isEnv && isShouted && isMixed && value.length >= 8 && !/\s/.test(value);
  if (/\s/.test(value)) {
    if (isSentence(value)) return false;
    if (isQuoted && isMixed && value.length >= 12 && /[$%^&*!@#|]/.test(value) && sign !== ":")
      return true;
  } else if (!(isEnv && isShouted)) {
    if ((sign !== "space" && /[,;]/.test(value)) || isMadeOfWords(value)) return false;
  }
  const form = formOf(assignment, value, isShouted, isCode);
  // `allPass: "every"`, `"pass": "The test passes"`
  if (/pass$/i.test(name) && form?.startsWith("quoted ") === true && !isShouted && !isMixed)
    return USER.test(before) && /^[\w-]+$/.test(value);
  const nameKind = nameKindOf(name);
  const row = rowsOf(`least ${form}`).find((cells) => cells.startsWith(`${nameKind} `));
  return value.length >= Number(row?.split(" ")[VALUE_KINDS.indexOf(valueKindOf(value)) + 1]);
}

/** Returns true for a placeholder, a reference, a name, an example or prose. */
function isPublic(value: string, { name, sign, value: { isQuoted } }: Assignment): boolean {
  const withoutSign = sign === ":" ? value.replace(DEFAULT_SIGN, "") : value;
  if (value.length < 3 || NO_VALUE.test(withoutSign) || isName(value, name)) return true;
  if (HIDDEN.test(value) || REFERENCE.test(value)) return true;
  return !isQuoted && (PROSE.test(value) || CODE.test(value));
}

/** Returns the form of an assignment, as a heading of the table has it; undefined if none fits. */
function formOf(
  { name, sign, isEnv, value: { text, isQuoted, restOfLine } }: Assignment,
  value: string,
  isShouted: boolean,
  isCode: boolean,
): string | undefined {
  if (isEnv && isShouted) return "env";
  if (sign === "call") {
    const isRead = /(?:^|\.)(?:get|create|is|has|parse|read|expect|check|find)/i.test(name);
    return isRead ? undefined : "call";
  }
  if (sign === "space") return isQuoted && !name.startsWith("--") ? "quoted-argument" : "argument";
  if (isQuoted || sign === "element" || sign === "pair") {
    if (sign !== "=") return "quoted :";
    return isCode ? "quoted = of code" : "quoted =";
  }
  if (!/^[ \t,]{0,80}(?:[#;].*|\/\/.*|\*\/.*|--.*|["'}\]].*)?$/.test(restOfLine)) {
    // Other words follow, as after `PGPASSWORD=secret psql`.
    const isArgument = sign === "=" && /^[ \t]/.test(restOfLine) && (isEnv || name.startsWith("-"));
    return isArgument ? "argument" : undefined;
  }
  return isCode || value !== text || /^[,;)]/.test(restOfLine) ? "code" : `plain ${sign}`;
}

function nameKindOf(name: string): string {
  const kind = STRONG_NAME.test(name) ? "strong" : "plain";
  if (!/[a-z]/.test(name)) return kind.toUpperCase();
  return kind === "plain" && TOKEN_NAME.test(name) ? "token" : kind;
}

function valueKindOf(value: string): string {
  if (/\s/.test(value)) return "words";
  if (/^[a-z_$]+$/i.test(value)) return /^[A-Z]/.test(value) ? "capitalized" : "letters";
  const hasDigit = /\d/.test(value);
  if (!/\p{L}/u.test(value)) return hasDigit ? "digits" : "other";
  if (!hasDigit) return /[-!@#$%^&*+~]/.test(value) ? "signs" : "other";
  return /^[a-z_$][\w$.]*$/i.test(value) ? "identifier" : "mixed";
}

/** Length limit of a value that may be a name, in UTF-16 units: names have about 120 at most. */
const MAX_WORDS_LENGTH = 200;

/** `ACCESS_TOKEN: "access_token"`, `API_KEY = "x-api-key"`: the value repeats the name. */
function isName(value: string, name: string): boolean {
  if (value.length > MAX_WORDS_LENGTH) return !/[\p{L}\d]/u.test(value);
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");
  const plainValue = plain(value);
  const plainName = plain(name);
  if (plainValue === "" || plainName.endsWith(plainValue)) return true;
  return plainValue.endsWith(plainName) && plainValue.length - plainName.length <= 3;
}

/** Returns true for `csrf-token-2` or `Reset password`. */
function isMadeOfWords(value: string): boolean {
  if (value.length > MAX_WORDS_LENGTH) return false;
  const words = value
    .replace(/([a-z])(?=[A-Z])/g, "$1-")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => WORDS.has(word));
}

/** Returns true for words with a verb or an article, as in an error text. */
function isSentence(value: string): boolean {
  return (
    /\s/.test(value) &&
    /\b(?:the|is|are|was|not|must|cannot|please|your|enter|for|and|of)\b/i.test(value)
  );
}
