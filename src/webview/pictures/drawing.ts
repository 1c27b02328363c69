/**
 * Draws pictures for sending: upright, with marks, as tiles, scaled down, or as a small thumbnail. Marks
 * are drawn on the picture's own pixels before anything else, so that no tile and no scaled picture
 * holds what a redaction covers. Runs in the picture worker; never enlarges anything.
 */
import { MAX_TILES } from "../../protocol/pictureMessages";
import { addBackground } from "./background";
import { newCanvas } from "./canvas";
import { croppedArea, type Area, type Mark } from "./marks";
import { drawMarks } from "./markShapes";

export interface DrawingLimits {
  readonly maxSidePx: number;
  readonly maxBytes: number;
}

/** A drawn picture and its position in the picture it was cut from, in pixels; 0 for a whole. */
export interface DrawnPicture {
  readonly bytes: Uint8Array;
  readonly x: number;
  readonly y: number;
  /** Share of equal pixels from 0 to 1, for a picture of a difference. */
  readonly equalShare?: number;
}

/** Pixels that neighbouring tiles share, so that no line of text is cut in every tile. */
const OVERLAP_PX = 120;

/** Lower limit of the side of a tile. */
const MIN_TILE_PX = 512;

/**
 * JPEG qualities in the order they are tried, until the result is within the limits. Chromium
 * halves the resolution of colors (4:2:0) at any quality but 1.
 */
const JPEG_QUALITIES = [1, 0.95] as const;

/** Formats that keep their transparency. Others get a background: services draw some on black. */
const KEEPS_TRANSPARENCY = new Set(["image/png", "image/jpeg"]);

/** A picture with its marks and the area, in its own pixels, that is drawn. */
interface Marked {
  readonly bitmap: ImageBitmap;
  readonly area: Area;
  readonly marks: readonly Mark[];
  readonly mediaType: string;
}

/**
 * Draws the whole picture as the browser shows it: upright by its EXIF data, in sRGB. A JPEG stays JPEG,
 * other formats become PNG.
 */
export async function drawWhole(
  source: Blob | ImageBitmap,
  mediaType: string,
  maxBytes = Infinity,
) {
  const bitmap = source instanceof ImageBitmap ? source : await createImageBitmap(source);
  const context = newCanvas(bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  if (!KEEPS_TRANSPARENCY.has(mediaType)) addBackground(context);
  return bytesOf(context.canvas, mediaType, maxBytes);
}

/**
 * Draws overlapping tiles at full resolution, row by row; a single tile if the picture is within
 * the limits.
 */
export async function drawTiles(
  source: Blob,
  mediaType: string,
  limits: DrawingLimits,
  marks: readonly Mark[] = [],
) {
  const bitmap = await createImageBitmap(source);
  const area = croppedArea(marks, bitmap.width, bitmap.height);
  const marked: Marked = { bitmap, area, marks, mediaType };
  try {
    let sidePx = limits.maxSidePx;
    for (;;) {
      const tiles = await tilesOf(marked, sidePx, limits);
      if (tiles !== undefined) return tiles;
      sidePx = Math.floor(Math.min(sidePx, Math.max(area.width, area.height)) * 0.7);
      if (sidePx < MIN_TILE_PX) throw new RangeError("the limits leave no space for tiles");
    }
  } finally {
    bitmap.close();
  }
}

/**
 * A scaled picture may have as many bytes, however small its file is. Scaling blurs sharp edges, so that
 * a flat drawing of a few kilobytes would otherwise be scaled far down.
 */
const MIN_SCALED_BYTES = 1024 * 1024;

/** Draws the whole picture as large as the limits allow, but with no more bytes than its file. */
export async function drawScaled(
  source: Blob,
  mediaType: string,
  limits: DrawingLimits,
  marks: readonly Mark[] = [],
) {
  const maxBytes = Math.min(limits.maxBytes, Math.max(source.size, MIN_SCALED_BYTES));
  const bitmap = flattened(await createImageBitmap(source), marks);
  try {
    let scale = Math.min(1, limits.maxSidePx / Math.max(bitmap.width, bitmap.height));
    for (;;) {
      const width = Math.max(1, Math.floor(bitmap.width * scale));
      const height = Math.max(1, Math.floor(bitmap.height * scale));
      const context = newCanvas(width, height);
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, width, height);
      const bytes = await bytesOf(context.canvas, mediaType, maxBytes);
      if (bytes.length <= maxBytes) return bytes;
      if (width === 1 || height === 1) throw new RangeError("the limits leave no space");
      // Bytes grow with the area; a little less, since smaller pictures compress worse.
      scale *= Math.min(0.9, 0.95 * Math.sqrt(maxBytes / bytes.length));
    }
  } finally {
    bitmap.close();
  }
}

/** Longer side of a thumbnail relative to the shorter; of a longer picture the start is shown. */
const MAX_SMALL_RATIO = 2;

/** Draws a thumbnail for the panel, as PNG. */
export async function drawSmall(source: Blob, maxSidePx: number): Promise<Uint8Array> {
  const bitmap = await createImageBitmap(source);
  const cutWidth = Math.min(bitmap.width, bitmap.height * MAX_SMALL_RATIO);
  const cutHeight = Math.min(bitmap.height, bitmap.width * MAX_SMALL_RATIO);
  const scale = Math.min(1, maxSidePx / Math.max(cutWidth, cutHeight));
  const width = Math.max(1, Math.round(cutWidth * scale));
  const height = Math.max(1, Math.round(cutHeight * scale));
  const context = newCanvas(width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, cutWidth, cutHeight, 0, 0, width, height);
  bitmap.close();
  return bytesOf(context.canvas, "image/png", Infinity);
}

/** Rejects if the browser cannot decode the picture. */
export async function checkDecodable(source: Blob): Promise<void> {
  const bitmap = await createImageBitmap(source);
  bitmap.close();
}

/** Draws tiles of a given side; undefined if a tile has too many bytes. */
async function tilesOf(
  marked: Marked,
  sidePx: number,
  limits: DrawingLimits,
): Promise<DrawnPicture[] | undefined> {
  const { area } = marked;
  const columns = spans(area.width, sidePx);
  const rows = spans(area.height, sidePx);
  if (columns.length * rows.length > MAX_TILES) throw new RangeError("too many tiles");
  const tiles: DrawnPicture[] = [];
  for (const [top, height] of rows) {
    for (const [left, width] of columns) {
      const part = { x: area.x + left, y: area.y + top, width, height };
      const canvas = canvasOf(marked.bitmap, part, marked.marks);
      const bytes = await bytesOf(canvas, marked.mediaType, limits.maxBytes);
      if (bytes.length > limits.maxBytes) return undefined;
      tiles.push({ bytes, x: left, y: top });
    }
  }
  return tiles;
}

/** Returns starts and lengths of equal, overlapping spans that cover `length`. */
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

/** Returns the cropped picture with its marks; the same bitmap if there are no marks. */
function flattened(bitmap: ImageBitmap, marks: readonly Mark[]): ImageBitmap {
  if (marks.length === 0) return bitmap;
  const area = croppedArea(marks, bitmap.width, bitmap.height);
  const made = canvasOf(bitmap, area, marks).transferToImageBitmap();
  bitmap.close();
  return made;
}

function canvasOf(bitmap: ImageBitmap, part: Area, marks: readonly Mark[]): OffscreenCanvas {
  const { x, y, width, height } = part;
  const context = newCanvas(width, height);
  context.drawImage(bitmap, x, y, width, height, 0, 0, width, height);
  context.translate(-x, -y);
  drawMarks(context, marks, Math.max(bitmap.width, bitmap.height));
  return context.canvas;
}

/** Encodes a JPEG in the best quality within the limit, and other formats as PNG. */
async function bytesOf(
  canvas: OffscreenCanvas,
  mediaType: string,
  maxBytes: number,
): Promise<Uint8Array> {
  if (mediaType !== "image/jpeg") return encoded(canvas, { type: "image/png" });
  let bytes = new Uint8Array();
  for (const quality of JPEG_QUALITIES) {
    bytes = await encoded(canvas, { type: "image/jpeg", quality });
    if (bytes.length <= maxBytes) break;
  }
  return bytes;
}

async function encoded(canvas: OffscreenCanvas, options: ImageEncodeOptions) {
  const blob = await canvas.convertToBlob(options);
  return new Uint8Array(await blob.arrayBuffer());
}
