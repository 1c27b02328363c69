/**
 * Scales in which vision models give coordinates, and their conversion to pixels of a picture as it was
 * sent. Independent of the notation, which readPointing.ts reads.
 */

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

/** True if two regions have a common part. */
export function doOverlap(a: Region, b: Region): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * Name of a scale. Ranges are in `RANGES`; "YFirst" at the end exchanges the axes. Pixels are those
 * - of the picture as it was sent: `pixels`;
 * - after the service made both sides multiples of a patch, within a number of pixels:
 *   `resized28:LOW-HIGH`, with the limits between which the service's cap is known to be; `HIGH` is
 *   missing without an upper limit; `resized28min256:LOW-HIGH`, if small pictures get 256 patches;
 * - after the service made the picture fit a longest side or an area: `side:1568`, `area:1000000`.
 */
export type CoordinateScale = string;

/** Number of the right and lower edge. */
const RANGES = new Map([
  ["thousand", 1000],
  ["thousandLess1", 999],
  ["one", 1],
  ["percent", 100],
  ["loc1024", 1024],
]);

const NAME =
  /^(?:(pixels)|(side|area):(\d{1,9})|resized(28|32)(?:min(\d{1,4}))?:(\d{1,9})-(\d{0,10})|([a-z]+(?:Less1|1024)?))(YFirst)?$/;

/** Scale for a picture of a given size. */
export interface Reading {
  /** The scale, for caps of the service that give `unit`. */
  readonly scale: CoordinateScale;
  /** Numbers of the right and lower edge. */
  readonly unit: Size;
  readonly isYFirst: boolean;
  /** Tokens of the picture; known for patches only. */
  readonly tokens?: number;
}

export function isCoordinateScale(name: unknown): name is CoordinateScale {
  return typeof name === "string" && readingsOf(name, { widthPx: 100, heightPx: 100 }).length > 0;
}

/** Returns the readings of a scale for a picture; several where the service's cap is not known exactly. */
export function readingsOf(scale: CoordinateScale, size: Size): Reading[] {
  const match = NAME.exec(scale);
  if (match === null) return [];
  const [, pixels, limit, limitPx, patch, least, low, high, range] = match;
  const isYFirst = match[9] !== undefined;
  if (pixels !== undefined) return [{ scale, isYFirst, unit: size }];
  if (limit !== undefined)
    return [{ scale, isYFirst, unit: limited(size, limit, Number(limitPx)) }];
  if (range !== undefined) {
    const edge = RANGES.get(range);
    return edge === undefined ? [] : [{ scale, isYFirst, unit: { widthPx: edge, heightPx: edge } }];
  }
  const patchPx = Number(patch);
  const lowPx = Number(low);
  const highPx = high === "" ? Infinity : Number(high);
  const plain = smartResize(size, patchPx, Infinity, 0);
  const isSmall = plain.widthPx * plain.heightPx < Math.max(...MIN_PATCHES) * patchPx ** 2;
  const isMinOpen = least === undefined && isSmall;
  const minimums = isMinOpen ? MIN_PATCHES : [least === undefined ? undefined : Number(least)];
  return minimums.flatMap((minPatches) =>
    resizedSizes(size, { patchPx, minPatches, lowPx, highPx }).map(({ unit, ...caps }) => ({
      unit,
      isYFirst,
      tokens: (unit.widthPx * unit.heightPx) / patchPx ** 2,
      scale:
        `resized${patchPx}${minPatches === undefined ? "" : `min${minPatches}`}` +
        `:${caps.lowPx}-${caps.highPx === Infinity ? "" : caps.highPx}${isYFirst ? "YFirst" : ""}`,
    })),
  );
}

function limited({ widthPx, heightPx }: Size, limit: string, limitPx: number): Size {
  const share =
    limit === "side"
      ? limitPx / Math.max(widthPx, heightPx)
      : Math.sqrt(limitPx / (widthPx * heightPx));
  const by = Math.min(1, share);
  return { widthPx: Math.round(widthPx * by), heightPx: Math.round(heightPx * by) };
}

interface Patches {
  readonly patchPx: number;
  readonly minPatches: number | undefined;
  /** Limits between which the cap is, in pixels. */
  readonly lowPx: number;
  readonly highPx: number;
}

/** Sizes that a patch gives a picture, each with the caps, in pixels, that lead to it. */
function resizedSizes(
  size: Size,
  { patchPx, minPatches, lowPx, highPx }: Patches,
): { readonly unit: Size; readonly lowPx: number; readonly highPx: number }[] {
  const { widthPx, heightPx } = size;
  const whole = smartResize(size, patchPx, Infinity, minPatches);
  const wholePx = whole.widthPx * whole.heightPx;
  // Caps at which a side gets one more patch; neighbors are added against rounding errors.
  const caps = new Set([lowPx]);
  const addSteps = (sidePx: number, otherPx: number) => {
    const px = (patches: number) => (patches * patchPx) ** 2 * (otherPx / sidePx);
    const most = Math.ceil(Math.sqrt((Math.min(highPx, wholePx) * sidePx) / otherPx) / patchPx) + 1;
    const least = Math.floor(Math.sqrt((lowPx * sidePx) / otherPx) / patchPx);
    for (let patches = least; patches <= most; patches++) {
      for (const cap of [-1, 0, 1]) caps.add(Math.ceil(px(patches)) + cap);
    }
  };
  addSteps(widthPx, heightPx);
  addSteps(heightPx, widthPx);
  caps.add(wholePx);
  const inside = [...caps].filter((cap) => cap >= lowPx && cap <= Math.min(highPx, wholePx));
  const starts = inside.length > 0 ? inside.sort((a, b) => a - b) : [lowPx];
  const sizes: { unit: Size; lowPx: number; highPx: number }[] = [];
  for (const cap of starts) {
    const unit = smartResize(size, patchPx, cap, minPatches);
    const last = sizes.at(-1);
    if (last?.unit.widthPx === unit.widthPx && last.unit.heightPx === unit.heightPx) continue;
    if (last) last.highPx = cap - 1;
    sizes.push({ unit, lowPx: cap, highPx });
  }
  return sizes;
}

/**
 * Numbers of patches to which services enlarge a small picture: of qwen-vl-utils and Qwen2.5-VL, of
 * Qwen3-VL, and of the README of Qwen2.5-VL. Source: preprocessor_config.json of the models;
 * https://github.com/QwenLM/Qwen2.5-VL, `min_pixels = 256*28*28`
 */
const MIN_PATCHES: readonly number[] = [4, 64, 256];

/**
 * Returns the size to which a service brings a picture before its model sees it. Source:
 * https://github.com/QwenLM/Qwen2.5-VL, `smart_resize` of qwen-vl-utils.
 */
export function smartResize(
  { widthPx, heightPx }: Size,
  patchPx: number,
  maxPixels: number,
  minPatches = 4,
): Size {
  const pixels = widthPx * heightPx;
  const minPixels = minPatches * patchPx * patchPx;
  const width = Math.max(patchPx, roundHalfEven(widthPx / patchPx) * patchPx);
  const height = Math.max(patchPx, roundHalfEven(heightPx / patchPx) * patchPx);
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

/** Rounds as Python's `round` does, which the formula uses. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
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
  { unit, isYFirst }: Omit<Reading, "scale">,
  size: Size,
): Region | undefined {
  const pairs = numbers.flatMap((first, index) => {
    const second = numbers[index + 1];
    if (index % 2 === 1 || second === undefined) return [];
    const [x, y] = isYFirst ? [second, first] : [first, second];
    return [
      {
        x: (x / unit.widthPx) * size.widthPx,
        y: (y / unit.heightPx) * size.heightPx,
      },
    ];
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

function isInside(at: number, side: number): boolean {
  return at >= -side * MAX_OUTSIDE && at <= side * (1 + MAX_OUTSIDE);
}

function clamp(at: number, side: number): number {
  return Math.min(side, Math.max(0, at));
}

/** Returns the numbers with which a model names a region; the reverse of `regionOf`, unrounded. */
export function numbersOf(
  { x, y, width, height }: Region,
  { unit, isYFirst }: Omit<Reading, "scale">,
  size: Size,
): number[] {
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
