/**
 * Tells what kind of picture some bytes are, by their first bytes alone; a file's name or a declared
 * type is never believed.
 */

const MAGIC: readonly (readonly [mediaType: string, offset: number, text: string])[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/webp", 8, "WEBP"],
  ["image/bmp", 0, "BM"],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
  ["image/x-icon", 0, "\0\0\x01\0"],
];

/** Sizes of the known bitmap headers, in bytes. Source: Windows GDI, "Bitmap Header Types". */
const BMP_HEADER_SIZES: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/** What may stand before the first element of a text, by its start and its end. */
const BEFORE_ELEMENT: readonly (readonly [start: RegExp, end: string])[] = [
  [/^<!--/, "-->"],
  [/^<\?/, ">"],
  [/^<!DOCTYPE/i, ">"],
];

/** How far into a text its first element may stand, in bytes. */
const SVG_HEAD_BYTES = 4096;

/** The media type of a picture we know; undefined for anything else. */
export function sniffPicture(bytes: Uint8Array): string | undefined {
  const known = MAGIC.find(([, offset, text]) => startsWith(bytes, offset, text))?.[0];
  // Any text may begin with "BM"; a bitmap goes on with the size of its header.
  if (known === "image/bmp" && !BMP_HEADER_SIZES.has(bytes[14] ?? 0)) return undefined;
  return known ?? (isSvg(bytes) ? "image/svg+xml" : undefined);
}

/** A text whose first element, after comments and declarations, is `svg`. */
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

function startsWith(bytes: Uint8Array, offset: number, text: string): boolean {
  if (bytes.length < offset + text.length) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
