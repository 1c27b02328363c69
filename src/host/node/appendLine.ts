/** Appends lines to a file of bounded size. Twin: web/appendLine.ts. */
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Size from which a file becomes the earlier one, in bytes; the one before is deleted. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Writes of this window, one after the other. */
let writing: Promise<unknown> = Promise.resolve();

/** Appends a line; resolves when it is on the disk. Creates the folder. Rejects with errors of the disk. */
export function appendLine(path: string, line: string): Promise<void> {
  const written = writing.then(async () => {
    await mkdir(dirname(path), { recursive: true });
    const size = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    if (size >= MAX_BYTES) await rename(path, `${path}.1`);
    await appendFile(path, `${line}\n`, { flush: true });
  });
  writing = written.catch(() => undefined);
  return written;
}
