/**
 * Takes EXIF and XMP out of a WebP, and whatever follows its end. Byte by byte, nothing is decoded.
 * Format: https://developers.google.com/speed/webp/docs/riff_container
 */
import { joined, MAX_CHUNKS, type CleanedBytes } from "./cleanPng";
import { exifOrientation } from "./exifOrientation";

const HEADER_BYTES = 12;

/** Bits of the VP8X chunk that say that EXIF and XMP follow. */
const METADATA_FLAGS = 0x0c;

/** The cleaned WebP; undefined when the bytes are none or cut short or in too many chunks. */
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
    if (name === "EXIF")
      orientation = exifOrientation(tiffOf(bytes.subarray(at + 8, at + 8 + length)));
    else if (name !== "XMP ") kept.push(bytes.subarray(at, Math.min(next, end)));
    hasPixels ||= name === "VP8 " || name === "VP8L" || name === "ANMF";
    at = next;
  }
  if (!hasPixels || at + 8 <= end) return undefined;
  const made = joined(kept, bytes);
  return { bytes: made === bytes ? bytes : withTrueHeader(made), orientation };
}

/** Some programs put the JPEG segment's head in front of the data. */
function tiffOf(exif: Uint8Array): Uint8Array {
  return exif[0] === 0x45 ? exif.subarray(6) : exif;
}

function withTrueHeader(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(4, bytes.length - 8, true);
  const isExtended = bytes[15] === 0x58; // "VP8X"
  if (isExtended) bytes[HEADER_BYTES + 8] = (bytes[HEADER_BYTES + 8] ?? 0) & ~METADATA_FLAGS;
  return bytes;
}
