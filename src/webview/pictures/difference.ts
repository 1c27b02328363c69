/**
 * Draws the difference of two pictures: the first in faded gray, with each different pixel in a color.
 * Runs in the picture worker.
 */
import pixelmatch from "pixelmatch";
import { newCanvas } from "./canvas";
import type { ComparedSize } from "./comparedSize";

/** Difference of colors that does not count in pictures that lose details; pixelmatch's default. */
const LOSSY_SLACK = 0.1;

/** Color of different pixels. */
const MARK: [number, number, number] = [227, 0, 140];

/** Color of edges that are only smoothed in another way; they count as equal. */
const SMOOTHED: [number, number, number] = [225, 225, 225];

/** Returns the PNG and the share of equal pixels. What only one picture covers is different. */
export async function drawDifference(first: Blob, second: Blob, size: ComparedSize) {
  const width = Math.min(size.first.widthPx, size.second.widthPx);
  const height = Math.min(size.first.heightPx, size.second.heightPx);
  const bitmaps = await Promise.all([createImageBitmap(first), createImageBitmap(second)]);
  const isExact =
    first.type === "image/png" &&
    second.type === "image/png" &&
    bitmaps[1].width === size.second.widthPx;
  const firstPixels = pixelsOf(bitmaps[0], size.first, width, height);
  const secondPixels = pixelsOf(bitmaps[1], size.second, width, height);
  const drawn = new ImageData(width, height);
  const changedPixels = pixelmatch(firstPixels, secondPixels, drawn.data, width, height, {
    threshold: isExact ? 0 : LOSSY_SLACK,
    diffColor: MARK,
    aaColor: SMOOTHED,
  });
  const { widthPx, heightPx } = size.whole;
  const context = newCanvas(widthPx, heightPx);
  context.fillStyle = `rgb(${MARK.join(" ")})`;
  context.fillRect(0, 0, widthPx, heightPx);
  context.putImageData(drawn, 0, 0);
  const blob = await context.canvas.convertToBlob({ type: "image/png" });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { bytes, equalShare: (width * height - changedPixels) / (widthPx * heightPx) };
}

/** Returns the pixels of the top left part of a picture that is drawn in a size. */
function pixelsOf(
  bitmap: ImageBitmap,
  drawn: ComparedSize["first"],
  width: number,
  height: number,
): Uint8ClampedArray {
  const context = newCanvas(width, height, { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0, drawn.widthPx, drawn.heightPx);
  bitmap.close();
  return context.getImageData(0, 0, width, height).data;
}
