/**
 * Draws the difference of two pictures: the first in faded gray, with each different pixel in a color.
 * Runs in the picture worker.
 */
import pixelmatch from "pixelmatch";
import type { Size } from "../../pointing/coordinates";
import { newCanvas } from "./canvas";

/** Difference of colors that does not count in pictures that lose details; pixelmatch's default. */
const LOSSY_SLACK = 0.1;

/** Color of different pixels. */
const MARK: [number, number, number] = [227, 0, 140];

/** Color of edges that are only smoothed in another way; they count as equal. */
const SMOOTHED: [number, number, number] = [225, 225, 225];

/** Returns the PNG and the share of equal pixels of two pictures that are drawn in the same size. */
export async function drawDifference(first: Blob, second: Blob, { widthPx, heightPx }: Size) {
  const bitmaps = await Promise.all([createImageBitmap(first), createImageBitmap(second)]);
  const isPng = first.type === "image/png" && second.type === "image/png";
  const isExact = isPng && bitmaps[1].width === widthPx;
  const [firstPixels, secondPixels] = bitmaps.map((bitmap) => {
    const context = newCanvas(widthPx, heightPx, { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0, widthPx, heightPx);
    bitmap.close();
    return context.getImageData(0, 0, widthPx, heightPx).data;
  }) as [Uint8ClampedArray, Uint8ClampedArray];
  const drawn = new ImageData(widthPx, heightPx);
  const changedPixels = pixelmatch(firstPixels, secondPixels, drawn.data, widthPx, heightPx, {
    threshold: isExact ? 0 : LOSSY_SLACK,
    diffColor: MARK,
    aaColor: SMOOTHED,
  });
  const context = newCanvas(widthPx, heightPx);
  context.putImageData(drawn, 0, 0);
  const blob = await context.canvas.convertToBlob({ type: "image/png" });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { bytes, equalShare: 1 - changedPixels / (widthPx * heightPx) };
}
