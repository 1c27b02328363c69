/** Rules for a color in place of another one, with antialiased edges. */

/** Largest error of a mixed color by rounding, in levels of a channel. */
const ROUNDING = 3;

/** Largest difference of the share of a color in an edge: at half a pixel, and by rounding alone. */
const MAX_BOLDER = 0.25;
const MIN_BOLDER = 0.04;

export function squared(one: number, other: number): number {
  let sum = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    sum += (((one >>> shift) & 255) - ((other >>> shift) & 255)) ** 2;
  }
  return sum;
}

/** True if the step from one color to another is a part of the step between two colors. */
export function isPart(
  one: number,
  other: number,
  from: number,
  to: number,
  length: number,
): boolean {
  const step = (shift: number, a: number, b: number) =>
    ((b >>> shift) & 255) - ((a >>> shift) & 255);
  let share = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    share += (step(shift, one, other) * step(shift, from, to)) / length;
  }
  if (share < 0 || one >>> 24 !== other >>> 24) return false;
  for (let shift = 0; shift < 24; shift += 8) {
    const error = step(shift, one, other) - share * step(shift, from, to);
    if (Math.abs(error) > ROUNDING) return false;
  }
  return true;
}

/** True for colors that a mask mixes with the background: text is drawn a little bolder in some colors. */
export function isCovered(
  one: number,
  other: number,
  from: number,
  to: number,
  background: number | undefined,
): boolean {
  if (background === undefined) return false;
  const first = shareOf(one, background, from);
  const second = shareOf(other, background, to);
  if (first === undefined || second === undefined) return false;
  const mean = (first + second) / 2;
  const mayDiffer = MIN_BOLDER + MAX_BOLDER * 4 * Math.max(0, mean * (1 - mean));
  return Math.abs(first - second) <= mayDiffer;
}

/** Returns the share of a color in its mixture with the background; undefined for other colors. */
function shareOf(mixed: number, background: number, color: number): number | undefined {
  const length = squared(background, color);
  if (!isPart(background, mixed, background, color, length)) return undefined;
  return Math.sqrt(squared(background, mixed) / length);
}
