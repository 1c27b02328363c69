/**
 * Emphasis next to Chinese, Japanese and Korean text, and next to code. CommonMark requires a space between a
 * mark next to punctuation and the letter on its other side. These scripts have no spaces, so the second
 * mark in "**重要：**后" could not close. Next to such a character, a mark may open and close.
 * Proposal: https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
 * Asterisks in products such as "5*x" and in globs such as "src/**" + "/*.ts" are text.
 */
import type { MarkdownIt } from "markdown-it";

/** Letters of these scripts, their punctuation and full-width forms. */
export const CJK =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}\p{Script_Extensions=Bopomofo}\p{Script_Extensions=Yi}\p{Script_Extensions=Tangut}\u3000-\u303f\ufe30-\ufe4f\uff01-\uffee]/u;

/** Punctuation shared with other scripts; the next character determines the script. */
const SHARED_PUNCTUATION = /[‘’“”…—·]/u;

const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Variation selectors of ideographs and punctuation. */
const SELECTOR = /[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]/u;

/** Letter or digit. */
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Asterisks that are no marks: of a glob beside slashes and before an extension, alone in brackets or quotes, between
 * factors in brackets, and of the end of a comment.
 */
const NO_MARKS = new RegExp(
  [
    String.raw`(?<=\/)\*+(?=[/{[]|\.[\w*{])`,
    String.raw`\*{1,2}(?=\/[^\s*]{0,200}\/\*)`,
    String.raw`(?<=[!,;:|=({["'])\*(?=\.\w)`,
    String.raw`(?<=[([{])\*{1,2}(?=[)\]}])`,
    String.raw`(?<=(["']))\*{1,2}(?=\1)`,
    String.raw`(?<=[)\]])\*(?=[\p{L}\p{N}(])`,
    String.raw`(?<!\S)\*(?=\/(?!\S))`,
  ].join("|"),
  "uy",
);

/** Tells if a run of `*` or `~` from `start` to `end` (exclusive, in UTF-16 units) opens or closes emphasis. */
export function flankingOf(text: string, start: number, end: number) {
  const before = characterBefore(text, start);
  const after = characterAt(text, end);
  NO_MARKS.lastIndex = start;
  if (text[start] === "*" && NO_MARKS.test(text)) return { canOpen: false, canClose: false };
  const isBeforeBlank = /^\s?$/u.test(before);
  const isAfterBlank = /^\s?$/u.test(after);
  if (isBeforeBlank || isAfterBlank) return { canOpen: !isAfterBlank, canClose: !isBeforeBlank };
  const isBesideCjk =
    CJK.test(before) ||
    CJK.test(after) ||
    (SHARED_PUNCTUATION.test(before) && CJK.test(characterBefore(text, start - 1))) ||
    (SHARED_PUNCTUATION.test(after) && CJK.test(characterAt(text, end + 1)));
  const isBeforePunctuation = PUNCTUATION.test(before);
  const isAfterPunctuation = PUNCTUATION.test(after);
  return {
    canOpen:
      isBesideCjk ||
      ((!isAfterPunctuation || isBeforePunctuation) &&
        !(text[start] === "*" && WORD.test(before) && WORD.test(after))),
    canClose: isBesideCjk || !isBeforePunctuation || isAfterPunctuation,
  };
}

function characterAt(text: string, index: number): string {
  const codePoint = text.codePointAt(index);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

/** Returns the character that ends at `index`, ignoring variation selectors. */
function characterBefore(text: string, index: number): string {
  const character = /(?:[\ud800-\udbff][\udc00-\udfff]|[^])$/.exec(
    text.slice(Math.max(0, index - 2), index),
  )?.[0];
  if (character === undefined) return "";
  return SELECTOR.test(character) ? characterBefore(text, index - character.length) : character;
}

/** Makes markdown-it's inline parser use `flankingOf` for `*` and `~`. */
export function cjkEmphasis(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const scanned = super.scanDelims(start, canSplitWord);
      if (!canSplitWord) return scanned;
      const { canOpen, canClose } = flankingOf(
        this.src.slice(0, this.posMax),
        start,
        start + scanned.length,
      );
      return { ...scanned, can_open: canOpen, can_close: canClose };
    }
  };
}
