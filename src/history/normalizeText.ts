/**
 * Text as the search compares it: lower case, without accents, typographic quotes and dashes as
 * typed ones, full width as half width, every kind of blank as one. Each UTF-16 unit becomes
 * exactly one, so that a place in the folded text is the same place in the original.
 */

/** Blocks of 256 units are filled when first met: all of them at once would take 30 ms. */
const BLOCK_SIZE = 256;
const blocks: (Uint16Array | undefined)[] = [];

const LATIN_1_END = 0x100;
const BLANK = 0x20;

/** What neither lower case nor decomposition gives; the unit after the colon stands for all. */
const SPECIAL = new Map<number, number>(
  [
    ["'", "‘’‚‛′"],
    ['"', "“”„‟″«»"],
    ["-", "‐‑‒–—―−"],
    [".", "…"],
    ["*", "•"],
    ["o", "øØ"],
    ["l", "łŁ"],
    ["d", "đĐð"],
    ["h", "ħ"],
    ["i", "ı"],
    ["σ", "ς"],
  ].flatMap(([to = "", from = ""]) =>
    Array.from(from, (unit) => [unit.charCodeAt(0), to.charCodeAt(0)] as const),
  ),
);

/** Folded text with what is needed to give the original back. */
export interface NormalizedText {
  readonly text: string;
  /** The original in composed form (NFC), as long as `text`. */
  readonly original: string;
  /** The units of `text`. */
  readonly units: Uint16Array;
  /** True when every unit is below U+0100: the engine then keeps one byte for each. */
  readonly isNarrow: boolean;
}

/** Folds a text; the same for what is searched and for what is searched for. */
export function normalizeText(text: string): NormalizedText {
  const original = text.normalize("NFC");
  const units = new Uint16Array(original.length);
  let all = 0;
  for (let at = 0; at < original.length; at++) {
    const folded = foldUnit(original.charCodeAt(at));
    units[at] = folded;
    all |= folded;
  }
  const isNarrow = all < LATIN_1_END;
  return { text: textOf(units, isNarrow), original, units, isNarrow };
}

/** True for a unit that the search takes as a blank: line ends, tabs and controls of any kind. */
export function isBlank(unit: number): boolean {
  return foldUnit(unit) === BLANK;
}

function foldUnit(unit: number): number {
  const block = (blocks[unit >> 8] ??= filledBlock(unit >> 8));
  return block[unit & (BLOCK_SIZE - 1)] ?? unit;
}

function filledBlock(number: number): Uint16Array {
  const start = number * BLOCK_SIZE;
  return Uint16Array.from({ length: BLOCK_SIZE }, (_, index) => foldOne(start + index));
}

function foldOne(unit: number): number {
  const special = SPECIAL.get(unit);
  if (special !== undefined) return special;
  const letter = String.fromCharCode(unit);
  if (/[\s\p{Cc}\p{Cf}]/u.test(letter)) return BLANK;
  const lower = hasPlainForm(unit) ? letter.normalize("NFKD").charAt(0) : letter;
  const folded = lower.toLowerCase();
  return folded.length === 1 ? folded.charCodeAt(0) : unit;
}

/**
 * Scripts in which a mark is something added to a letter (Latin, Greek, Cyrillic), and full width
 * forms. In others it makes another letter, and Hangul would fall apart.
 */
function hasPlainForm(unit: number): boolean {
  return (
    (unit >= 0xc0 && unit < 0x250) ||
    (unit >= 0x370 && unit < 0x530) ||
    (unit >= 0x1e00 && unit < 0x2000) ||
    (unit >= 0xff01 && unit < 0xffa0)
  );
}

function textOf(units: Uint16Array, isNarrow: boolean): string {
  if (!isNarrow) return wide.decode(units);
  // Blanks stand for U+0080-U+009F, the only units that this decoder reads differently.
  return narrow.decode(Uint8Array.from(units));
}

const narrow = new TextDecoder("latin1");
const wide = new TextDecoder("utf-16le", { ignoreBOM: true });
