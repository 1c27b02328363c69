/**
 * Draws pictures anew: upright in their own pixels, as tiles, scaled down, or as a small likeness.
 * Runs in the picture worker; never enlarges anything.
 */

import { croppedArea, drawMarks, type Mark } from "./marks";

/** What one picture may be at most. */
export interface DrawingLimits {
  readonly maxSidePx: number;
  readonly maxBytes: number;
}

/** Pixels that neighbouring tiles share, so that no line of text is cut in every tile. */
const OVERLAP_PX = 120;

/** Smallest side of a tile; below it a picture is not cut further. */
const MIN_TILE_PX = 512;

/** Most tiles of one picture. */
const MAX_TILES = 64;

/** Quality of photos that have to be written anew; differences are not seen from here on. */
const JPEG_QUALITY = 0.95;

/** The whole picture, upright; a photo stays JPEG, everything else becomes PNG. */
export async function drawWhole(source: Blob | ImageBitmap, mediaType: string) {
  const bitmap = source instanceof ImageBitmap ? source : await createImageBitmap(source);
  const bytes = await encode(bitmap, bitmap.width, bitmap.height, mediaType);
  bitmap.close();
  return bytes;
}

/** Overlapping pieces at full resolution, row by row. */
export async function drawTiles(source: Blob, mediaType: string, limits: DrawingLimits) {
  const bitmap = await createImageBitmap(source);
  try {
    let sidePx = limits.maxSidePx;
    for (;;) {
      const tiles = await tilesOf(bitmap, sidePx, mediaType, limits);
      if (tiles !== undefined) return tiles;
      sidePx = Math.floor(Math.min(sidePx, Math.max(bitmap.width, bitmap.height)) * 0.7);
      if (sidePx < MIN_TILE_PX) throw new RangeError("the limits leave no room for tiles");
    }
  } finally {
    bitmap.close();
  }
}

/** The whole picture, as large as the limits allow. */
export async function drawScaled(source: Blob, mediaType: string, limits: DrawingLimits) {
  const bitmap = await createImageBitmap(source);
  try {
    let scale = Math.min(1, limits.maxSidePx / Math.max(bitmap.width, bitmap.height));
    for (;;) {
      const width = Math.max(1, Math.floor(bitmap.width * scale));
      const height = Math.max(1, Math.floor(bitmap.height * scale));
      const bytes = await encode(bitmap, width, height, mediaType);
      if (bytes.length <= limits.maxBytes) return bytes;
      if (width === 1 || height === 1) throw new RangeError("the limits leave no room");
      // Bytes grow with the area; a little less, since smaller pictures compress worse.
      scale *= Math.min(0.9, 0.95 * Math.sqrt(limits.maxBytes / bytes.length));
    }
  } finally {
    bitmap.close();
  }
}

/** The picture as the marks leave it: cropped, drawn on, and black where it was redacted. */
export async function drawMarked(source: Blob, mediaType: string, marks: readonly Mark[]) {
  const bitmap = await createImageBitmap(source);
  const { x, y, width, height } = croppedArea(marks, bitmap.width, bitmap.height);
  const canvas = new OffscreenCanvas(width, height);
  const context = contextOf(canvas);
  context.drawImage(bitmap, x, y, width, height, 0, 0, width, height);
  context.translate(-x, -y);
  drawMarks(context, marks, Math.max(bitmap.width, bitmap.height));
  bitmap.close();
  return bytesOf(canvas, mediaType);
}

/** A small likeness for the panel, in PNG. */
export async function drawSmall(source: Blob, maxSidePx: number): Promise<Uint8Array> {
  const bitmap = await createImageBitmap(source);
  const scale = Math.min(1, maxSidePx / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const bytes = await encode(bitmap, width, height, "image/png");
  bitmap.close();
  return bytes;
}

/** Undefined when one of them is still too large. */
async function tilesOf(
  bitmap: ImageBitmap,
  sidePx: number,
  mediaType: string,
  limits: DrawingLimits,
): Promise<Uint8Array[] | undefined> {
  const columns = spans(bitmap.width, sidePx);
  const rows = spans(bitmap.height, sidePx);
  if (columns.length * rows.length > MAX_TILES) throw new RangeError("too many tiles");
  const tiles: Uint8Array[] = [];
  for (const [top, height] of rows) {
    for (const [left, width] of columns) {
      const bytes = await encodePart(bitmap, left, top, width, height, mediaType);
      if (bytes.length > limits.maxBytes) return undefined;
      tiles.push(bytes);
    }
  }
  return tiles;
}

/** Starts and lengths of equal stretches that cover `length` and overlap. */
export function spans(length: number, sidePx: number): [start: number, length: number][] {
  if (length <= sidePx) return [[0, length]];
  const overlap = Math.min(OVERLAP_PX, Math.floor(sidePx / 4));
  const count = Math.ceil((length - overlap) / (sidePx - overlap));
  const each = Math.ceil((length + overlap * (count - 1)) / count);
  return Array.from({ length: count }, (_, index) => [
    Math.round(((length - each) * index) / (count - 1)),
    each,
  ]);
}

function encode(bitmap: ImageBitmap, width: number, height: number, mediaType: string) {
  const canvas = new OffscreenCanvas(width, height);
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return bytesOf(canvas, mediaType);
}

function encodePart(
  bitmap: ImageBitmap,
  left: number,
  top: number,
  width: number,
  height: number,
  mediaType: string,
) {
  const canvas = new OffscreenCanvas(width, height);
  contextOf(canvas).drawImage(bitmap, left, top, width, height, 0, 0, width, height);
  return bytesOf(canvas, mediaType);
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no memory for a canvas");
  return context;
}

async function bytesOf(canvas: OffscreenCanvas, mediaType: string): Promise<Uint8Array> {
  const isPhoto = mediaType === "image/jpeg";
  const blob = await canvas.convertToBlob(
    isPhoto ? { type: "image/jpeg", quality: JPEG_QUALITY } : { type: "image/png" },
  );
  return new Uint8Array(await blob.arrayBuffer());
}
