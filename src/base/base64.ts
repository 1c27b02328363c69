/** Encodes and decodes base64 in pieces, because argument lists are limited. */

/** Size of a piece in bytes; a multiple of three, so that only the last piece has padding. */
const PIECE_BYTES = 3 * 8192;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES)));
  }
  return text;
}

/** Decodes base64; undefined for invalid text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined; // atob throws only for invalid base64
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
