/**
 * Takes everything out of a PNG that says more than its pixels: text, EXIF, XMP, times, animation,
 * and whatever follows its end. Byte by byte, nothing is decoded; each chunk's checksum is checked.
 * Format: https://www.w3.org/TR/png-3/
 */
import { crc32 } from "../base/crc32";
import { exifOrientation } from "./exifOrientation";

/** A picture without its metadata; the very same bytes when there was none. */
export interface CleanedBytes {
  readonly bytes: Uint8Array;
  /** How the stored pixels are to be turned, 1 to 8 as EXIF counts; 1 is upright. */
  readonly orientation: number;
}

/** Chunks that decide how the pixels look. */
const KEPT = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs bKGD".split(" "),
);

/** Most chunks of a picture; one of the largest has some ten thousand. */
export const MAX_CHUNKS = 100_000;

const SIGNATURE_BYTES = 8;
/** Length, name and checksum around a chunk's data. */
const FRAME_BYTES = 12;

/** The cleaned PNG; undefined when the bytes are none, damaged, cut short or in too many chunks. */
export function cleanPng(bytes: Uint8Array): CleanedBytes | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let orientation = 1;
  let hasPixels = false;
  let at = SIGNATURE_BYTES;
  for (let count = 0; count < MAX_CHUNKS && at + FRAME_BYTES <= bytes.length; count++) {
    const length = view.getUint32(at);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) return undefined;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(name)) return undefined;
    if ((at === SIGNATURE_BYTES) !== (name === "IHDR")) return undefined;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return undefined;
    if (name === "IHDR" && !isHeaderValid(bytes.subarray(at + 8, end - 4))) return undefined;
    if (name === "eXIf") orientation = exifOrientation(bytes.subarray(at + 8, end - 4));
    hasPixels ||= name === "IDAT" && length > 0;
    if (KEPT.has(name)) kept.push(bytes.subarray(at, end));
    at = end;
    if (name === "IEND") return hasPixels ? { bytes: joined(kept, bytes), orientation } : undefined;
  }
  return undefined;
}

/** Bit depths that each colour type allows. Source: PNG, third edition, table 8. */
const BIT_DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/** True for header data whose fields the format allows: size, depth, colour, interlacing. */
function isHeaderValid(data: Uint8Array): boolean {
  if (data.length !== 13) return false;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isSized = view.getUint32(0) > 0 && view.getUint32(4) > 0;
  const isDepthAllowed = BIT_DEPTHS.get(view.getUint8(9))?.includes(view.getUint8(8)) === true;
  const methods = [view.getUint8(10), view.getUint8(11)];
  return (
    isSized && isDepthAllowed && methods.every((method) => method === 0) && view.getUint8(12) < 2
  );
}

/** The pieces as one; `whole` itself when nothing of it is missing. */
export function joined(pieces: readonly Uint8Array[], whole: Uint8Array): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length === whole.length) return whole;
  const made = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    made.set(piece, at);
    at += piece.length;
  }
  return made;
}
