/**
 * Reads a regular file of bounded size from one handle, so that the checked file is the one read,
 * even if its name is reused. Twin: web/readFileUpTo.ts.
 */
import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";

/**
 * Returns the bytes, or the reason for a refusal. Throws the errors of the disk.
 * @param mayRead called before reading, with the real path (links resolved) and the number of hard
 * links
 */
export async function readFileUpTo(
  path: string,
  maxBytes: number,
  mayRead: (realPath: string, nameCount: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Uint8Array | "too-many-bytes" | "not-a-file" | "refused"> {
  // A pipe without a writer must not block; see open(2).
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return "not-a-file";
    const real = await realpath(path);
    const current = await stat(real, { bigint: true });
    // Another file has replaced the name since it was opened.
    if (current.dev !== opened.dev || current.ino !== opened.ino) return "not-a-file";
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
