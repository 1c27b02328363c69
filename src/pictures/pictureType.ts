/**
 * Detects the media type of a picture by its bytes; names and declared types are never used.
 */
import { signatureOf, type PictureMediaType } from "./fileSignatures";

/** Declarations and comments that may precede the first element of an SVG: start and end. */
const BEFORE_ELEMENT: readonly (readonly [start: RegExp, end: string])[] = [
  [/^<!--/, "-->"],
  [/^<\?/, ">"],
  [/^<!DOCTYPE/i, ">"],
];

/** Number of first bytes in which the first element of an SVG is searched. */
const SVG_HEAD_BYTES = 4096;

/** Returns the media type of a picture in a known format; undefined for anything else. */
export function sniffPicture(bytes: Uint8Array): PictureMediaType | "image/svg+xml" | undefined {
  return signatureOf(bytes)?.mediaType ?? (isSvg(bytes) ? "image/svg+xml" : undefined);
}

/** True for a text whose first element is `svg`. */
function isSvg(bytes: Uint8Array): boolean {
  let rest = new TextDecoder().decode(bytes.subarray(0, SVG_HEAD_BYTES)).trimStart();
  for (;;) {
    const before = BEFORE_ELEMENT.find(([start]) => start.test(rest));
    if (before === undefined) return /^<svg[\s>]/i.test(rest);
    const [, end] = before;
    const at = rest.indexOf(end);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}
