/**
 * Validates a picture by its bytes: ready to send, to be redrawn first, too large, or refused. Names
 * and declared types are ignored. No pixel is decoded here; the webview draws.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng, type CleanedBytes } from "./cleanPng";
import { cleanWebp } from "./cleanWebp";
import { frameCount } from "./frameCount";
import { pictureSize } from "./pictureSize";
import { sniffPicture } from "./pictureType";
import { isHarmlessSvg } from "./svgCost";
import { expandedSvg } from "./svgText";

/** Size limit of a file; far more than any service accepts. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/** Limit of decoded pixels: each takes four bytes of memory, however small the file is. */
const MAX_DECODED_PIXELS = 100_000_000;

/** Size limit of an SVG, in bytes. */
const MAX_SVG_BYTES = 4 * 1024 * 1024;

/** Limits of a sent picture: the settings `images.maxSidePx` and `images.maxBytes`. */
export interface PictureLimits {
  readonly maxSidePx: number;
  readonly maxBytes: number;
}

/** Reason why a picture is refused. */
export type PictureProblem =
  | "no-picture"
  | "damaged"
  | "too-many-pixels"
  | "too-many-bytes"
  | "svg-too-large"
  | "svg-entities"
  | "too-many-elements";

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
      /** Number of frames in the source; only the first is sent. */
      readonly frames: number;
    }
  /** Another format or a rotated picture: the drawn result is validated again. */
  | {
      readonly kind: "to-draw";
      readonly mediaType: string;
      /** Bytes to draw, without their orientation. */
      readonly bytes: Uint8Array;
      /** EXIF orientation, 1 to 8; 1 is upright. */
      readonly orientation: number;
      readonly frames: number;
    }
  | { readonly kind: "refused"; readonly problem: PictureProblem };

export async function validateImage(
  bytes: Uint8Array,
  limits: PictureLimits,
): Promise<ImageValidation> {
  if (bytes.length > MAX_PICTURE_BYTES) return refused("too-many-bytes");
  const mediaType = sniffPicture(bytes);
  if (mediaType === undefined) return refused("no-picture");
  if (mediaType === "image/svg+xml") {
    if (bytes.length > MAX_SVG_BYTES) return refused("svg-too-large");
    const svg = expandedSvg(bytes);
    if (svg === undefined) return refused("svg-entities");
    if (!isHarmlessSvg(svg)) return refused("too-many-elements");
    const encoded = new TextEncoder().encode(svg);
    return { kind: "to-draw", mediaType, bytes: encoded, orientation: 1, frames: 1 };
  }
  const size = pictureSize(bytes);
  if (size === undefined) return refused("damaged");
  const { widthPx, heightPx } = size;
  if (widthPx * heightPx > MAX_DECODED_PIXELS) return refused("too-many-pixels");
  const frames = frameCount(bytes, mediaType);
  if (mediaType !== "image/png" && mediaType !== "image/jpeg") {
    // Browsers ignore the EXIF orientation of a WebP.
    const upright = mediaType === "image/webp" ? cleanWebp(bytes) : undefined;
    return { kind: "to-draw", mediaType, bytes, orientation: 1, ...upright, frames };
  }
  const cleaned: CleanedBytes | undefined =
    mediaType === "image/png" ? await cleanPng(bytes) : cleanJpeg(bytes);
  if (cleaned === undefined) return refused("damaged");
  if (cleaned.orientation !== 1) return { kind: "to-draw", mediaType, ...cleaned, frames };
  const picture: ReadyPicture = { mediaType, widthPx, heightPx, bytes: cleaned.bytes };
  return { kind: "ready", picture, isTooLarge: isTooLarge(picture, limits), frames };
}

function isTooLarge({ widthPx, heightPx, bytes }: ReadyPicture, limits: PictureLimits): boolean {
  return Math.max(widthPx, heightPx) > limits.maxSidePx || bytes.length > limits.maxBytes;
}

function refused(problem: PictureProblem): ImageValidation {
  return { kind: "refused", problem };
}
