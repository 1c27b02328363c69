/**
 * Reads the size of an SVG from its first tag. Browsers draw an SVG without width and height with at
 * most 300×150 pixels, which makes diagrams unreadable.
 * Source: SVG 2, 8.12 (intrinsic sizing properties); CSS Values 3, 6.2 (absolute lengths).
 */

/** CSS pixels per unit. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
};

export interface SvgSize {
  readonly width: number;
  readonly height: number;
  /** True for a size in the file; false for the size of the view box. */
  readonly isFixed: boolean;
}

/** Returns the size in CSS pixels; undefined if the tag has no size. */
export function svgSize(text: string): SvgSize | undefined {
  const tag = /<(?:[\w-]+:)?svg(?=[\s>/])(?:[^<>"']|"[^"]*"|'[^']*')*>/.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const width = lengthOf(attribute(tag, "width"));
  const height = lengthOf(attribute(tag, "height"));
  if (width !== undefined && height !== undefined) return { width, height, isFixed: true };
  const [, , boxWidth = 0, boxHeight = 0] = (attribute(tag, "viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(boxWidth > 0 && boxHeight > 0)) return undefined;
  if (width !== undefined) return { width, height: (width * boxHeight) / boxWidth, isFixed: true };
  if (height !== undefined)
    return { width: (height * boxWidth) / boxHeight, height, isFixed: true };
  return { width: boxWidth, height: boxHeight, isFixed: false };
}

function attribute(tag: string, name: string): string | undefined {
  // Made of the name of an attribute.
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match?.[1] ?? match?.[2];
}

/** Returns a length in CSS pixels; undefined for relative units (%, em, vw). */
function lengthOf(text: string | undefined): number | undefined {
  const [, number = "", unit = ""] =
    /^\+?([\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec((text ?? "").trim()) ?? [];
  const length = Number.parseFloat(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return length > 0 && Number.isFinite(length) ? length : undefined;
}
