/**
 * Finds characters that users cannot see but compilers, shells and models can: bidirectional
 * controls, zero-width characters, tag characters, stray variation selectors, control characters,
 * unusual line ends, and blanks that look like spaces. Emoji sequences, and joiners in Persian,
 * Arabic or Indic words, are not reported. Background: https://trojansource.codes and Unicode
 * Technical Standard 55.
 */

import names from "./hiddenCharacters.json";

export interface HiddenCharacter {
  /** Offset in UTF-16 units. */
  readonly index: number;
  /** Length in UTF-16 units, 1 or 2. */
  readonly length: number;
  /** Code point and name: "U+202E RIGHT-TO-LEFT OVERRIDE". */
  readonly name: string;
}

/** Candidates; most texts have none, so this test comes first. */
const CANDIDATE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** Names by code points, which are written in four hexadecimal digits. */
const NAMES: Readonly<Record<string, string>> = names;

const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;
const BLACK_FLAG = "\u{1f3f4}";

/** A flag of England, Scotland or Wales. Source: Unicode Technical Standard 51, ED-14a. */
const TAG_FLAG = new RegExp(String.raw`^\p{RGI_Emoji_Tag_Sequence}`, "v");

/** Length of such a flag, in UTF-16 units. */
const MAX_FLAG_LENGTH = 14;

/**
 * A base and a selector as in Unicode's StandardizedVariants.txt and in its Ideographic Variation
 * Database.
 */
const VARIANT =
  /[\p{Sm}\p{Script=Myanmar}]\ufe00|\p{Ideographic}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/gu;

/**
 * Upper limit of different variants in a text, as in names. Each selector can carry a byte, so more
 * of them may be a message.
 */
const MAX_VARIANTS = 3;

/** Scripts whose spelling needs joiners, with combining marks after the letter. */
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]\p{M}{0,4}$/u;

/** Emoji before a joiner: a pictograph, its skin tone or its selector. */
const EMOJI_END = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;

/** Wide characters, next to which an ideographic space is expected. */
const WIDE =
  "[\\p{Ideographic}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u3000、-】！-～“”‘’—…]";
const WIDE_END = new RegExp(`${WIDE}$`, "u");
const WIDE_START = new RegExp(`^${WIDE}`, "u");

/** Maximum number of UTF-16 units that are checked before a character. */
const LOOK_BEHIND_LENGTH = 8;

export function hiddenKinds(text: string): ReadonlySet<string> {
  return new Set(findHiddenCharacters(text).map(({ name }) => name));
}

/**
 * Returns the hidden characters of a text, in order.
 * @param known names of hidden characters that are expected, because the file has them
 */
export function findHiddenCharacters(
  text: string,
  known: ReadonlySet<string> = new Set(),
): HiddenCharacter[] {
  const characters: HiddenCharacter[] = [];
  let hasFewVariants: boolean | undefined;
  CANDIDATE.lastIndex = 0;
  // Hot loop: test() makes no array for each of perhaps a million characters.
  while (CANDIDATE.test(text)) {
    const end = CANDIDATE.lastIndex;
    const index = /[\udc00-\udfff]/.test(text.charAt(end - 1)) ? end - 2 : end - 1;
    const codePoint = text.codePointAt(index) ?? 0;
    const isExpected = isVariationSelector(codePoint)
      ? isVariant(text, end) && (hasFewVariants ??= variantsIn(text) <= MAX_VARIANTS)
      : isExpectedHere(text, index, end, codePoint);
    if (isExpected || known.has(nameOf(codePoint))) continue;
    characters.push({ index, length: end - index, name: nameOf(codePoint) });
  }
  return characters;
}

/** Selectors other than those that choose an emoji or its text form. */
function isVariationSelector(codePoint: number): boolean {
  const isSelector = codePoint >= 0xfe00 && codePoint <= 0xfe0d;
  return isSelector || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
}

function isVariant(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - 4), end);
  return before.match(VARIANT)?.some((variant) => before.endsWith(variant)) ?? false;
}

function variantsIn(text: string): number {
  return new Set(text.match(VARIANT)).size;
}

/** Blanks and line ends, whose removal would join the surrounding words. */
const BLANK = /[\s\u2800]/;

/** Removes hidden characters of other kinds than the known ones; replaces blanks by a space. */
export function cleanHiddenCharacters(text: string, known?: ReadonlySet<string>): string {
  let cleaned = "";
  let from = 0;
  for (const { index, length } of findHiddenCharacters(text, known)) {
    cleaned += text.slice(from, index);
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0x9f && codePoint !== 0xfeff && BLANK.test(text.charAt(index))) cleaned += " ";
    from = index + length;
  }
  return cleaned + text.slice(from);
}

/** Checks if a character has its usual effect here and is therefore visible. */
function isExpectedHere(text: string, index: number, end: number, codePoint: number): boolean {
  // No rule below expects other controls.
  if (codePoint < 0xa0) return false;
  const before = text.slice(Math.max(0, index - LOOK_BEHIND_LENGTH), index);
  const after = text.slice(end, end + 2);
  // Chinese and Japanese text is indented with U+3000; French sets U+00A0 and U+202F inside
  // quotation marks.
  if (codePoint === 0x3000) return WIDE_END.test(before) || WIDE_START.test(after);
  if (codePoint === 0xa0 || codePoint === 0x202f) return before.endsWith("«") || after[0] === "»";
  // Braille uses the blank pattern between other patterns.
  if (codePoint === 0x2800)
    return /[\u2801-\u28ff]$/.test(before) && /^[\u2801-\u28ff]/.test(after);
  if (codePoint === ZERO_WIDTH_JOINER && EMOJI_END.test(before) && EMOJI_START.test(after)) {
    return true;
  }
  if (codePoint === ZERO_WIDTH_JOINER || codePoint === ZERO_WIDTH_NON_JOINER) {
    return JOINING_SCRIPT.test(before);
  }
  if (codePoint === 0xfe0f || codePoint === 0xfe0e) {
    return (
      /\p{Extended_Pictographic}$/u.test(before) ||
      (/[0-9#*]$/.test(before) && after[0] === "\u20e3")
    );
  }
  if (codePoint >= 0x180b && codePoint <= 0x180f && codePoint !== 0x180e) {
    return /\p{Script=Mongolian}$/u.test(before);
  }
  return codePoint >= 0xe0020 && codePoint <= 0xe007f && isInFlag(text, index);
}

function isInFlag(text: string, index: number): boolean {
  const from = Math.max(0, index - MAX_FLAG_LENGTH);
  const start = text.slice(from, index).lastIndexOf(BLACK_FLAG);
  if (start === -1) return false;
  const flag = TAG_FLAG.exec(text.slice(from + start, from + start + MAX_FLAG_LENGTH))?.[0] ?? "";
  return index < from + start + flag.length;
}

const cachedNames = new Map<number, string>();

function nameOf(codePoint: number): string {
  const cached = cachedNames.get(codePoint);
  if (cached !== undefined) return cached;
  const digits = codePoint.toString(16).toUpperCase().padStart(4, "0");
  const name = `U+${digits} ${NAMES[digits] ?? groupOf(codePoint)}`;
  cachedNames.set(codePoint, name);
  return name;
}

function groupOf(codePoint: number): string {
  if (codePoint < 0xa0) return "CONTROL CHARACTER";
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return "TAG CHARACTER";
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) {
    return `VARIATION SELECTOR-${codePoint - 0xfe00 + 1}`;
  }
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) {
    return `VARIATION SELECTOR-${codePoint - 0xe0100 + 17}`;
  }
  return "INVISIBLE CHARACTER";
}
