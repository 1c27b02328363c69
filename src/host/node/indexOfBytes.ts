/** Finds bytes in others with native code. Twin: web/indexOfBytes.ts. */

/** Returns the offset of the first occurrence; -1 if there is none. */
export function indexOfBytes(bytes: Uint8Array, searched: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(searched);
}
