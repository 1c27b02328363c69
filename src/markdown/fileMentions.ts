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

/** Names separated by `/`, or one with an extension; then optionally a line and a column. */
const MENTION =
  /(?<![\p{L}\p{N}_@:/.\\-])(?:\.{1,2}\/|\/)?(?:[\p{L}\p{N}_@.+-]{1,100}[/\\]){0,20}[\p{L}\p{N}_@.+-]{1,100}(?::\d{1,7}(?::\d{1,5})?|#L\d{1,7})?/gu;

/** Returns the mentions in a text, in order. */
export function findMentions(text: string): Mention[] {
  if (text.length > MAX_TEXT_LENGTH) return [];
  const found: Mention[] = [];
  for (const { 0: match, index } of text.matchAll(MENTION)) {
    // Trailing punctuation belongs to the sentence.
    const mention = match.replace(/(?<![.+@-])[.+@-]+$/, "");
    if (mention.length > MAX_MENTION_LENGTH || !looksLikeFile(mention)) continue;
    found.push({ index, text: mention });
  }
  return found;
}

/**
 * Parses a mention; returns undefined for a path that is empty, absolute or outside of its folder.
 */
export function parseMention(mention: string): MentionedLocation | undefined {
  const match = /^(.*?)(?::(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))?$/su.exec(mention);
  const path = (match?.[1] ?? "").replaceAll("\\", "/").replace(/^\.\//, "");
  const names = path.split("/");
  const isInside = names.every((name) => name !== "" && name !== "." && name !== "..");
  // Rejects control characters, drives and URL schemes.
  if (path === "" || !isInside || /[\0-\x1f:*?"<>|]/.test(path)) return undefined;
  const numberOf = (digits: string | undefined) =>
    digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
  return { path, line: numberOf(match?.[2] ?? match?.[4]), column: numberOf(match?.[3]) };
}

function looksLikeFile(mention: string): boolean {
  const path = mention.replace(/(?::\d+){1,2}$|#L\d+$/, "");
  const name = path.split(/[/\\]/).at(-1) ?? "";
  // Package names start with "@"; elsewhere "@" indicates an e-mail address.
  if (/[^/\\]@/.test(path)) return false;
  // An extension starts with a letter: 3.5 and v1.2 are no files.
  const hasEnding = /[\p{L}\p{N}_@+-]\.\p{L}[\p{L}\p{N}_-]{0,15}$/u.test(name);
  return hasEnding || /^(?:\.[\p{L}][\p{L}\p{N}_.-]*)$/u.test(name) || /[/\\]/.test(path);
}
