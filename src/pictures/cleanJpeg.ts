/**
 * Removes the metadata of a JPEG: EXIF, XMP, IPTC, color profile, comments, previews and bytes after the
 * end. The coded pixels stay byte for byte.
 * Format: ITU-T T.81, annex B; color profiles: ICC.1:2022, B.4.
 */
import { concatBytes } from "../base/concatBytes";
import { joinKept, type CleanedBytes } from "./cleanPng";
import { exifOrientation, orientationSegment } from "./exifOrientation";
import { nextMarker } from "./pictureSize";
import { isSrgb } from "./srgbProfile";

/** Limit of segments; ordinary pictures have a few dozen. */
const MAX_SEGMENTS = 100_000;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP2 = 0xe2;

/** Bytes of a profile segment before its data: marker, length, name, number and count. */
const PROFILE_HEAD_BYTES = 18;

/**
 * Returns the cleaned JPEG; undefined for other formats and for incomplete bytes. Bytes that a wrong
 * segment length leaves between two segments are dropped; decoders skip them.
 * @param keepsOrientation true to write the orientation back as the only EXIF data
 */
export function cleanJpeg(bytes: Uint8Array, keepsOrientation = false): CleanedBytes | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  const pieces: Uint8Array[] = [bytes.subarray(0, 2)];
  let orientation = 1;
  const profile: Uint8Array[] = [];
  let hasPixels = false;
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    at = nextMarker(view, at);
    if (at + 2 > bytes.length) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === END_OF_IMAGE) {
      if (!hasPixels) return undefined;
      pieces.push(bytes.subarray(at, at + 2));
      if (keepsOrientation && orientation !== 1)
        pieces.splice(1, 0, orientationSegment(orientation));
      const hadProfile = profile.length > 0 && !isSrgb(concatBytes(profile));
      return { bytes: joinKept(pieces, bytes), orientation, hadProfile };
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
    if (isScan) pieces.push(bytes.subarray(at, next));
    else if (isKept(marker, segment)) pieces.push(segment);
    if (marker === APP2 && startsWith(segment, 4, "ICC_PROFILE\0")) {
      profile.push(segment.subarray(PROFILE_HEAD_BYTES));
    }
    at = next;
  }
  return undefined;
}

/** True for tables, frames and Adobe's color transform, which decide how the pixels look. */
function isKept(marker: number, segment: Uint8Array): boolean {
  if (marker >= 0xc0 && marker <= 0xdf) return true;
  if (marker === 0xe0) return startsWith(segment, 4, "JFIF\0") && segment.length <= 18;
  return marker === 0xee && startsWith(segment, 4, "Adobe");
}

/** Returns the end of the coded pixels from `start` on: the next marker that is not part of them. */
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
