/** Files of other tools' exports. Twin: web/exportFiles.ts. */
import { createReadStream } from "node:fs";
import { homedir } from "node:os";

/** Returns the user's home folder. */
export function homeFolder(): string | undefined {
  return homedir();
}

/** Reads a file in chunks. Rejects with the errors of the disk. */
export function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}
