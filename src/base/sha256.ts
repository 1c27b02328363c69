/**
 * The SHA-256 of some bytes, by which pictures are stored and recognised.
 */

/** 64 hexadecimal digits in lower case. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  // The digest wants memory that no other thread can change; a view of any other is copied.
  const own =
    bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", own));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
