/**
 * Removes the metadata of pictures that no page redraws: those of imported files and of other
 * extensions. A rotated JPEG keeps its orientation.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { pictureSize } from "./pictureSize";
import { sniffPicture } from "./pictureType";
import { isTooLarge, validateImage, type PictureLimits } from "./validateImage";

/**
 * Validates and cleans a picture of a file. Returns undefined if the picture is refused, beyond the
 * limits, or in a format that cannot be cleaned.
 */
export function importedPicture(original: Uint8Array, limits: PictureLimits) {
  const validation = validateImage(original, limits);
  if (validation.kind === "refused") return undefined;
  const { mediaType } = validation.kind === "ready" ? validation.picture : validation;
  const bytes = cleanedBytes(original);
  const size = bytes && pictureSize(bytes);
  if (bytes === undefined || size === undefined) return undefined;
  const picture = { mediaType, ...size, bytes };
  return isTooLarge(picture, limits) ? undefined : picture;
}

/** Returns undefined for damaged pictures and other formats. */
export function cleanedBytes(bytes: Uint8Array): Uint8Array | undefined {
  switch (sniffPicture(bytes)) {
    case "image/png":
      return cleanPng(bytes)?.bytes;
    case "image/jpeg":
      return cleanJpeg(bytes, true)?.bytes;
    case "image/webp":
      return cleanWebp(bytes);
    default:
      return undefined;
  }
}
