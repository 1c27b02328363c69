/**
 * Removes the metadata of a picture that another extension sends, which is not redrawn.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { sniffPicture } from "./pictureType";

/** Returns the cleaned bytes; the same bytes for other formats and damaged pictures. */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  switch (sniffPicture(bytes)) {
    case "image/png":
      return cleanPng(bytes)?.bytes ?? bytes;
    case "image/jpeg":
      return cleanJpeg(bytes, true)?.bytes ?? bytes;
    case "image/webp":
      return cleanWebp(bytes)?.bytes ?? bytes;
    default:
      return bytes;
  }
}
