/** Twin of node/indexOfBytes.ts: finds bytes as texts, with native code of the browser. */

/** Decodes each byte to a character of its own. */
const decoder = new TextDecoder("latin1");

export function indexOfBytes(bytes: Uint8Array, searched: Uint8Array): number {
  return decoder.decode(bytes).indexOf(decoder.decode(searched));
}
