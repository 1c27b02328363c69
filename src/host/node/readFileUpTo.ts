/**
 * Reads a regular file of bounded size from one handle, so that what was looked at is what is read;
 * a browser's twin does without.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The bytes, or why there are none. Throws what the disk throws. */
export async function readFileUpTo(
  path: string,
  maxBytes: number,
): Promise<Uint8Array | "too-many-bytes" | "not-a-file"> {
  // A pipe that nobody writes to must not hold us; see open(2).
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return "not-a-file";
    const buffer = new Uint8Array(Math.min(maxBytes + 1, (await handle.stat()).size + 1));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length > maxBytes ? "too-many-bytes" : buffer.slice(0, length);
  } finally {
    await handle.close();
  }
}
