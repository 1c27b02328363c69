/**
 * Finds text in a reply that looks like a workspace file: `src/cart.ts`, `cart.ts:12`,
 * `cart.ts:12:5`. The host checks if the file exists.
 */

/** Maximum length of a mention, in UTF-16 units. */
export const MAX_MENTION_LENGTH = 300;

/** Maximum number of mentions in one reply that the host checks. */
export const MAX_MENTIONS = 100;

/** Mention and its offset in a text, in UTF-16 units. */
export interface Mention {
  readonly index: number;
  readonly text: string;
  /** Mentions inside, which count if no file has the whole name. */
  readonly parts?: readonly Mention[];
}

/** Parsed mention; line and column are 1-based. */
export interface MentionedLocation {
  /** Path relative to a workspace folder, with `/` as separator. */
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Maximum length of a searched text, in UTF-16 units. */
const MAX_TEXT_LENGTH = 20_000;

/** A blank, or punctuation that Chinese sets without blanks. */
const BREAK = /[\s，。、；：！？…“”«»「」『』【】《》〈〉（）]/u;

/** Run of other characters. */
const TOKEN = /[^\s，。、；：！？…“”«»「」『』【】《》〈〉（）]+/gu;

/** Text in quotes. */
const QUOTED =
  /(?<!\w)(?:["“„«「『《][^"“”„«»「」『』《》\n]{1,300}["“”«»」』》]|['‘][^"'‘’\n]{1,300}['’])(?!\w)/g;

/** End of a name in a token with more names: a sign between them, or another script. */
const PART_END =
  /(?<=\.[a-z][\w-]{0,15}(?:(?::\d{1,7}){0,2}|#L\d{1,7}))(?:[-=]>|[,;|–—→+&]|(?=[\p{Lo}\p{Lm}]))/giu;

/** Words that languages without blanks between words set before a path. */
const WORDS_BEFORE = /^[\p{Lo}\p{Lm}\p{M}]{1,300}(?=[a-z_@([{$~]|\.[\w.]{0,20}\/)/iu;

/** Control characters, and signs that no path has, as those of drives and URL schemes. */
const FORBIDDEN = /[\0-\x1f:*?"<>|`]/;

/** Drive before a path of Windows. */
const DRIVE = /^[A-Za-z]:(?=[\\/])/;

/** Ending of a file's name. It starts with a letter: 3.5 and v1.2 are no files. */
const ENDING = /[^.\s/\\]\.\p{L}[\p{L}\p{N}_-]{0,15}$/u;

/**
 * Returns the mentions in a text, in order. A mention is a token as a whole, not a part of a name.
 * @param kind `name` for code, where a path may have blanks; `title` for bold text, which may be one
 */
export function findMentions(text: string, kind?: "name" | "title"): Mention[] {
  if (text.length > MAX_TEXT_LENGTH) return [];
  const name = text.trim();
  if (kind !== undefined && isPathWithBlanks(name)) {
    const parts = kind === "title" ? findMentions(text) : [];
    return [{ index: text.indexOf(name), text: name, parts }];
  }
  const mentions: Mention[] = [];
  const unquoted = text.replace(QUOTED, (quote, index: number) => {
    const path = quote.slice(1, -1);
    if (!isPathWithBlanks(path)) return quote;
    mentions.push({ index: index + 1, text: path });
    return " ".repeat(quote.length);
  });
  let folder: { readonly end: number; readonly count: number } | undefined;
  for (const { 0: token, index } of unquoted.matchAll(TOKEN)) {
    const bare = withoutPunctuation(token);
    const mention = fileIn(bare);
    // The token may be the end of a name: "src/my file.ts" or "草稿（新）.md".
    const isTail = mention !== undefined && folder?.end === index - 1;
    const count = isTail ? (folder?.count ?? 0) : mentions.length;
    mentions.length = count;
    const isFolder =
      mention !== undefined && /[/\\]/.test(mention) && !ENDING.test(locationOf(mention)[0]);
    folder = isFolder && token.endsWith(mention) ? { end: index + token.length, count } : undefined;
    if (isTail || /[）】》〉」』]/.test(text.charAt(index - 1))) continue;
    const at = index + token.indexOf(bare);
    const parts = partsOf(bare, at, mention === undefined);
    const isWhole = mention !== undefined && (mention === bare || parts.length < 2);
    if (isWhole) mentions.push({ index: at, text: mention, ...(parts.length > 0 && { parts }) });
    else mentions.push(...parts);
  }
  return mentions.sort((one, other) => one.index - other.index);
}

/** Returns true for text with blanks, or such punctuation, that may be a single path. */
export function isPathWithBlanks(text: string): boolean {
  if (text.length > MAX_MENTION_LENGTH || !BREAK.test(text)) return false;
  const [path] = locationOf(text);
  const [first = ""] = path.split(BREAK, 1);
  return ENDING.test(path) && !FORBIDDEN.test(path) && !ENDING.test(first.replace(/[,;]$/, ""));
}

/** Returns the path of a link's address with its line, as a mention. */
export function mentionOfAddress(address: string): string | undefined {
  let path = address.replace(/^file:\/\//i, "");
  try {
    if (!path.includes("\\")) path = decodeURIComponent(path);
  } catch {
    // "100%" is no escape.
  }
  return path.length > MAX_MENTION_LENGTH ? undefined : fileIn(path.replace(/^\/(?=[a-z]:)/i, ""));
}

/** Returns an absolute path below a folder as relative to it; undefined for any other mention. */
export function mentionBelow(mention: string, folder: string): string | undefined {
  const path = mention.replaceAll("\\", "/").replace(/^(?=[a-z]:)/i, "/");
  const root = folder.replace(/\/?$/, "/");
  // Windows does not distinguish the case of letters.
  const fold = (text: string) => (/^\/[a-z]:/i.test(root) ? text.toLowerCase() : text);
  return fold(path.slice(0, root.length)) === fold(root) ? path.slice(root.length) : undefined;
}

/** Returns a token without the punctuation around it. */
function withoutPunctuation(token: string): string {
  let text = token.length > MAX_MENTION_LENGTH ? "" : token;
  for (let length = Infinity; text.length < length;) {
    length = text.length;
    const inner = text.replace(/^(_{1,2})(.{1,300})\1$/s, "$2").replace(/^["'‘`*<]{1,9}/, "");
    text = withoutBrackets(inner.replace(/(?<!["'’`*>,;:!.@+-])["'’`*>,;:!.@+-]{1,9}$/, ""));
  }
  return text;
}

/** Returns the mention that is a whole token, without what a compiler adds. */
function fileIn(text: string): string | undefined {
  const [path, position] = locationOf(text);
  const isFile =
    !FORBIDDEN.test(path.replace(DRIVE, "")) && depthOf(path) === 0 && looksLikeFile(path);
  return isFile ? path + position : undefined;
}

/** Returns the names in a token: "src/a.ts,src/b.ts", "编辑src/a.ts文件". */
function partsOf(token: string, index: number, isOnlyParts: boolean): readonly Mention[] {
  const parts: Mention[] = [];
  let start = 0;
  for (const end of [...token.matchAll(PART_END), { 0: "", index: token.length }]) {
    const piece = token.slice(start, end.index);
    const text = piece.replace(WORDS_BEFORE, "");
    const part = fileIn(text);
    if (part !== undefined)
      parts.push({ index: index + start + piece.length - text.length, text: part });
    else if (depthOf(piece) !== 0 || (isOnlyParts && /[!-~]/.test(piece))) return [];
    start = end.index + end[0].length;
  }
  return parts[0]?.text === token ? [] : parts;
}

function locationOf(text: string): readonly [path: string, position: string] {
  const [, path = "", line, fragment] =
    /^((?:[A-Za-z]:(?=[\\/]))?[^:]{0,300}?)(?:(:\d{1,7}(?::\d{1,5})?).{0,300}|(#L\d{1,7})(?:-L?\d{1,7})?|:.{0,300})?$/su.exec(
      text,
    ) ?? [];
  const bare = path.replace(/(?:['’]s|\(\d{1,7}(?:,\d{1,5})?\)|#[\p{L}\p{N}_-]{0,100})$/u, "");
  return [ENDING.test(bare) ? bare : path, line ?? fragment ?? ""];
}

/** Removes brackets around a whole text, and one at its start or end without the other. */
function withoutBrackets(text: string): string {
  if (/^[([{]/.test(text)) {
    let depth = 0;
    const isEnd = (sign: string) =>
      "([{".includes(sign) ? !++depth : ")]}".includes(sign) && !--depth;
    const end = text.split("").findIndex(isEnd);
    if (end === -1) return text.slice(1);
    if (end === text.length - 1) return text.slice(1, -1);
  }
  return /[)\]}]$/.test(text) && depthOf(text) < 0 ? text.slice(0, -1) : text;
}

/** Returns the number of brackets that are open at the end of a text. */
function depthOf(text: string): number {
  return text.split(/[([{]/).length - text.split(/[)\]}]/).length;
}

/**
 * Parses a mention; returns undefined for a path that is empty, absolute, in the user's home or
 * outside of its folder.
 */
export function parseMention(mention: string): MentionedLocation | undefined {
  const match = /^(.*?)(?::(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))?$/su.exec(mention);
  const path = (match?.[1] ?? "").replaceAll("\\", "/").replace(/^\.\//, "");
  const names = path.split("/");
  const isInside = names.every((name) => name !== "" && name !== "." && name !== "..");
  if (!isInside || names[0] === "~" || FORBIDDEN.test(path)) return undefined;
  const numberOf = (digits: string | undefined) =>
    digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
  return { path, line: numberOf(match?.[2] ?? match?.[4]), column: numberOf(match?.[3]) };
}

function looksLikeFile(path: string): boolean {
  // Package names start with "@"; elsewhere "@" indicates an e-mail address.
  if (/^[^/\\]+@/.test(path)) return false;
  if (!/[\p{L}\p{N}]/u.test(path)) return false;
  return ENDING.test(path) || /^\.\p{L}[^/\\]*$/u.test(path) || /[/\\]/.test(path);
}
