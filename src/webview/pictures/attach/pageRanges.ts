/** Converts between chosen pages and their text, such as "1-3, 8". Pages are 1-based. */

/** Returns the pages of a text in their order; parts that are no pages are ignored. */
export function pagesOf(text: string, pageCount: number): number[] {
  const pages = new Set<number>();
  for (const part of text.split(/[,;，、\s]+/)) {
    const [, first, last] = /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(part) ?? [];
    if (first === undefined) continue;
    const [start, end] = [Number(first), Number(last ?? first)];
    for (let page = Math.max(1, start); page <= Math.min(end, pageCount); page++) pages.add(page);
  }
  return [...pages].sort((a, b) => a - b);
}

/** Returns the text of pages in ascending order; neighbours become a range. */
export function rangesOf(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.[1] === page - 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(", ");
}
