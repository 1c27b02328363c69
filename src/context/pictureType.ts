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
];

/** The media type of a picture we know; undefined for anything else. */
export function sniffPicture(bytes: Uint8Array): string | undefined {
  return MAGIC.find(([, offset, text]) => startsWith(bytes, offset, text))?.[0];
}

function startsWith(bytes: Uint8Array, offset: number, text: string): boolean {
  if (bytes.length < offset + text.length) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
