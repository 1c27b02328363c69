/**
 * Overwrites the metadata of a WebP, for pictures that no page draws again. Pixels and positions stay.
 * Format: https://developers.google.com/speed/webp/docs/riff_container; readers ignore unknown chunks.
 */

/** Chunks that hold the pixels. */
const KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"]);

/** Bits of the VP8X chunk that announce a color profile, EXIF and XMP. */
const METADATA_FLAGS = 0x2c;

/** Returns a WebP without metadata and bytes after its end; undefined for damaged bytes. */
export function cleanWebp(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < 12) return undefined;
  const length = 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (length > bytes.length) return undefined;
  const cleaned = new Uint8Array(bytes.subarray(0, length));
  const view = new DataView(cleaned.buffer);
  for (let at = 12; at + 8 <= length;) {
    const name = String.fromCharCode(...cleaned.subarray(at, at + 4));
    const end = at + 8 + view.getUint32(at + 4, true);
    if (end > length) return undefined;
    if (name === "VP8X") view.setUint8(at + 8, view.getUint8(at + 8) & ~METADATA_FLAGS);
    if (!KEPT.has(name)) {
      view.setUint32(at, 0x4a554e4b); // "JUNK"
      cleaned.fill(0, at + 8, end);
    }
    at = end + (end % 2);
  }
  return cleaned;
}
