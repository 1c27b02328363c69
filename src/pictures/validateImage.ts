/**
 * Validates a picture by its bytes: ready to send, to be redrawn first, too large, or refused. Names
 * and declared types are ignored. No pixel is decoded here; the webview draws.
 */
import { cleanJpeg } from "./cleanJpeg";
import { cleanPng } from "./cleanPng";
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
  /** Another format, a rotated picture or one with a color profile: the drawn result is validated again. */
  | {
      readonly kind: "to-draw";
      readonly mediaType: string;
      readonly bytes: Uint8Array;
      readonly isRotated: boolean;
      readonly frames: number;
    }
  | { readonly kind: "refused"; readonly problem: PictureProblem };

export function validateImage(bytes: Uint8Array, limits: PictureLimits): ImageValidation {
  if (bytes.length > MAX_PICTURE_BYTES) return refused("too-many-bytes");
  const mediaType = sniffPicture(bytes);
  if (mediaType === undefined) return refused("no-picture");
  if (mediaType === "image/svg+xml") {
    if (bytes.length > MAX_SVG_BYTES) return refused("svg-too-large");
    const svg = expandedSvg(bytes);
    if (svg === undefined) return refused("svg-entities");
    if (!isHarmlessSvg(svg)) return refused("too-many-elements");
    const encoded = new TextEncoder().encode(svg);
    return { kind: "to-draw", mediaType, bytes: encoded, isRotated: false, frames: 1 };
  }
  const size = pictureSize(bytes);
  if (size === undefined) return refused("damaged");
  const { widthPx, heightPx } = size;
  if (widthPx * heightPx > MAX_DECODED_PIXELS) return refused("too-many-pixels");
  const frames = frameCount(bytes, mediaType);
  if (mediaType !== "image/png" && mediaType !== "image/jpeg") {
    return { kind: "to-draw", mediaType, bytes, isRotated: false, frames };
  }
  const cleaned = mediaType === "image/png" ? cleanPng(bytes) : cleanJpeg(bytes);
  if (cleaned === undefined) return refused("damaged");
  const isRotated = cleaned.orientation !== 1;
  if (isRotated || cleaned.hadProfile) {
    return { kind: "to-draw", mediaType, bytes, isRotated, frames };
  }
  const picture: ReadyPicture = { mediaType, widthPx, heightPx, bytes: cleaned.bytes };
  return { kind: "ready", picture, isTooLarge: isTooLarge(picture, limits), frames };
}

export function isTooLarge(
  { widthPx, heightPx, bytes }: Pick<ReadyPicture, "widthPx" | "heightPx" | "bytes">,
  limits: PictureLimits,
): boolean {
  return Math.max(widthPx, heightPx) > limits.maxSidePx || bytes.length > limits.maxBytes;
}

function refused(problem: PictureProblem): ImageValidation {
  return { kind: "refused", problem };
}
