/**
 * Returns the SHA-256 as 64 hexadecimal digits in lower case; pictures are stored under this name.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  // The digest rejects shared memory, so a view of such memory is copied.
  const buffered =
    bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", buffered));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
