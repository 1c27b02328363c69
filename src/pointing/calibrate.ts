/**
 * Solves for the scale of a model's coordinates from the boxes that the model gives for marks at known
 * positions in a picture.
 */
import {
  numbersOf,
  readingsOf,
  type CoordinateScale,
  type Reading,
  type Region,
  type Size,
} from "./coordinates";

/** Scales that bare numbers can have, apart from pixels of a picture that the service made smaller. */
const SCALES = ["pixels", "thousand", "thousandLess1", "one", "percent"] as const;
const PATCHES = ["resized28:0-", "resized32:0-"] as const;

/** Error of an exact answer, in units of its last digit. */
const EXACT = 0.51;

/** Error of an inexact answer, as a share of a side. */
const MAX_ERROR = 0.004;

/** Sides and areas that a fit of the size may give; a smaller picture has no readable mark. */
const MIN_SIDE_PX = 100;

interface Fit {
  readonly scale: CoordinateScale;
  readonly isExact: boolean;
}

/**
 * Returns all scales in which boxes fit marks in a picture; empty if none does. Answers that fit a scale
 * exactly exclude scales that fit about.
 * @param boxes boxes of the reply, in any order
 * @param marks positions of the marks, in pixels of the picture
 */
export function calibrate(
  boxes: readonly (readonly number[])[],
  marks: readonly Region[],
  size: Size,
): CoordinateScale[] {
  if (boxes.length !== marks.length || boxes.some(({ length }) => length !== 4)) return [];
  const orders = marks.map((_, from) => [...boxes.slice(from), ...boxes.slice(0, from)]);
  const fits = orders.flatMap((ordered) => fitsOf(ordered, marks, size));
  const exact = fits.filter(({ isExact }) => isExact);
  // A range of 999 is the same as 1000 for an inexact answer.
  const bestFits = exact.length > 0 ? exact : fits.filter(({ scale }) => !scale.includes("Less1"));
  return [...new Set(bestFits.map(({ scale }) => scale))];
}

function fitsOf(
  boxes: readonly (readonly number[])[],
  marks: readonly Region[],
  size: Size,
): Fit[] {
  const digits = Math.max(
    ...boxes.flat().map((number) => String(number).split(".")[1]?.length ?? 0),
  );
  const step = 10 ** -digits;
  return [false, true].flatMap((isYFirst) => {
    const suffix = isYFirst ? "YFirst" : "";
    const names = [...SCALES, ...PATCHES, ...limitsOf(boxes, marks, size, isYFirst)];
    const readings = names.flatMap((name) => readingsOf(name + suffix, size));
    return readings.flatMap((reading) => {
      const errors = marks.flatMap((mark, index) =>
        errorsOf(boxes[index] ?? [], mark, reading, size),
      );
      const isNear = errors.every(({ ofSide }) => ofSide <= MAX_ERROR);
      const isExact = errors.every(({ by }) => by <= EXACT * step);
      return isNear ? [{ scale: reading.scale, isExact }] : [];
    });
  });
}

function errorsOf(box: readonly number[], mark: Region, reading: Reading, size: Size) {
  const { widthPx, heightPx } = reading.unit;
  return numbersOf(mark, reading, size).map((exact, index) => {
    const by = Math.abs(exact - (box[index] ?? NaN));
    const isX = (index % 2 === 0) !== reading.isYFirst;
    return { by, ofSide: by / (isX ? widthPx : heightPx) };
  });
}

/** Returns the longest side and the area that give the factor of the numbers, if they are smaller. */
function limitsOf(
  boxes: readonly (readonly number[])[],
  marks: readonly Region[],
  size: Size,
  isYFirst: boolean,
): CoordinateScale[] {
  const pixels = { unit: size, isYFirst };
  const exact = marks.flatMap((mark) => numbersOf(mark, pixels, size));
  const reported = boxes.flat();
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, one, index) => sum + one * (b[index] ?? 0), 0);
  const factor = dot(exact, reported) / dot(exact, exact);
  const sidePx = Math.round(factor * Math.max(size.widthPx, size.heightPx));
  const areaPx = Math.round(factor ** 2 * size.widthPx * size.heightPx);
  const isSmaller = factor < 1 - MAX_ERROR && sidePx >= MIN_SIDE_PX;
  return isSmaller ? [`side:${sidePx}`, `area:${areaPx}`] : [];
}
