/**
 * Text normalization of the search: lower case, no diacritics, ASCII quotes and dashes, half-width
 * letters, and a single kind of blank. Each UTF-16 unit of the text in composed form (NFC) maps to one
 * unit, so both have the same offsets.
 */

/** Units per block. Blocks are filled on first use, because all of them at once take 30 ms. */
const BLOCK_SIZE = 256;
const blocks: (Uint16Array | undefined)[] = [];

const LATIN_1_END = 0x100;
const BLANK = 0x20;

/** Mappings after lower case and decomposition: the first unit replaces each of the others. */
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

export interface NormalizedText {
  readonly text: string;
  /** The original in composed form (NFC), as long as `text`. */
  readonly original: string;
}

export function normalizeText(text: string): NormalizedText {
  const original = text.normalize("NFC");
  const units = new Uint16Array(original.length);
  let allBits = 0;
  for (let at = 0; at < original.length; at++) {
    const folded = foldUnit(original.charCodeAt(at));
    units[at] = folded;
    allBits |= folded;
  }
  return { text: textOf(units, allBits < LATIN_1_END), original };
}

function foldUnit(unit: number): number {
  const block = (blocks[unit >> 8] ??= computeBlock(unit >> 8));
  return block[unit & (BLOCK_SIZE - 1)] ?? unit;
}

function computeBlock(number: number): Uint16Array {
  const start = number * BLOCK_SIZE;
  return Uint16Array.from({ length: BLOCK_SIZE }, (_, index) => computeFold(start + index));
}

function computeFold(unit: number): number {
  const letter = String.fromCharCode(unit);
  if (/[\s\p{Cc}\p{Cf}]/u.test(letter)) return BLANK;
  const plain = hasPlainForm(unit) ? letter.normalize("NFKD").charAt(0) : letter;
  const lower = plain.toLowerCase();
  const folded = lower.length === 1 ? lower.charCodeAt(0) : unit;
  return SPECIAL.get(folded) ?? folded;
}

/**
 * True for Latin, Greek, Cyrillic and full-width forms, where the letter without its mark is a match. In
 * other scripts a mark makes another letter, and Hangul would decompose.
 */
function hasPlainForm(unit: number): boolean {
  return (
    (unit >= 0xc0 && unit < 0x250) ||
    (unit >= 0x370 && unit < 0x530) ||
    (unit >= 0x1e00 && unit < 0x2000) ||
    (unit >= 0xff01 && unit < 0xffa0)
  );
}

/**
 * @param isNarrow true when every unit is below U+0100: the engine then keeps a single byte for each unit
 */
function textOf(units: Uint16Array, isNarrow: boolean): string {
  if (!isNarrow) return wide.decode(units);
  // U+0080-U+009F, the only units that this decoder maps to others, are blanks here.
  return narrow.decode(Uint8Array.from(units));
}

const narrow = new TextDecoder("latin1");
const wide = new TextDecoder("utf-16le");
