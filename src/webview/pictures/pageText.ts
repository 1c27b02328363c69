/** Text of a drawn page with the position of each character, and the areas of its parts. */
import type { Area } from "./marks";

/** Characters in a row that were drawn together, in pixels of the picture. */
export interface TextRun {
  /** UTF-16 offset in the text of the page. */
  readonly start: number;
  /** Smallest upright area around the run. */
  readonly area: Area;
  /** Left edge of each UTF-16 unit, and the right edge of the last; missing for text that is not upright. */
  readonly edges?: readonly number[];
}

export interface PageText {
  readonly text: string;
  readonly runs: readonly (TextRun & { readonly length: number })[];
}

/** Returns the areas of a part of the text, one for each run. */
export function areasOfText({ runs }: PageText, start: number, end: number): Area[] {
  return runs.flatMap(({ start: runStart, length, area, edges }) => {
    const from = Math.max(0, start - runStart);
    const to = Math.min(length, end - runStart);
    if (from >= to) return [];
    if (edges === undefined) return [area];
    // Widths are measured with the font of the page, which can differ a little from what was drawn.
    const slack = area.width / length;
    const left = Math.max(area.x, (edges[from] ?? area.x) - slack);
    const right = Math.min(area.x + area.width, (edges[to] ?? Infinity) + slack);
    return [{ ...area, x: left, width: right - left }];
  });
}
