/** Files of other tools' exports. Twin: web/exportFiles.ts. */
import { createReadStream } from "node:fs";

/** Reads a file in chunks. Rejects with the errors of the disk. */
export function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}
