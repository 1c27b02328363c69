/**
 * Takes the metadata out of a picture that somebody else prepared and that goes without being drawn
 * anew: by what its bytes are, never by what it is called.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { sniffPicture } from "./pictureType";

/** The cleaned bytes; those given where they are of another format or damaged. */
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
