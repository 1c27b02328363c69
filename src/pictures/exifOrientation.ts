/**
 * Reads the orientation from EXIF data, and writes EXIF data that holds nothing else. Format: CIPA
 * DC-008 (EXIF 2.32), a TIFF header and a single directory.
 */

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/** Limit of directory entries that are read. */
const MAX_ENTRIES = 500;

/**
 * Returns the orientation, 1 to 8; 1 (upright) for missing or damaged data.
 * @param tiff EXIF data from the byte order mark on
 */
export function exifOrientation(tiff: Uint8Array): number {
  if (tiff.length < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  if (!isLittle && view.getUint16(0) !== 0x4d4d) return 1;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return 1;
  const count = Math.min(view.getUint16(directory, isLittle), MAX_ENTRIES);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, isLittle);
    return view.getUint16(entry + 2, isLittle) === SHORT && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Returns a JPEG segment (APP1) that holds only the orientation. */
export function orientationSegment(orientation: number): Uint8Array {
  return new Uint8Array([
    ...[0xff, 0xe1, 0x00, 0x22, 0x45, 0x78, 0x69, 0x66, 0x00, 0x00], // APP1, length 34, "Exif"
    // Header of a big-endian file whose directory has 1 entry.
    ...[0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x08, 0x00, 0x01],
    ...[0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01],
    ...[0x00, orientation, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  ]);
}
