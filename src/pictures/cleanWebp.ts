/**
 * Removes EXIF, XMP and bytes after the end of a WebP. Pixels stay byte for byte.
 * Format: https://developers.google.com/speed/webp/docs/riff_container
 */
import { isEqualBytes } from "../base/isEqualBytes";
import { joinKept, MAX_CHUNKS, type CleanedBytes } from "./cleanPng";
import { neutralProfile } from "./colorProfile";
import { exifOrientation } from "./exifOrientation";

const HEADER_BYTES = 12;

/** Bits of the VP8X chunk that announce EXIF and XMP, and the bit that announces a profile. */
const METADATA_FLAGS = 0x0c;
const PROFILE_FLAG = 0x20;

/** Returns the cleaned WebP; undefined for other formats and for damaged or incomplete bytes. */
export function cleanWebp(bytes: Uint8Array): CleanedBytes | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return undefined;
  const kept: Uint8Array[] = [bytes.subarray(0, HEADER_BYTES)];
  let orientation = 1;
  let hasPixels = false;
  let at = HEADER_BYTES;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= end; count++) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length % 2);
    if (at + 8 + length > end) return undefined;
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === "EXIF") orientation = exifOrientation(tiffOf(data));
    const chunk = bytes.subarray(at, Math.min(next, end));
    if (name === "ICCP") kept.push(...neutralChunks(chunk, data));
    else if (name !== "EXIF" && name !== "XMP ") kept.push(chunk);
    hasPixels ||= name === "VP8 " || name === "VP8L" || name === "ANMF";
    at = next;
  }
  if (!hasPixels || at + 8 <= end) return undefined;
  const cleaned = joinKept(kept, bytes);
  const hasProfile = kept.some((chunk) => chunk[0] === 0x49 && chunk[1] === 0x43); // "ICCP"
  return { bytes: cleaned === bytes ? bytes : correctHeader(cleaned, hasProfile), orientation };
}

/** Returns the chunk with a neutral color profile; none for a damaged profile. */
function neutralChunks(chunk: Uint8Array, data: Uint8Array): Uint8Array[] {
  const neutral = neutralProfile(data);
  if (neutral === undefined) return [];
  if (isEqualBytes(neutral, data)) return [chunk];
  const neutralChunk = new Uint8Array(8 + neutral.length); // A neutral profile has an even length.
  neutralChunk.set(chunk.subarray(0, 4));
  new DataView(neutralChunk.buffer).setUint32(4, neutral.length, true);
  neutralChunk.set(neutral, 8);
  return [neutralChunk];
}

/** Returns EXIF data from its TIFF header on; some programs write a JPEG segment's head first. */
function tiffOf(exif: Uint8Array): Uint8Array {
  return exif[0] === 0x45 ? exif.subarray(6) : exif;
}

/** Corrects the length and the flags in place. */
function correctHeader(bytes: Uint8Array, hasProfile: boolean): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(4, bytes.length - 8, true);
  const isExtended = bytes[15] === 0x58; // "VP8X"
  const dropped = METADATA_FLAGS | (hasProfile ? 0 : PROFILE_FLAG);
  if (isExtended) bytes[HEADER_BYTES + 8] = (bytes[HEADER_BYTES + 8] ?? 0) & ~dropped;
  return bytes;
}
