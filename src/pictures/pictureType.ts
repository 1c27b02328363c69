/** Detects the media type of a picture by its bytes; names and declared types are never used. */
import { signatureOf, type PictureMediaType } from "./fileSignatures";
import { isSvg } from "./svgText";

/** Returns the media type of a picture in a known format; undefined for anything else. */
export function sniffPicture(bytes: Uint8Array): PictureMediaType | "image/svg+xml" | undefined {
  return signatureOf(bytes)?.mediaType ?? (isSvg(bytes) ? "image/svg+xml" : undefined);
}
