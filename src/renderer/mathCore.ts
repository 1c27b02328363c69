/**
 * Converts KaTeX's MathML 3 to MathML Core, the part that browsers render: styled letters become
 * Unicode characters, column alignment becomes CSS. Source:
 * https://w3c.github.io/mathml-core/#mathvariant and Unicode, Mathematical Alphanumeric Symbols.
 */

/** Code points of A, a, Α and 0 in an alphabet; 0 for a missing group. `greek` also covers α. */
type Alphabet = readonly [upper: number, lower: number, greek: number, digits: number];

const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  bold: [0x1d400, 0x1d41a, 0x1d6a8, 0x1d7ce],
  italic: [0x1d434, 0x1d44e, 0x1d6e2, 0],
  "bold-italic": [0x1d468, 0x1d482, 0x1d71c, 0x1d7ce],
  script: [0x1d49c, 0x1d4b6, 0, 0],
  "bold-script": [0x1d4d0, 0x1d4ea, 0, 0],
  fraktur: [0x1d504, 0x1d51e, 0, 0],
  "double-struck": [0x1d538, 0x1d552, 0, 0x1d7d8],
  "bold-fraktur": [0x1d56c, 0x1d586, 0, 0],
  "sans-serif": [0x1d5a0, 0x1d5ba, 0, 0x1d7e2],
  "bold-sans-serif": [0x1d5d4, 0x1d5ee, 0x1d756, 0x1d7ec],
  "sans-serif-italic": [0x1d608, 0x1d622, 0, 0x1d7e2],
  "sans-serif-bold-italic": [0x1d63c, 0x1d656, 0x1d790, 0x1d7ec],
  monospace: [0x1d670, 0x1d68a, 0, 0x1d7f6],
};

/** Letters with an older code point; their positions in the alphabets are unassigned. */
const EARLIER: Readonly<Record<string, string>> = {
  "italic h": "ℎ",
  ...named("script", { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ" }),
  ...named("script", { e: "ℯ", g: "ℊ", o: "ℴ" }),
  ...named("fraktur", { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" }),
  ...named("double-struck", { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" }),
};

function named(variant: string, letters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(letters).map(([letter, earlier]) => [`${variant} ${letter}`, earlier]),
  );
}

/** Greek letters in the order of the alphabets: capitals, nabla, small letters, variants. */
const GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ";

function letterOf(variant: string, character: string): string {
  const [upper, lower, greek, digits] = ALPHABETS[variant] ?? [0, 0, 0, 0];
  const earlier = EARLIER[`${variant} ${character}`];
  if (earlier !== undefined) return earlier;
  const shifted = (first: number, from: string) =>
    first === 0
      ? character
      : String.fromCodePoint(first + character.charCodeAt(0) - from.charCodeAt(0));
  if (/^[A-Z]$/.test(character)) return shifted(upper, "A");
  if (/^[a-z]$/.test(character)) return shifted(lower, "a");
  if (/^\d$/.test(character)) return shifted(digits, "0");
  const index = GREEK.indexOf(character);
  return index < 0 || greek === 0 ? character : String.fromCodePoint(greek + index);
}

/** Converts a drawn formula in place. */
export function adaptToMathCore(root: Element): void {
  for (const element of root.querySelectorAll("[mathvariant]")) {
    const variant = element.getAttribute("mathvariant") ?? "";
    if (ALPHABETS[variant] === undefined) continue;
    element.textContent = Array.from(element.textContent)
      .map((character) => letterOf(variant, character))
      .join("");
    element.removeAttribute("mathvariant");
  }
  // Only KaTeX's own style sheet gives these spacers a width.
  for (const empty of root.querySelectorAll("mtd.mtr-glue, mtd.mml-eqn-num:empty")) empty.remove();
  for (const table of root.querySelectorAll("mtable")) alignColumns(table);
}

function alignColumns(table: Element): void {
  const listOf = (name: string) => table.getAttribute(name)?.split(" ") ?? [];
  const alignments = listOf("columnalign");
  const gaps = listOf("columnspacing");
  const lines = listOf("columnlines");
  /** Returns the value of a column; the last value applies to all further columns. */
  const at = (list: readonly string[], column: number) => list[column] ?? list.at(-1);
  for (const row of table.children) {
    const last = row.children.length - 1;
    for (const [column, cell] of [...row.children].entries()) {
      const { style } = cell as MathMLElement;
      const alignment = at(alignments, column);
      if (alignment === "left" || alignment === "right") style.textAlign = alignment;
      if (gaps.length > 0) {
        const half = (gap: string | undefined) => `calc(${gap ?? "0em"} / 2)`;
        style.paddingInlineStart = column === 0 ? "0" : half(at(gaps, column - 1));
        style.paddingInlineEnd = column === last ? "0" : half(at(gaps, column));
      }
      if (column < last && at(lines, column) === "solid") style.borderInlineEnd = "1px solid";
    }
  }
}
