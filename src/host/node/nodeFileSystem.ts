/**
 * The journal's disk: Node's file system with the promises the journal relies on. Appended bytes
 * are on disk once resolved; a replaced file is the old one or the new one, never half of one.
 * The web build has a twin of this folder.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileSystem } from "../../history/fileSystem";

/** A FileSystem below `root`, an absolute path. */
export function nodeFileSystem(root: string): FileSystem {
  const at = (path: string) => join(root, ...path.split("/"));
  let replaceCount = 0;

  async function write(path: string, flags: "a" | "wx", bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, flags, 0o600);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  return {
    async read(path) {
      try {
        return await readFile(at(path));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    append: (path, bytes) => write(at(path), "a", bytes),
    async replace(path, bytes) {
      const temporary = at(`${path}.${process.pid}-${replaceCount++}.tmp`);
      try {
        await write(temporary, "wx", bytes);
        await rename(temporary, at(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    remove: (path) => rm(at(path), { force: true }),
    async list(folder) {
      try {
        return await readdir(at(folder));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
