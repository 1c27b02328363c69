/**
 * Places the coordinates of a reply on the pictures that the model saw, and maps them through tile,
 * crop and scale to the original. Coordinates that fit no picture stay text.
 */
import {
  readingsOf,
  regionOf,
  type CoordinateScale,
  type Reading,
  type Region,
  type Size,
} from "./coordinates";
import { ASKED_EDGE, ASKED_SCALE } from "./instruction";
import { RANKS } from "./notations";
import type { PictureArea, SeenPicture } from "./pictureArea";
import type { ReadPoint } from "./readPointing";

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
  /** Coordinates, see `keyOf`, of a mark for which the reply gives a line of code. */
  readonly codeKey: string | undefined;
}

/** Positions of a reply in one of several scales that fit it. */
export interface ScaleChoice {
  readonly scale: CoordinateScale;
  /** Numbers of the right and lower edge of the first picture. */
  readonly unit: Size;
  readonly points: readonly PlacedPoint[];
}

export interface PlacedPoints {
  readonly points: readonly PlacedPoint[];
  /** Number of a box by its coordinates, see `keyOf`. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Coordinates that fit a picture in some scale, by `keyOf`. */
  readonly keys: ReadonlySet<string>;
  /** Scales between which the user has to choose; nothing is placed until then. Empty if one is certain. */
  readonly choices: readonly ScaleChoice[];
  /** True if there are several pictures and nothing names one. */
  readonly isPictureUnsure: boolean;
  /** True if the marks are in the scale that the question asked for, which no test confirmed. */
  readonly isAskedScale: boolean;
}

/** Range of a number of tokens that is not known exactly. */
export interface TokenRange {
  readonly least: number;
  readonly most: number;
}

export interface PlacingOptions {
  /** Scales that are possible after a test or choice; missing if nothing is known. */
  readonly scales?: readonly CoordinateScale[] | undefined;
  /** True if the user set the scale, so that it holds for every notation. */
  readonly isScaleChosen?: boolean | undefined;
  /** Hash of the picture that the user chose for coordinates without one. */
  readonly chosenHash?: string | undefined;
  /** True if the question asked for positions, in `ASKED_SCALE` unless the scale was known. */
  readonly isAsked?: boolean | undefined;
  /** True to list every scale that fits, also if the question named one. */
  readonly isEveryScale?: boolean | undefined;
  /** True while the reply may still name positions in a stronger notation. */
  readonly isStreaming?: boolean | undefined;
  /** Tokens that the service counted for all pictures. */
  readonly tokens?: TokenRange | undefined;
}

/** Maximum number of boxes in a reply; more are data, not pointing. */
export const MAX_POINTS = 200;

/**
 * Overlap, as a share of their union, above which boxes from different tiles are one, and above which two
 * scales give the same box.
 */
const SAME_OVERLAP = 0.6;

/** Maximum number of scales from which the user chooses, the likely ones first. */
const MAX_CHOICES = 2;

/** Largest difference of the edges of two regions that are the same, in units of their scales and in pixels. */
const SAME_UNITS = 0.5;
const SAME_PX = 0.5;

/**
 * Usual caps of services, in tokens: of DashScope and of the processors. Sources: the models'
 * preprocessor_config.json; https://github.com/QwenLM/Qwen2.5-VL;
 * https://www.alibabacloud.com/help/en/model-studio/vision, `max_pixels`
 */
const USUAL_TOKENS = [1280, 2560, 16_384];
const USUAL_CAPS = [28, 32].flatMap((patchPx) =>
  USUAL_TOKENS.map((tokens) => tokens * patchPx ** 2).map(
    (capPx) => `resized${patchPx}:${capPx}-${capPx}`,
  ),
);
const EVERY_CAP = ["resized28:0-", "resized32:0-"];

const UNKNOWN_SIZE = { widthPx: 1, heightPx: 1 };

const NOTHING: PlacedPoints = {
  points: [],
  numbers: new Map(),
  keys: new Set(),
  choices: [],
  isPictureUnsure: false,
  isAskedScale: false,
};

/** Returns the name of coordinates in `PlacedPoints.numbers`. */
export function keyOf(numbers: readonly number[]): string {
  return numbers.join(",");
}

/** Coordinates and the picture to which they belong. */
interface Target {
  readonly point: ReadPoint;
  readonly picture: SeenPicture | undefined;
  /** Scale of the notation; undefined if the scale of the model decides. */
  readonly ownScale: CoordinateScale | undefined;
}

export function placePoints(
  read: readonly ReadPoint[],
  pictures: readonly SeenPicture[],
  options: PlacingOptions = {},
): PlacedPoints {
  const isPictureAsked = pictures.some(({ isOfQuestion }) => isOfQuestion);
  const counting = countingPoints(
    read,
    isPictureAsked ? options : { ...options, scales: undefined },
  );
  if (pictures.length === 0 || counting.length === 0 || counting.length > MAX_POINTS) {
    return NOTHING;
  }
  const targets = counting.map((point) => {
    const picture = pictureOf(point, pictures, options);
    return { point, picture, ownScale: ownScaleOf(point, picture, options) };
  });
  const isAskedScale = fitsAskedScale(targets, options);
  let scales = distinct(
    candidatesOf(targets, pictures, isAskedScale ? { scales: [ASKED_SCALE] } : options),
  );
  const onlyScale = scales.length === 1 ? scales[0]?.scale : undefined;
  if (options.scales === undefined && onlyScale !== undefined && isPixels(onlyScale)) {
    // A service with an unusual cap can have made the pictures smaller.
    const every = [onlyScale, ...EVERY_CAP];
    scales = distinct(candidatesOf(targets, pictures, { scales: every }));
  }
  const isPictureUnsure = targets.some(({ picture }) => picture === undefined);
  if (scales.length <= 1) {
    const placed = placeAll(targets, scales[0]?.scale);
    const keys = new Set(placed.numbers.keys());
    return { ...placed, keys, choices: [], isPictureUnsure, isAskedScale };
  }
  const open = targets.find(({ picture, ownScale }) => picture && ownScale === undefined);
  const placings = scales.slice(0, MAX_CHOICES).map(({ scale }) => ({
    scale,
    ...placeAll(targets, scale),
    unit: readingsOf(scale, open?.picture ?? UNKNOWN_SIZE)[0]?.unit ?? UNKNOWN_SIZE,
  }));
  const keys = new Set(placings.flatMap(({ numbers }) => [...numbers.keys()]));
  const choices = placings.map(({ scale, unit, points }) => ({ scale, unit, points }));
  return { ...NOTHING, keys, choices, isPictureUnsure };
}

/**
 * Returns the coordinates in the strongest notation of the reply. Weak notations count if they were asked
 * for, and labeled boxes of JSON and tables also if the scale of the model is known.
 */
export function countingPoints(
  read: readonly ReadPoint[],
  { isAsked = false, isStreaming = false, scales }: PlacingOptions,
): readonly ReadPoint[] {
  const strongest = read.reduce((most, { convention }) => Math.max(most, convention.rank), 0);
  const isWeak = strongest < RANKS.declared;
  if (isWeak && (isStreaming || !(isAsked || scales))) return [];
  const counting = read.filter(({ convention }) => convention.rank === strongest);
  return isWeak && !isAsked ? counting.filter(isLabeledBox) : counting;
}

/** True for a labeled box with named corners in JSON, or in a column of boxes. */
function isLabeledBox({ numbers, label, convention }: ReadPoint): boolean {
  const { rank, order } = convention;
  const isJson = rank === RANKS.keyed && order === "fixed" && convention.scale === undefined;
  const isColumn = rank === RANKS.table && order === "unknown";
  return numbers.length === 4 && label !== "" && (isJson || isColumn);
}

/** True if the question named the scale, and each number that it decides is a whole number in its range. */
function fitsAskedScale(
  targets: readonly Target[],
  { isAsked, scales, isEveryScale }: PlacingOptions,
): boolean {
  if (isAsked !== true || scales !== undefined || isEveryScale === true) return false;
  const open = targets.filter(({ ownScale, picture }) => picture && ownScale === undefined);
  const numbers = open.flatMap(({ point }) => point.numbers);
  const isInRange = numbers.every((number) => Number.isInteger(number) && number <= ASKED_EDGE);
  return isInRange && numbers.some((number) => number > 1);
}

/** Returns the scale that the notation defines, unless the numbers contradict it. */
function ownScaleOf(
  { numbers, convention }: ReadPoint,
  picture: SeenPicture | undefined,
  { isScaleChosen = false }: PlacingOptions,
): CoordinateScale | undefined {
  const { scale, isScaleFixed = false } = convention;
  if (scale === undefined || (isScaleChosen && !isScaleFixed)) return undefined;
  const [reading] = picture ? readingsOf(scale, picture) : [];
  const edge = reading?.unit.widthPx ?? Infinity;
  return isScaleFixed || numbers.every((number) => number <= edge) ? scale : undefined;
}

/** Scale of the model with the regions of all coordinates that it decides. */
interface Candidate {
  readonly scale: CoordinateScale;
  readonly regions: readonly (Region | undefined)[];
  /** Largest distances of the edges of each region that count as none, in pixels. */
  readonly allowed: readonly Size[];
}

/** Returns the scales in which most coordinates are inside their pictures, likely ones first. */
function candidatesOf(
  targets: readonly Target[],
  pictures: readonly SeenPicture[],
  { scales, tokens }: PlacingOptions,
): Candidate[] {
  const open = targets.filter(({ ownScale }) => ownScale === undefined);
  if (open.length === 0) return [];
  const possible = scales ?? scalesOf(open, tokens === undefined ? USUAL_CAPS : EVERY_CAP);
  const openPictures = open.flatMap(({ picture }) => picture ?? []);
  let names: readonly CoordinateScale[] = exactScales(possible, openPictures);
  if (tokens !== undefined) {
    const counted = exactScales(possible, pictures).filter((name) =>
      isCounted(name, pictures, tokens),
    );
    // A count that fits no size was not made in patches.
    if (counted.some(isResized)) names = counted;
  }
  const candidateOf = (scale: CoordinateScale): Candidate => ({
    scale,
    regions: open.map((target) => seenRegion(target, scale)),
    allowed: open.map((target) => allowedDistance(target, scale)),
  });
  const countOf = ({ regions }: Candidate) => regions.filter((region) => region).length;
  const candidates = likelyFirst(names, (scale) => countOf(candidateOf(scale))).map(candidateOf);
  const most = Math.max(...candidates.map(countOf));
  return most === 0 ? [] : candidates.filter((candidate) => countOf(candidate) === most);
}

/** Replaces a cap that is not known exactly by those that give the pictures different sizes. */
function exactScales(
  scales: readonly CoordinateScale[],
  pictures: readonly SeenPicture[],
): CoordinateScale[] {
  let exact = [...scales];
  const bySize = new Map(pictures.map((one) => [`${one.widthPx}x${one.heightPx}`, one]));
  for (const picture of bySize.values()) {
    const narrower = exact.flatMap((name) => readingsOf(name, picture).map(({ scale }) => scale));
    exact = [...new Set(narrower)];
  }
  return exact;
}

function isPixels(scale: CoordinateScale): boolean {
  return scale.startsWith("pixels") || isResized(scale);
}

function isResized(scale: CoordinateScale): boolean {
  return scale.startsWith("resized");
}

/**
 * Returns ranges and usual caps first, then of each kind of caps the smallest that leaves as many coordinates
 * inside, and the largest. Boxes only grow and move away from the corner as a cap falls, so those of all
 * other caps are between. Only the size without a cap is rounded, so it is compared too.
 */
function likelyFirst(
  scales: readonly CoordinateScale[],
  countOf: (scale: CoordinateScale) => number,
): readonly CoordinateScale[] {
  const likely = scales.filter((scale) => !isResized(scale) || isUsual(scale));
  const kindOf = (scale: CoordinateScale) => scale.replace(/:\d{1,9}-\d{0,10}/, "");
  const ends = [...new Set(scales.map(kindOf))].flatMap((kind) => {
    const rising = scales.filter((scale) => kindOf(scale) === kind);
    const whole = rising.pop();
    const most = countOf(rising.at(-1) ?? "");
    let [first, last] = [0, rising.length - 1];
    while (first < last) {
      const middle = Math.floor((first + last) / 2);
      if (countOf(rising[middle] ?? "") < most) first = middle + 1;
      else last = middle;
    }
    return [rising[first], rising.at(-1), whole].flatMap((scale) => scale ?? []);
  });
  return [...new Set([...likely, ...ends])];
}

/** True for the pixels that a usual cap gives. */
function isUsual(scale: CoordinateScale): boolean {
  const [, patchPx, low, high] = /^resized(\d+)(?:min\d+)?:(\d+)-(\d*)/.exec(scale) ?? [];
  return USUAL_TOKENS.some((tokens) => {
    const cap = tokens * Number(patchPx) ** 2;
    return cap >= Number(low) && (high === "" || cap <= Number(high));
  });
}

/** Returns the scales that coordinates can have if nothing is known about the model. */
function scalesOf(open: readonly Target[], caps: readonly CoordinateScale[]): CoordinateScale[] {
  const all = open.flatMap(({ point }) => point.numbers);
  const isFraction = all.some((number) => !Number.isInteger(number));
  const ranges = [
    ...(all.every((number) => number <= 1) ? ["one"] : []),
    ...(isFraction && all.every((number) => number <= 1) ? [] : ["thousand"]),
    ...(isFraction && all.some((number) => number > 1) ? ["percent"] : []),
  ];
  const isOpen = open.some(({ point }) => point.convention.order === "unknown");
  const yFirst = isOpen ? ranges.map((range) => `${range}YFirst`) : [];
  const isShare = isFraction && all.every((number) => number <= 1);
  const pixels = isShare ? [] : ["pixels", ...caps];
  return [...ranges, ...yFirst, ...pixels];
}

/** Returns false for a cap with which the service would have counted other numbers of tokens. */
function isCounted(
  scale: CoordinateScale,
  pictures: readonly SeenPicture[],
  tokens: TokenRange,
): boolean {
  const counts = pictures.map((picture) => readingsOf(scale, picture)[0]?.tokens ?? NaN);
  const sum = counts.reduce((all, count) => all + count, 0);
  return Number.isNaN(sum) || (sum >= tokens.least && sum <= tokens.most);
}

function readingOf(
  { point: { convention } }: Target,
  scale: CoordinateScale,
  picture: SeenPicture,
): Reading | undefined {
  const [reading] = readingsOf(scale, picture);
  const isFixed = convention.order === "fixed" && scale !== convention.scale;
  return reading && isFixed ? { ...reading, isYFirst: false } : reading;
}

/** Returns the region in the sent picture; undefined for coordinates outside it. */
function seenRegion(target: Target, modelScale: CoordinateScale | undefined): Region | undefined {
  const { point, picture } = target;
  const scale = target.ownScale ?? modelScale;
  const reading = picture && scale !== undefined && readingOf(target, scale, picture);
  return reading ? regionOf(point.numbers, reading, picture) : undefined;
}

function allowedDistance(target: Target, scale: CoordinateScale): Size {
  const { picture } = target;
  const unit = picture && readingOf(target, scale, picture)?.unit;
  if (picture === undefined || unit === undefined) return { widthPx: 0, heightPx: 0 };
  // Numbers from 0 to 1 have a finer unit: that of their last digit.
  const digits = target.point.numbers.map((one) => String(one).split(".")[1]?.length ?? 0);
  const units = SAME_UNITS / 10 ** Math.max(...digits);
  return {
    widthPx: SAME_PX + (units * picture.widthPx) / unit.widthPx,
    heightPx: SAME_PX + (units * picture.heightPx) / unit.heightPx,
  };
}

/** Returns the candidates without those whose boxes overlap those of an earlier one. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const distinctCandidates: Candidate[] = [];
  for (const candidate of candidates) {
    if (!distinctCandidates.some((other) => isSame(candidate, other)))
      distinctCandidates.push(candidate);
  }
  return distinctCandidates;
}

function isSame(one: Candidate, other: Candidate): boolean {
  const doesOverlap = one.regions.every((region, index) => {
    const otherRegion = other.regions[index];
    return region && otherRegion && overlap(region, otherRegion) > SAME_OVERLAP;
  });
  const isNear = one.regions.every((a, index) => {
    const b = other.regions[index];
    if (a === undefined || b === undefined) return a === b;
    const allowed = (side: keyof Size) =>
      Math.max(one.allowed[index]?.[side] ?? 0, other.allowed[index]?.[side] ?? 0);
    const across = Math.max(Math.abs(a.x - b.x), Math.abs(a.x + a.width - b.x - b.width));
    const down = Math.max(Math.abs(a.y - b.y), Math.abs(a.y + a.height - b.y - b.height));
    return across <= allowed("widthPx") && down <= allowed("heightPx");
  });
  return doesOverlap || isNear;
}

function placeAll(
  targets: readonly Target[],
  scale: CoordinateScale | undefined,
): Pick<PlacedPoints, "points" | "numbers"> {
  const points: (PlacedPoint & { readonly fromHash: string })[] = [];
  const numbers = new Map<string, number>();
  for (const target of targets) {
    const { point, picture } = target;
    const seen = seenRegion(target, scale);
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
    const codeKey = point.codePlace && key;
    const { label } = point;
    points.push({ number, label, ...shown, name, region, codeKey, fromHash: picture.hash });
  }
  return { points, numbers };
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
  const ofQuestion = pictures.filter(({ isOfQuestion }) => isOfQuestion);
  let candidates = ofQuestion.length > 0 ? ofQuestion : pictures;
  const numbered = pictures.filter(({ number }) => number === picture);
  if (numbered.length > 0) candidates = numbered;
  else {
    const mentioned = candidates.filter(({ name }) => name !== "" && before.includes(name));
    if (mentioned.length > 0) candidates = mentioned;
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
