/**
 * Reads a regular file of bounded size from one handle, so that what was looked at and agreed to is what
 * is read, whatever becomes of its name meanwhile; a browser's twin does without.
 */
import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";

/**
 * The bytes, or why there are none. Throws what the disk throws.
 * @param mayRead asked with the path the file really has, links followed, and how many names it has,
 *   before anything is read
 */
export async function readFileUpTo(
  path: string,
  maxBytes: number,
  mayRead: (realPath: string, nameCount: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Uint8Array | "too-many-bytes" | "not-a-file" | "refused"> {
  // A pipe that nobody writes to must not hold us; see open(2).
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return "not-a-file";
    const real = await realpath(path);
    const named = await stat(real, { bigint: true });
    // Another file has taken its name since it was opened.
    if (named.dev !== opened.dev || named.ino !== opened.ino) return "not-a-file";
    if (!(await mayRead(real, Number(opened.nlink)))) return "refused";
    const { size } = await handle.stat();
    const buffer = new Uint8Array(Math.min(maxBytes, size) + 1);
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
