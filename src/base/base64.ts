/**
 * Bytes as base64 text and back, in pieces that no argument list is too short for.
 */

/** A multiple of three, so that every piece but the last ends without padding. */
const PIECE_BYTES = 3 * 8192;

/** The base64 text of `bytes`. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES)));
  }
  return text;
}

/** The bytes of a base64 text, or undefined when it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined; // atob throws for nothing but text that is not base64
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
