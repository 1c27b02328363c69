/** Twin of node/exportFiles.ts: the browser reads no local files. */

export function chunksOf(): never {
  throw new Error("a browser reads no files of the disk");
}
