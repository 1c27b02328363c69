/**
 * Draws the difference of two pictures: the first in faded gray, with each different pixel in a color
 * whose strength grows with the difference. Runs in the picture worker.
 */
import type { ComparedSize } from "../comparedSize";
import { findRegions, type PixelRegion } from "./findRegions";
import type { Pixels } from "./pixelAreas";

/** Rows that are compared at once, to limit the memory for decoded pixels. */
const STRIP_ROWS = 256;

/** Color of different pixels. */
const MARK = [227, 0, 140] as const;

/** Strength of the color for the smallest difference, from 0 to 1. */
const MIN_STRENGTH = 0.45;

/** Returns the PNG and the number of pixels that differ. */
export async function drawDifference(first: Blob, second: Blob, size: ComparedSize) {
  const bitmaps = await Promise.all([createImageBitmap(first), createImageBitmap(second)]);
  const { widthPx: width, heightPx: height } = size.whole;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no memory for a canvas");
  let changedPixels = 0;
  try {
    const strips = [strip(bitmaps[0], size.first, width), strip(bitmaps[1], size.second, width)];
    for (let top = 0; top < height; top += STRIP_ROWS) {
      const rows = Math.min(STRIP_ROWS, height - top);
      const [one, other] = strips.map((read) => read(top, rows));
      if (one === undefined || other === undefined) break;
      changedPixels += markDifferences(one.data, other.data);
      context.putImageData(one, 0, top);
    }
  } finally {
    for (const bitmap of bitmaps) bitmap.close();
  }
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return { bytes: new Uint8Array(await blob.arrayBuffer()), changedPixels };
}

/** Difference of a channel that does not count in pictures that lose details. */
const LOSSY_SLACK = 24;

/**
 * Returns the regions in which a later picture differs from an earlier one, in the pixels of the later.
 * @param size sizes of the later and then of the earlier picture
 */
export async function regionsOf(
  later: Blob,
  earlier: Blob,
  size: ComparedSize,
): Promise<PixelRegion[]> {
  const bitmaps = await Promise.all([createImageBitmap(earlier), createImageBitmap(later)]);
  try {
    const sizes = [size.second, size.first];
    const [first, second] = bitmaps.map((bitmap, index) => pixelsOf(bitmap, sizes[index]));
    if (first === undefined || second === undefined) return [];
    const isExact =
      bitmaps.every(({ width }, index) => width === sizes[index]?.widthPx) &&
      [later, earlier].every(({ type }) => type === "image/png");
    return findRegions(first, second, isExact ? 0 : LOSSY_SLACK);
  } finally {
    for (const bitmap of bitmaps) bitmap.close();
  }
}

function pixelsOf(
  bitmap: ImageBitmap,
  drawn: ComparedSize["first"] = { widthPx: bitmap.width, heightPx: bitmap.height },
): Pixels {
  const { widthPx: width, heightPx: height } = drawn;
  const data = new Uint32Array(width * height);
  const read = strip(bitmap, drawn, width);
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = read(top, Math.min(STRIP_ROWS, height - top)).data;
    data.set(new Uint32Array(rows.buffer), top * width);
  }
  return { width, height, data };
}

/** Returns a function that reads rows of a picture that is drawn in a size. */
function strip(bitmap: ImageBitmap, drawn: ComparedSize["first"], width: number) {
  const canvas = new OffscreenCanvas(width, STRIP_ROWS);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no memory for a canvas");
  return (top: number, rows: number): ImageData => {
    context.clearRect(0, 0, width, STRIP_ROWS);
    context.drawImage(bitmap, 0, -top, drawn.widthPx, drawn.heightPx);
    return context.getImageData(0, 0, width, rows);
  };
}

/** Replaces the pixels of `one` by their difference to `other`; returns the number of differences. */
export function markDifferences(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  let changed = 0;
  const at = (pixels: Uint8ClampedArray, index: number) => pixels[index] ?? 0;
  for (let index = 0; index < one.length; index += 4) {
    let largest = 0;
    for (let channel = index; channel < index + 4; channel++) {
      largest = Math.max(largest, Math.abs(at(one, channel) - at(other, channel)));
    }
    const luma = 0.299 * at(one, index) + 0.587 * at(one, index + 1) + 0.114 * at(one, index + 2);
    const gray = at(one, index + 3) === 0 ? 255 : 191 + luma / 4;
    const strength = largest === 0 ? 0 : MIN_STRENGTH + (1 - MIN_STRENGTH) * (largest / 255);
    if (largest > 0) changed++;
    for (const [channel, mark] of MARK.entries()) {
      one[index + channel] = gray + (mark - gray) * strength;
    }
    one[index + 3] = 255;
  }
  return changed;
}
