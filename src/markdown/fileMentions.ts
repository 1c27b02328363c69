/**
 * Finds what looks like a file of the workspace in a reply's words: `src/cart.ts`, `cart.ts:12`,
 * `cart.ts:12:5`. Whether there is such a file is for the host to find out.
 */

/** Longest mention that is looked at, in UTF-16 units. */
export const MAX_MENTION_LENGTH = 300;

/** Most mentions of one reply that are asked about. */
export const MAX_MENTIONS = 100;

/** Where a mention stands in a text. */
export interface Mention {
  readonly index: number;
  readonly text: string;
}

/** What a mention says; line and column are 1-based. */
export interface MentionedPlace {
  /** Relative to a folder of the workspace, with `/` between names. */
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Longer texts are words without end, not prose. */
const MAX_TEXT_LENGTH = 20_000;

/** Names with `/` between them, or one with an ending; then perhaps a line, and a column. */
const MENTION =
  /(?<![\p{L}\p{N}_@:/.\\-])(?:\.{1,2}\/|\/)?(?:[\p{L}\p{N}_@.+-]{1,100}[/\\]){0,20}[\p{L}\p{N}_@.+-]{1,100}(?::\d{1,7}(?::\d{1,5})?|#L\d{1,7})?/gu;

/** The mentions in a piece of a reply's text, in order. */
export function findMentions(text: string): Mention[] {
  if (text.length > MAX_TEXT_LENGTH) return [];
  const found: Mention[] = [];
  for (const { 0: match, index } of text.matchAll(MENTION)) {
    // A sentence's full stop is not the file's.
    const mention = match.replace(/(?<![.+@-])[.+@-]+$/, "");
    if (mention.length > MAX_MENTION_LENGTH || !looksLikeFile(mention)) continue;
    found.push({ index, text: mention });
  }
  return found;
}

/** Reads a mention; undefined for what leads out of a folder of the workspace, or to none. */
export function readMention(mention: string): MentionedPlace | undefined {
  const match = /^(.*?)(?::(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))?$/su.exec(mention);
  const path = (match?.[1] ?? "").replaceAll("\\", "/").replace(/^\.\//, "");
  const names = path.split("/");
  const isInside = names.every((name) => name !== "" && name !== "." && name !== "..");
  // Control characters, drives and schemes have no place in a name.
  if (path === "" || !isInside || /[\0-\x1f:*?"<>|]/.test(path)) return undefined;
  const numberOf = (digits: string | undefined) =>
    digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
  return { path, line: numberOf(match?.[2] ?? match?.[4]), column: numberOf(match?.[3]) };
}

function looksLikeFile(mention: string): boolean {
  const path = mention.replace(/(?::\d+){1,2}$|#L\d+$/, "");
  const name = path.split(/[/\\]/).at(-1) ?? "";
  // Names of packages begin with it; anywhere else it is somebody's mail address.
  if (/[^/\\]@/.test(path)) return false;
  // An ending begins with a letter: 3.5 and v1.2 are no files.
  const hasEnding = /[\p{L}\p{N}_@+-]\.\p{L}[\p{L}\p{N}_-]{0,15}$/u.test(name);
  return hasEnding || /^(?:\.[\p{L}][\p{L}\p{N}_.-]*)$/u.test(name) || /[/\\]/.test(path);
}
