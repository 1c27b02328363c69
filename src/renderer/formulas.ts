/**
 * Draws formulas with KaTeX; loaded when a reply first contains a formula. The source stays until
 * then, and if KaTeX cannot read it. The options rule out links, loading and endless macro
 * expansion.
 */
import katex, { type KatexOptions } from "katex";
import { makeElement } from "./dom";
import { adaptToMathCore } from "./mathCore";
import { DRAWN_FORMULA_CLASS, LONG_FORMULA_CLASS } from "./styles";

/** Maximum length of a drawn formula, in UTF-16 units. */
const MAX_FORMULA_LENGTH = 2_000;

/** Length of a source, in UTF-16 units, from which the formula may be wider than the panel. */
const LONG_FORMULA_LENGTH = 24;

/** Maximum duration of a slice of work, in milliseconds. */
const SLICE_MS = 8;

const OPTIONS: KatexOptions = {
  // Browsers render MathML and expose it to screen readers. KaTeX's HTML output would need its
  // style sheet and 260 kB of fonts.
  output: "mathml",
  // KaTeX's own error output sets a style attribute, which the content security policy forbids.
  throwOnError: true,
  trust: false,
  strict: "ignore",
  maxExpand: 200,
  maxSize: 50,
};

/** Returns the source of a formula without its delimiters. */
function sourceOf(element: Element): string {
  return element.textContent.trim().replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, "");
}

/** Draws formulas in slices. Resolves when each is drawn or has failed. */
export async function drawFormulas(elements: readonly HTMLElement[]): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const element of elements) {
    if (performance.now() > end) {
      await new Promise((resume) => setTimeout(resume, 0));
      end = performance.now() + SLICE_MS;
    }
    drawOne(element);
  }
}

function drawOne(element: HTMLElement): void {
  const source = sourceOf(element);
  if (source.length > MAX_FORMULA_LENGTH) return;
  // Draw into a separate element: a formula that fails half-way keeps its source.
  const drawn = makeElement(element.ownerDocument, "span");
  drawn.className = element.className;
  try {
    const displayMode = !element.matches(".math:not(.math-display, .math-block)");
    katex.render(source, drawn, { ...OPTIONS, displayMode });
  } catch {
    element.classList.add("math-source");
    return;
  }
  adaptToMathCore(drawn);
  element.replaceChildren(...drawn.childNodes);
  element.classList.add(DRAWN_FORMULA_CLASS);
  if (source.length >= LONG_FORMULA_LENGTH) element.classList.add(LONG_FORMULA_CLASS);
}
