/**
 * Reads the size of a picture from its header, bounded and without decoding pixels. A size does not
 * mean that the rest of the picture is intact.
 */
import { sniffPicture } from "./pictureType";

/** Width and height as stored, before any rotation that metadata asks for. */
export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Limit of JPEG segments before the frame header, which holds the size. */
const MAX_SEGMENTS = 500;

/** Number of first bytes of an AVIF in which the size is searched. */
const MAX_AVIF_HEAD_BYTES = 64 * 1024;

/** Limit of entries of an icon file that are read. */
const MAX_ICON_PICTURES = 64;

/** Returns the size in the header; undefined for damaged headers, SVGs and other files. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = readSize(view, bytes);
  return size !== undefined && size.widthPx > 0 && size.heightPx > 0 ? size : undefined;
}

function readSize(view: DataView, bytes: Uint8Array): PictureSize | undefined {
  const mediaType = sniffPicture(bytes);
  if (view.byteLength < 24 || mediaType === undefined) return undefined;
  switch (mediaType) {
    case "image/png":
      if (textAt(view, 12) !== "IHDR") return undefined;
      return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
    case "image/gif":
      return { widthPx: view.getUint16(6, true), heightPx: view.getUint16(8, true) };
    case "image/webp":
      return webpSize(view);
    case "image/bmp":
      return bmpSize(view);
    case "image/avif":
      return avifSize(view);
    case "image/x-icon":
      return iconSize(view);
    case "image/jpeg":
      return jpegSize(view);
    case "image/svg+xml":
      return undefined;
    default:
      return mediaType satisfies never;
  }
}

/**
 * A negative height means that the rows are stored from the top.
 * Source: Windows GDI, BITMAPCOREHEADER (OS/2, 12 bytes) and BITMAPINFOHEADER.
 */
function bmpSize(view: DataView): PictureSize | undefined {
  if (view.byteLength < 26) return undefined;
  if (view.getUint32(14, true) === 12)
    return { widthPx: view.getUint16(18, true), heightPx: Math.abs(view.getInt16(20, true)) };
  return { widthPx: view.getInt32(18, true), heightPx: Math.abs(view.getInt32(22, true)) };
}

/** Reads the size of the canvas or of the first frame. Source: https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): PictureSize | undefined {
  if (view.byteLength < 30) return undefined;
  switch (textAt(view, 12)) {
    case "VP8X":
      return { widthPx: uint24At(view, 24) + 1, heightPx: uint24At(view, 27) + 1 };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return {
        widthPx: view.getUint16(26, true) & 0x3fff,
        heightPx: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return undefined;
  }
}

/** Returns the largest "image spatial extents" box near the start. Source: ISO/IEC 23008-12, 6.5.3. */
function avifSize(view: DataView): PictureSize | undefined {
  let largest: PictureSize | undefined;
  const end = Math.min(view.byteLength, MAX_AVIF_HEAD_BYTES) - 16;
  for (let at = 8; at < end; at++) {
    if (view.getUint32(at) !== 0x69737065) continue; // "ispe", then four bytes of flags
    const size = { widthPx: view.getUint32(at + 8), heightPx: view.getUint32(at + 12) };
    const isLarger = largest === undefined || size.widthPx > largest.widthPx;
    if (isLarger) largest = size;
  }
  return largest;
}

/** Returns the largest sides of an icon file; a stored 0 means 256. */
function iconSize(view: DataView): PictureSize | undefined {
  const sides: number[] = [];
  const count = Math.min(view.getUint16(4, true), MAX_ICON_PICTURES);
  for (let at = 6; at < 6 + count * 16 && at + 2 <= view.byteLength; at += 16) {
    sides.push(view.getUint8(at) || 256, view.getUint8(at + 1) || 256);
  }
  const sidePx = Math.max(...sides);
  return sides.length === 0 ? undefined : { widthPx: sidePx, heightPx: sidePx };
}

/** Walks the segments to the first frame header. Source: ITU-T T.81, annex B. */
function jpegSize(view: DataView): PictureSize | undefined {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at + 9 <= view.byteLength; segment++) {
    at = nextMarker(view, at);
    if (at + 9 > view.byteLength) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { widthPx: view.getUint16(at + 7), heightPx: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/**
 * Returns the offset of the first marker from `at` on. Decoders skip fill bytes and bytes that a wrong
 * segment length leaves over.
 */
export function nextMarker(view: DataView, at: number): number {
  let start = at;
  while (start + 1 < view.byteLength) {
    const next = view.getUint8(start + 1);
    if (view.getUint8(start) === 0xff && next !== 0x00 && next !== 0xff) return start;
    start++;
  }
  return view.byteLength;
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

function uint24At(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}
