/**
 * Takes everything out of a JPEG that says more than its pixels: EXIF with the place it was taken,
 * XMP, IPTC, comments, previews, and whatever follows its end. The coded pixels stay byte for byte.
 * Format: ITU-T T.81, annex B.
 */
import { joined, type CleanedBytes } from "./cleanPng";
import { exifOrientation, orientationSegment } from "./exifOrientation";

/** Most segments of a picture; an ordinary one has a few dozen. */
const MAX_SEGMENTS = 100_000;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * The cleaned JPEG; undefined when the bytes are none or cut short.
 * @param keepsOrientation true to say again, and alone, how the picture is to be turned
 */
export function cleanJpeg(bytes: Uint8Array, keepsOrientation = false): CleanedBytes | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [bytes.subarray(0, 2)];
  let orientation = 1;
  let hasPixels = false;
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS && at + 2 <= bytes.length; count++) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++; // a fill byte
      continue;
    }
    if (marker === END_OF_IMAGE) {
      kept.push(bytes.subarray(at, at + 2));
      if (keepsOrientation && orientation !== 1) kept.splice(1, 0, orientationSegment(orientation));
      return hasPixels ? { bytes: joined(kept, bytes), orientation } : undefined;
    }
    if (at + 4 > bytes.length) return undefined;
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    const segment = bytes.subarray(at, end);
    if (startsWith(segment, 4, "Exif\0\0") && marker === 0xe1) {
      orientation = exifOrientation(segment.subarray(10));
    }
    const isScan = marker === START_OF_SCAN;
    hasPixels ||= isScan;
    const next = isScan ? scanEnd(bytes, end) : end;
    if (isScan) kept.push(bytes.subarray(at, next));
    else if (isKept(marker, segment)) kept.push(segment);
    at = next;
  }
  return undefined;
}

/** What decides how the pixels look: tables and frames, colour profile, Adobe's colour transform. */
function isKept(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xfe) return false; // a comment
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe0) return startsWith(segment, 4, "JFIF\0") && segment.length <= 18;
  if (marker === 0xe2) return startsWith(segment, 4, "ICC_PROFILE\0");
  return marker === 0xee && startsWith(segment, 4, "Adobe");
}

/** Where the coded pixels that begin at `start` end: at the next marker that is not part of them. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    const isPartOfScan = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isPartOfScan) return at;
  }
  return bytes.length;
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
