/** Twin of node/exportFiles.ts: the browser has no home folder and reads no local files. */

export function homeFolder(): undefined {
  return undefined;
}

export function chunksOf(): never {
  throw new Error("a browser reads no files of the disk");
}
