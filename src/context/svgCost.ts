/**
 * Tells whether an SVG can be drawn without filling memory or time: entities and copies of copies
 * grow without bound in a few lines. Counts what a browser would have to draw; draws nothing.
 */

/** Most elements, copies included; a large map has some ten thousand. */
const MAX_ELEMENTS = 100_000;

/** Most elements inside each other. */
const MAX_DEPTH = 200;

interface Element {
  readonly id: string | undefined;
  /** Elements directly inside and this one. */
  own: number;
  /** Ids that are copied in here, by `use` or otherwise. */
  readonly copies: string[];
}

/** False for one that declares entities or unfolds to more than can be drawn. */
export function isHarmlessSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  if (/<!(?:ENTITY|DOCTYPE[^<>[]*\[)/i.test(text)) return false;
  const { all, byId } = readElements(text);
  if (all.own > MAX_ELEMENTS) return false;
  const known = new Map<string, number>();
  const open = new Set<string>();
  const cost = (id: string): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const element = byId.get(id);
    if (element === undefined || open.has(id) || open.size > 1_000) return 0; // Circles are not drawn.
    open.add(id);
    const sum = element.copies.reduce((total, copied) => total + cost(copied), element.own);
    open.delete(id);
    known.set(id, sum);
    return sum;
  };
  return all.own + all.copies.reduce((total, id) => total + cost(id), 0) <= MAX_ELEMENTS;
}

/** Every element counts for itself and for all it stands in. */
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
    // Only elements that can be copied themselves need to know what stands in them.
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
