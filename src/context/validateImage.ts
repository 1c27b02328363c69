/**
 * Judges a picture that is to be sent, by its bytes alone: as it is, drawn anew first, too large, or
 * not at all. Names and declared types are never believed and no pixel is decoded here; drawing is
 * the panel's page's part.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng, type CleanedBytes } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { frameCount } from "./frameCount";
import { pictureSize } from "./pictureSize";
import { sniffPicture } from "./pictureType";
import { isHarmlessSvg } from "./svgCost";

/** Most bytes of a picture that is looked at; far more than any service takes. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/** Most pixels that are decoded: each takes four bytes of memory, however small the file is. */
const MAX_DECODED_PIXELS = 100_000_000;

/** Largest drawing (SVG), in bytes; its cost lies in what it says, not in its pixels. */
const MAX_SVG_BYTES = 4 * 1024 * 1024;

/** What one picture may be at most: the settings `images.maxSidePx` and `images.maxBytes`. */
export interface PictureLimits {
  readonly maxSidePx: number;
  readonly maxBytes: number;
}

/** Why a picture is not taken. */
export type PictureProblem = "no-picture" | "damaged" | "too-many-pixels" | "too-many-bytes";

/** A PNG or JPEG, upright and without metadata. */
export interface ReadyPicture {
  readonly mediaType: "image/png" | "image/jpeg";
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytes: Uint8Array;
}

export type ImageValidation =
  | {
      readonly kind: "ready";
      readonly picture: ReadyPicture;
      readonly isTooLarge: boolean;
      /** Number of frames in the source; the picture is the first of them. */
      readonly frames: number;
    }
  /** Another format, or one to be turned: to be drawn and judged again. */
  | {
      readonly kind: "to-draw";
      readonly mediaType: string;
      /** Bytes to draw; they do not say how to turn the picture. */
      readonly bytes: Uint8Array;
      /** Orientation as EXIF counts, 1 to 8; 1 is upright. */
      readonly orientation: number;
      readonly frames: number;
    }
  | { readonly kind: "refused"; readonly problem: PictureProblem };

/** The judgement on these bytes. */
export function validateImage(bytes: Uint8Array, limits: PictureLimits): ImageValidation {
  if (bytes.length > MAX_PICTURE_BYTES) return refused("too-many-bytes");
  const mediaType = sniffPicture(bytes);
  if (mediaType === undefined) return refused("no-picture");
  if (mediaType === "image/svg+xml") {
    if (bytes.length > MAX_SVG_BYTES || !isHarmlessSvg(bytes)) return refused("too-many-pixels");
    return { kind: "to-draw", mediaType, bytes, orientation: 1, frames: 1 };
  }
  const size = pictureSize(bytes);
  if (size === undefined) return refused("damaged");
  const { widthPx, heightPx } = size;
  if (widthPx * heightPx > MAX_DECODED_PIXELS) return refused("too-many-pixels");
  const frames = frameCount(bytes, mediaType);
  if (mediaType !== "image/png" && mediaType !== "image/jpeg") {
    // Browsers do not turn a WebP as its EXIF data says.
    const upright = mediaType === "image/webp" ? cleanWebp(bytes) : undefined;
    return { kind: "to-draw", mediaType, bytes, orientation: 1, ...upright, frames };
  }
  const cleaned: CleanedBytes | undefined =
    mediaType === "image/png" ? cleanPng(bytes) : cleanJpeg(bytes);
  if (cleaned === undefined) return refused("damaged");
  if (cleaned.orientation !== 1) return { kind: "to-draw", mediaType, ...cleaned, frames };
  const picture: ReadyPicture = { mediaType, widthPx, heightPx, bytes: cleaned.bytes };
  return { kind: "ready", picture, isTooLarge: isTooLarge(picture, limits), frames };
}

/** True for a picture beyond one of the limits. */
function isTooLarge({ widthPx, heightPx, bytes }: ReadyPicture, limits: PictureLimits): boolean {
  return Math.max(widthPx, heightPx) > limits.maxSidePx || bytes.length > limits.maxBytes;
}

function refused(problem: PictureProblem): ImageValidation {
  return { kind: "refused", problem };
}
