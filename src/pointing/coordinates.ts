/**
 * Scales in which vision models give coordinates, and their conversion to pixels of a picture as it was
 * sent. Independent of the notation, which readPointing.ts reads.
 */

/** Scales that a setting or Test Connection can choose for a model. */
export const COORDINATE_SCALES = [
  /** Pixels of the picture as it was sent. */
  "pixels",
  /** 0 to 1000 on both axes, x first. */
  "thousand",
  /** 0 to 1000 on both axes, y first. */
  "thousandYFirst",
  /** 0 to 1 on both axes. */
  "one",
  /** Pixels after the service made the sides multiples of 28 or 32, up to a number of tokens. */
  "pixels28x1280",
  "pixels28x16384",
  "pixels32x1280",
  "pixels32x16384",
] as const;
export type CoordinateScale = (typeof COORDINATE_SCALES)[number];

/** Scales that only a notation implies. */
export type FormScale = CoordinateScale | "thousandLess1" | "loc1024YFirst" | "percent";

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Rectangle in pixels; a point has neither width nor height. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Share of a side by which coordinates may be outside the picture; they are moved to its edge. */
const MAX_OUTSIDE = 0.02;

/**
 * Returns the region of two or four coordinates in pixels of the picture; undefined if they are no
 * region of this picture.
 * @param size size of the picture as sent
 */
export function regionOf(
  numbers: readonly number[],
  scale: FormScale,
  size: Size,
): Region | undefined {
  const isYFirst = scale === "thousandYFirst" || scale === "loc1024YFirst";
  const unit = unitOf(scale, size);
  const pairs = numbers.flatMap((first, index) => {
    const second = numbers[index + 1];
    if (index % 2 === 1 || second === undefined) return [];
    const [x, y] = isYFirst ? [second, first] : [first, second];
    return [{ x: (x / unit.widthPx) * size.widthPx, y: (y / unit.heightPx) * size.heightPx }];
  });
  const [start, end] = pairs;
  if (start === undefined || pairs.length > 2) return undefined;
  if (!pairs.every(({ x, y }) => isInside(x, size.widthPx) && isInside(y, size.heightPx))) {
    return undefined;
  }
  if (end !== undefined && (end.x <= start.x || end.y <= start.y)) return undefined;
  const left = clamp(start.x, size.widthPx);
  const top = clamp(start.y, size.heightPx);
  if (end === undefined) return { x: left, y: top, width: 0, height: 0 };
  const width = clamp(end.x, size.widthPx) - left;
  const height = clamp(end.y, size.heightPx) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : undefined;
}

/** Returns the numbers with which a model names a region; the reverse of `regionOf`, unrounded. */
export function numbersOf({ x, y, width, height }: Region, scale: FormScale, size: Size): number[] {
  const unit = unitOf(scale, size);
  const isYFirst = scale === "thousandYFirst" || scale === "loc1024YFirst";
  const corners =
    width === 0 && height === 0
      ? [[x, y]]
      : [
          [x, y],
          [x + width, y + height],
        ];
  return corners.flatMap(([atX = 0, atY = 0]) => {
    const pair = [(atX / size.widthPx) * unit.widthPx, (atY / size.heightPx) * unit.heightPx];
    return isYFirst ? pair.reverse() : pair;
  });
}

/** Returns the numbers of the picture's right and lower edge. */
function unitOf(scale: FormScale, size: Size): Size {
  switch (scale) {
    case "pixels":
      return size;
    case "thousand":
    case "thousandYFirst":
      return square(1000);
    case "thousandLess1":
      return square(999);
    case "one":
      return square(1);
    case "loc1024YFirst":
      return square(1024);
    case "percent":
      return square(100);
    case "pixels28x1280":
      return smartResize(size, 28, 1280);
    case "pixels28x16384":
      return smartResize(size, 28, 16_384);
    case "pixels32x1280":
      return smartResize(size, 32, 1280);
    case "pixels32x16384":
      return smartResize(size, 32, 16_384);
    default:
      return scale satisfies never;
  }
}

function square(sidePx: number): Size {
  return { widthPx: sidePx, heightPx: sidePx };
}

/** Minimum number of patches to which a small picture is enlarged. */
const MIN_PATCHES = 4;

/**
 * Returns the size to which a service brings a picture before its model sees it. Source:
 * https://github.com/QwenLM/Qwen2.5-VL, `smart_resize` of qwen-vl-utils.
 */
export function smartResize({ widthPx, heightPx }: Size, patchPx: number, maxTokens: number): Size {
  const pixels = widthPx * heightPx;
  const maxPixels = maxTokens * patchPx * patchPx;
  const minPixels = MIN_PATCHES * patchPx * patchPx;
  const width = Math.max(patchPx, Math.round(widthPx / patchPx) * patchPx);
  const height = Math.max(patchPx, Math.round(heightPx / patchPx) * patchPx);
  if (width * height > maxPixels) {
    const shrink = Math.sqrt(pixels / maxPixels);
    return {
      widthPx: Math.max(patchPx, Math.floor(widthPx / shrink / patchPx) * patchPx),
      heightPx: Math.max(patchPx, Math.floor(heightPx / shrink / patchPx) * patchPx),
    };
  }
  if (width * height < minPixels) {
    const grow = Math.sqrt(minPixels / pixels);
    return {
      widthPx: Math.ceil((widthPx * grow) / patchPx) * patchPx,
      heightPx: Math.ceil((heightPx * grow) / patchPx) * patchPx,
    };
  }
  return { widthPx: width, heightPx: height };
}

function isInside(at: number, side: number): boolean {
  return at >= -side * MAX_OUTSIDE && at <= side * (1 + MAX_OUTSIDE);
}

function clamp(at: number, side: number): number {
  return Math.min(side, Math.max(0, at));
}

/** Error of a calibrated coordinate above which a scale does not count, as a share of a side. */
const MAX_CALIBRATION_ERROR = 0.03;

/**
 * Returns the scale in which these numbers fit a known region best; undefined if none is close. Prefers
 * the simpler of two equal scales.
 */
export function calibrate(
  numbers: readonly number[],
  region: Region,
  size: Size,
): CoordinateScale | undefined {
  let best: { readonly scale: CoordinateScale; readonly error: number } | undefined;
  for (const scale of COORDINATE_SCALES) {
    const found = numbers.length === 4 ? regionOf(numbers, scale, size) : undefined;
    if (found === undefined) continue;
    const error = Math.max(
      Math.abs(found.x - region.x) / size.widthPx,
      Math.abs(found.y - region.y) / size.heightPx,
      Math.abs(found.x + found.width - region.x - region.width) / size.widthPx,
      Math.abs(found.y + found.height - region.y - region.height) / size.heightPx,
    );
    const isBetter = best === undefined || error < best.error - 1e-9;
    if (error <= MAX_CALIBRATION_ERROR && isBetter) best = { scale, error };
  }
  return best?.scale;
}
