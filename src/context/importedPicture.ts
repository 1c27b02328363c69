/**
 * Validates a picture of an imported file. Nothing can redraw pictures during an import, so a rotated
 * JPEG keeps its orientation, and only formats that can be cleaned are accepted.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanWebp } from "./cleanWebp";
import { validateImage, type PictureLimits } from "./validateImage";
import { pictureSize } from "./pictureSize";

/** A picture without metadata; type and size are read from the bytes. */
export interface CleanedPicture {
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytes: Uint8Array;
}

/** Returns the cleaned picture; undefined if it is refused or beyond the limits. */
export function importedPicture(
  original: Uint8Array,
  limits: PictureLimits,
): CleanedPicture | undefined {
  const judgement = validateImage(original, limits);
  if (judgement.kind === "refused") return undefined;
  if (judgement.kind === "ready") return judgement.isTooLarge ? undefined : judgement.picture;
  const { mediaType } = judgement;
  const bytes = cleanBytes(original, mediaType);
  const size = bytes && pictureSize(bytes);
  if (bytes === undefined || size === undefined) return undefined;
  const isTooLarge =
    Math.max(size.widthPx, size.heightPx) > limits.maxSidePx || bytes.length > limits.maxBytes;
  return isTooLarge ? undefined : { mediaType, ...size, bytes };
}

function cleanBytes(bytes: Uint8Array, mediaType: string): Uint8Array | undefined {
  if (mediaType === "image/jpeg") return cleanJpeg(bytes, true)?.bytes;
  return mediaType === "image/webp" ? cleanWebp(bytes)?.bytes : undefined;
}
