/**
 * Rejects SVGs that would take too much memory or time to draw: nested copies grow exponentially in a
 * few lines. Counts the elements that a browser would draw, without drawing them.
 */

/** Limit of elements with copies; large maps have about 10,000. */
const MAX_ELEMENTS = 100_000;

/** Limit of nested elements. */
const MAX_DEPTH = 200;

interface Element {
  readonly id: string | undefined;
  /** Number of elements inside, including this element. */
  own: number;
  /** Ids that are referenced inside, by `use` or otherwise. */
  readonly copies: string[];
}

/** False for the text of an SVG that expands to more elements than the limit. */
export function isHarmlessSvg(text: string): boolean {
  const { all, byId } = readElements(withoutEscapes(text));
  if (all.own > MAX_ELEMENTS) return false;
  const costs = new Map<string, number>();
  const open = new Set<string>();
  const cost = (id: string): number => {
    const before = costs.get(id);
    if (before !== undefined) return before;
    const element = byId.get(id);
    if (element === undefined || open.has(id) || open.size > 1_000) return 0; // Cycles are not drawn.
    open.add(id);
    const sum = element.copies.reduce((total, copied) => total + cost(copied), element.own);
    open.delete(id);
    costs.set(id, sum);
    return sum;
  };
  return all.own + all.copies.reduce((total, id) => total + cost(id), 0) <= MAX_ELEMENTS;
}

/** Reads the elements; each counts for itself and for its ancestors. */
function readElements(text: string): { all: Element; byId: Map<string, Element> } {
  const all: Element = { id: undefined, own: 0, copies: [] };
  const byId = new Map<string, Element>();
  const around: Element[] = [];
  for (const [tag, closing] of text.matchAll(/<(\/?)[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>/g)) {
    if (closing === "/") {
      around.pop();
      continue;
    }
    const element: Element = { id: /\sid\s*=\s*["']([^"']*)/.exec(tag)?.[1], own: 0, copies: [] };
    if (element.id !== undefined) byId.set(element.id, element);
    const copied = [...tag.matchAll(/(?:href\s*=\s*["']|url\(\s*["']?)#([^"')]*)/g)];
    // Only elements with an id can be copied, so only these count their content.
    for (const outer of [all, element, ...around.filter(({ id }) => id !== undefined)]) {
      outer.own++;
      for (const [, id = ""] of copied) outer.copies.push(id);
    }
    if (!tag.endsWith("/>")) around.push(element);
    if (all.own > MAX_ELEMENTS || around.length > MAX_DEPTH) return { all: tooMany(all), byId };
  }
  return { all, byId };
}

function tooMany(all: Element): Element {
  return { ...all, own: Infinity };
}

/** Decodes the letters and digits that a reference to an id may have escaped. */
function withoutEscapes(text: string): string {
  return text.replace(
    /&#x0{0,9}([2-7][\da-f]);|&#0{0,9}(\d{2,3});|%([2-7][\da-f])/gi,
    (escape, hex?: string, decimal?: string, percent?: string) => {
      const code = decimal === undefined ? parseInt(hex ?? percent ?? "", 16) : Number(decimal);
      const character = String.fromCharCode(code);
      return /[\w.:#-]/.test(character) ? character : escape;
    },
  );
}
