/**
 * Converts KaTeX's MathML 3 to MathML Core, the part that browsers render: styled letters become
 * Unicode characters, column alignment becomes CSS. Source:
 * https://w3c.github.io/mathml-core/#mathvariant and Unicode, Mathematical Alphanumeric Symbols.
 */
import letters from "./mathLetters.json";

/** First characters of each alphabet: styled A, a, Α (whose letters end with α) and 0; a space if missing. */
const ALPHABETS: Readonly<Record<string, string>> = letters.alphabets;

/** Letters with an older code point; their positions in the alphabets are unassigned. */
const EARLIER: Readonly<Record<string, string>> = letters.earlier;

/** Greek letters in the order of the alphabets: capitals, nabla, small letters, variants. */
const GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ";

function letterOf(variant: string, character: string): string {
  const [upper = 0, lower = 0, greek = 0, digits = 0] = Array.from(
    ALPHABETS[variant] ?? "",
    (first) => (first === " " ? 0 : (first.codePointAt(0) ?? 0)),
  );
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
