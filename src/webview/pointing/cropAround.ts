import type { Area } from "../pictures/marks";

/** Side of the region around a point, and least side of a region, in pixels. */
const AROUND_POINT_PX = 240;
const MIN_REGION_PX = 28;

/** Returns the area to attach for a region: the region in whole pixels, or the surroundings of a point. */
export function cropAround(region: Area, widthPx: number, heightPx: number): Area {
  const isPoint = region.width === 0 && region.height === 0;
  const least = isPoint ? AROUND_POINT_PX : MIN_REGION_PX;
  const [x, width] = span(region.x, region.width, widthPx, least);
  const [y, height] = span(region.y, region.height, heightPx, least);
  return { x, y, width, height };
}

/** Returns start and length in whole pixels, at least `least` where the picture has as many. */
function span(start: number, length: number, side: number, least: number): [number, number] {
  const missing = Math.max(0, least - length) / 2;
  // Rounding first: a sum of fractions must not add a pixel.
  const from = Math.max(0, Math.floor(round(start - missing)));
  const to = Math.min(side, Math.ceil(round(start + length + missing)));
  return [from, Math.max(1, to - from)];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
