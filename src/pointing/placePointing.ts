/**
 * Places the coordinates of a reply on the pictures that the model saw, and maps them through tile,
 * crop and scale to the original. Coordinates that fit no picture stay text.
 */
import { regionOf, type CoordinateScale, type FormScale, type Region } from "./coordinates";
import type { PictureArea } from "./pictureArea";
import type { ReadPoint } from "./readPointing";

/** Picture of a request, as the model saw it. */
export interface SeenPicture {
  readonly hash: string;
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** 1-based number in the conversation; tiles of a picture share it. */
  readonly number: number;
  /** 1-based number of a tile. */
  readonly tile?: number | undefined;
  /** True for a picture of the question itself, not of an earlier question. */
  readonly isOfQuestion: boolean;
  /** Area of the original that the picture shows; missing for an original. */
  readonly area?: PictureArea | undefined;
}

/** Box or point on an original. */
export interface PlacedPoint {
  /** 1-based; the same for boxes that are one. */
  readonly number: number;
  readonly label: string;
  /** Hash and size of the picture to show. */
  readonly hash: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly name: string;
  /** In pixels of the picture to show. */
  readonly region: Region;
}

export interface PlacedPoints {
  readonly points: readonly PlacedPoint[];
  /** Number of a box by its coordinates, see `keyOf`. */
  readonly numbers: ReadonlyMap<string, number>;
  /** True if pixels and 0-1000 both fit, and nothing else decides. */
  readonly isScaleUnsure: boolean;
  /** True if there are several pictures and nothing names one. */
  readonly isPictureUnsure: boolean;
}

export interface PlacingOptions {
  readonly scale?: CoordinateScale | undefined;
  /** True if the user chose the scale, so that it holds for every notation. */
  readonly isScaleChosen?: boolean | undefined;
  /** Hash of the picture that the user chose for coordinates without one. */
  readonly chosenHash?: string | undefined;
}

/** Maximum number of boxes in a reply; more are data, not pointing. */
export const MAX_POINTS = 200;

/** Overlap of two boxes from different tiles, as a share of their union, above which they are one. */
const SAME_OVERLAP = 0.6;

const NOTHING: PlacedPoints = {
  points: [],
  numbers: new Map(),
  isScaleUnsure: false,
  isPictureUnsure: false,
};

/** Returns the name of coordinates in `PlacedPoints.numbers`. */
export function keyOf(numbers: readonly number[]): string {
  return numbers.join(",");
}

export function placePoints(
  read: readonly ReadPoint[],
  pictures: readonly SeenPicture[],
  options: PlacingOptions = {},
): PlacedPoints {
  if (pictures.length === 0 || read.length === 0 || read.length > MAX_POINTS) return NOTHING;
  const points: (PlacedPoint & { readonly fromHash: string })[] = [];
  const numbers = new Map<string, number>();
  const placed = read.map((point) => ({ point, picture: pictureOf(point, pictures, options) }));
  const guess = guessScale(placed, options);
  for (const { point, picture } of placed) {
    const scale = scaleOf(point, guess.scale, options);
    const seen = picture && regionOf(point.numbers, scale, picture);
    if (picture === undefined || seen === undefined) continue;
    const { area } = picture;
    const shown = area
      ? { hash: area.hash, widthPx: area.ofWidthPx, heightPx: area.ofHeightPx }
      : { hash: picture.hash, widthPx: picture.widthPx, heightPx: picture.heightPx };
    const region = area ? inOriginal(seen, picture, area) : seen;
    const same = points.find(
      (other) =>
        other.hash === shown.hash &&
        (isEqual(other.region, region) ||
          (other.fromHash !== picture.hash && overlap(other.region, region) > SAME_OVERLAP)),
    );
    const number = same?.number ?? points.length + 1;
    const key = keyOf(point.numbers);
    if (!numbers.has(key)) numbers.set(key, number);
    if (same !== undefined) continue;
    const { name } = picture;
    points.push({ number, label: point.label, ...shown, name, region, fromHash: picture.hash });
  }
  return {
    points,
    numbers,
    isScaleUnsure: guess.isUnsure && points.length > 0,
    isPictureUnsure: placed.some(({ picture }) => picture === undefined),
  };
}

/** Maps a region of a sent picture to its original. */
function inOriginal(
  { x, y, width, height }: Region,
  { widthPx, heightPx }: SeenPicture,
  area: PictureArea,
): Region {
  const scaleX = area.widthPx / widthPx;
  const scaleY = area.heightPx / heightPx;
  return {
    x: area.x + x * scaleX,
    y: area.y + y * scaleY,
    width: width * scaleX,
    height: height * scaleY,
  };
}

/**
 * Returns the picture that the reply names by number, tile or file name. Otherwise the question's only
 * picture, or the overview of a picture in tiles.
 */
function pictureOf(
  { picture, tile, before }: ReadPoint,
  pictures: readonly SeenPicture[],
  { chosenHash }: PlacingOptions,
): SeenPicture | undefined {
  const own = pictures.filter(({ isOfQuestion }) => isOfQuestion);
  let candidates = own.length > 0 ? own : pictures;
  const numbered = pictures.filter(({ number }) => number === picture);
  if (numbered.length > 0) candidates = numbered;
  else {
    const named = candidates.filter(({ name }) => name !== "" && before.includes(name));
    if (named.length > 0) candidates = named;
  }
  const tiled = candidates.filter((one) => one.tile !== undefined && one.tile === tile);
  if (tiled.length > 0) candidates = tiled;
  if (candidates.length === 1) return candidates[0];
  const chosen = candidates.find(({ hash }) => hash === chosenHash);
  if (chosen !== undefined) return chosen;
  const overviews = candidates.filter((one) => one.tile === undefined);
  const isOnePicture = candidates.every(({ number }) => number === candidates[0]?.number);
  return isOnePicture && overviews.length === 1 ? overviews[0] : undefined;
}

function scaleOf(
  { scale, certainty }: ReadPoint,
  guessed: CoordinateScale,
  { scale: chosen, isScaleChosen = false }: PlacingOptions,
): FormScale {
  if (scale === undefined) return guessed;
  if (certainty === "always" || (certainty === "usual" && !isScaleChosen)) return scale;
  if (chosen === undefined) return guessed === "pixels" ? guessed : scale;
  return scale === "thousandLess1" && chosen === "thousand" ? scale : chosen;
}

/** Decides the scale of the notations that imply none, from all coordinates of the reply. */
function guessScale(
  placed: readonly { readonly point: ReadPoint; readonly picture: SeenPicture | undefined }[],
  { scale }: PlacingOptions,
): { readonly scale: CoordinateScale; readonly isUnsure: boolean } {
  if (scale !== undefined) return { scale, isUnsure: false };
  const open = placed.filter(({ point }) => point.certainty === "default");
  const all = open.flatMap(({ point }) => point.numbers);
  if (all.some((number) => number > 1000)) return { scale: "pixels", isUnsure: false };
  const isFraction = all.some((number) => !Number.isInteger(number));
  if (isFraction && all.every((number) => number <= 1)) return { scale: "one", isUnsure: false };
  const undecided = open.filter(({ point }) => point.scale === undefined);
  if (undecided.length === 0) return { scale: "thousand", isUnsure: false };
  const isPixels = undecided.every(
    ({ point, picture }) =>
      picture !== undefined &&
      Math.max(picture.widthPx, picture.heightPx) <= 1000 &&
      regionOf(point.numbers, "pixels", picture) !== undefined,
  );
  return isPixels ? { scale: "pixels", isUnsure: true } : { scale: "thousand", isUnsure: false };
}

function isEqual(a: Region, b: Region): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Returns the common area as a share of the area of both. */
function overlap(a: Region, b: Region): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const common = width * height;
  return common / (a.width * a.height + b.width * b.height - common);
}
