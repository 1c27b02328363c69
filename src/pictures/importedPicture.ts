/**
 * Removes the metadata of pictures that no page redraws: those of imported files and of other
 * extensions. A rotated JPEG keeps its orientation.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { pictureSize } from "./pictureSize";
import { sniffPicture } from "./pictureType";
import { validateImage, type PictureLimits } from "./validateImage";

/** A picture without metadata; type and size are read from the bytes. */
export interface CleanedPicture {
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytes: Uint8Array;
}

/**
 * Validates and cleans a picture of a file. Returns undefined if the picture is refused, beyond the
 * limits, or in a format that cannot be cleaned.
 */
export async function importedPicture(
  original: Uint8Array,
  limits: PictureLimits,
): Promise<CleanedPicture | undefined> {
  const validation = await validateImage(original, limits);
  if (validation.kind === "refused") return undefined;
  if (validation.kind === "ready") return validation.isTooLarge ? undefined : validation.picture;
  const { mediaType } = validation;
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

/** Cleans a picture of an extension; returns damaged pictures and other formats unchanged. */
export async function withoutMetadata(bytes: Uint8Array): Promise<Uint8Array> {
  switch (sniffPicture(bytes)) {
    case "image/png":
      return (await cleanPng(bytes))?.bytes ?? bytes;
    case "image/jpeg":
      return cleanJpeg(bytes, true)?.bytes ?? bytes;
    case "image/webp":
      return cleanWebp(bytes)?.bytes ?? bytes;
    default:
      return bytes;
  }
}
