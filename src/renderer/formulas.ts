/**
 * Draws formulas with KaTeX, which is loaded when a reply first has one. Until then, and where a formula
 * cannot be read, its source stays. KaTeX makes nodes and sets no style attributes; nothing it is given
 * can link, load or expand without end.
 */
import { make } from "./dom";
import { adaptToMathCore } from "./mathCore";
import { DRAWN_FORMULA_CLASS, LONG_FORMULA_CLASS } from "./styles";

/** Longest formula that is drawn, in UTF-16 units. */
const MAX_FORMULA_LENGTH = 2_000;

/** Source of a formula that may be wider than the panel, in UTF-16 units. */
const LONG_FORMULA_LENGTH = 24;

/** Work done in one go, in milliseconds. */
const SLICE_MS = 8;

type Render = (source: string, element: HTMLElement) => void;

async function load(): Promise<Render> {
  const { default: katex } = await import("katex");
  return (source, element) => {
    katex.render(source, element, {
      displayMode: !element.matches(".math:not(.math-display, .math-block)"),
      // The browser draws MathML by itself and reads it out; KaTeX's own boxes would need its style
      // sheet and 260 kB of fonts.
      output: "mathml",
      // Its way of showing errors sets a style attribute, which the page's policy forbids.
      throwOnError: true,
      trust: false,
      strict: "ignore",
      maxExpand: 200,
      maxSize: 50,
    });
  };
}

/** What is between the marks of a formula as written. */
function sourceOf(element: Element): string {
  return element.textContent.trim().replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, "");
}

/** Draws formulas in slices; resolves when all are drawn or given up, rejects if KaTeX cannot be loaded. */
export async function drawFormulas(elements: readonly HTMLElement[]): Promise<void> {
  const render = await load();
  let end = performance.now() + SLICE_MS;
  for (const element of elements) {
    if (performance.now() > end) {
      await new Promise((resume) => setTimeout(resume, 0));
      end = performance.now() + SLICE_MS;
    }
    drawOne(element, render);
  }
}

function drawOne(element: HTMLElement, render: Render): void {
  const source = sourceOf(element);
  if (source.length > MAX_FORMULA_LENGTH) return;
  // Drawn apart first: a formula that fails half-way leaves its source in place.
  const drawn = make(element.ownerDocument, "span");
  drawn.className = element.className;
  try {
    render(source, drawn);
  } catch {
    element.classList.add("math-source");
    return;
  }
  adaptToMathCore(drawn);
  element.replaceChildren(...drawn.childNodes);
  element.classList.add(DRAWN_FORMULA_CLASS);
  if (source.length >= LONG_FORMULA_LENGTH) element.classList.add(LONG_FORMULA_CLASS);
}
