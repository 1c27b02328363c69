/**
 * Removes the metadata of a PNG: text, EXIF, XMP, times, color profile, animation and bytes after the
 * end. Pixels stay byte for byte; the checksum of each chunk is verified.
 * Format: https://www.w3.org/TR/png-3/
 */
import { concatBytes } from "../base/concatBytes";
import { crc32 } from "../base/crc32";
import { exifOrientation } from "./exifOrientation";

/** A picture without its metadata; the same bytes if it had none. */
export interface CleanedBytes {
  readonly bytes: Uint8Array;
  /** Rotation of the stored pixels, 1 to 8 as in EXIF; 1 is upright. */
  readonly orientation: number;
  /** True if a color profile was removed without which the colors can look different. */
  readonly hadProfile: boolean;
}

/** Chunks that decide how the pixels look. */
const KEPT = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB cICP mDCV cLLI sBIT pHYs bKGD".split(" "),
);

/** Limit of chunks; the largest pictures have about 10,000. */
const MAX_CHUNKS = 100_000;

const SIGNATURE_BYTES = 8;
/** Length, name and checksum around the data of a chunk. */
const FRAME_BYTES = 12;

/** Returns the cleaned PNG; undefined for other formats and for damaged or incomplete bytes. */
export function cleanPng(bytes: Uint8Array): CleanedBytes | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let orientation = 1;
  let hadProfile = false;
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
    const data = bytes.subarray(at + 8, end - 4);
    if (name === "IHDR" && !isHeaderValid(data)) return undefined;
    if (name === "eXIf") orientation = exifOrientation(data);
    hasPixels ||= name === "IDAT" && length > 0;
    hadProfile ||= name === "iCCP";
    if (KEPT.has(name)) pieces.push(bytes.subarray(at, end));
    at = end;
    if (name !== "IEND") continue;
    return hasPixels ? { bytes: joinKept(pieces, bytes), orientation, hadProfile } : undefined;
  }
  return undefined;
}

/** Bit depths that each color type allows. Source: PNG, third edition, table 8. */
const BIT_DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/** True for header data whose size, depth, color type and methods the format allows. */
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

/** Joins pieces; returns `whole` itself if the pieces are all of its bytes. */
export function joinKept(pieces: readonly Uint8Array[], whole: Uint8Array): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const isWhole = length === whole.length && pieces.every(({ buffer }) => buffer === whole.buffer);
  return isWhole ? whole : concatBytes(pieces);
}
