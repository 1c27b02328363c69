/**
 * File system of the journal on Node. Resolved appends are on disk and never interleave with
 * another window's. A replaced file has either its old or its new content. The twin is
 * web/storage.ts.
 */
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { isEqualBytes } from "../../base/isEqualBytes";
import type { FileSystem } from "../../history/fileSystem";

/** Node functions in use; a parameter, so that tests can fail each call. */
export type FileCalls = Pick<
  typeof fs,
  "mkdir" | "open" | "opendir" | "readFile" | "rename" | "rm" | "stat"
>;

/** Names that are read from a folder at once; more would block the event loop for long. */
const LISTED_AT_ONCE = 1_024;

/** Creates a FileSystem below `root`, an absolute path. */
export function nodeFileSystem(root: string, calls: FileCalls = fs): FileSystem {
  const at = (path: string) => join(root, ...path.split("/"));
  let replaceCount = 0;

  /** Opens a file for writing; creates missing folders. */
  async function openForWriting(path: string, flags: "a" | "wx"): Promise<fs.FileHandle> {
    try {
      return await calls.open(path, flags, 0o600);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await createFolder(dirname(path));
      return calls.open(path, flags, 0o600);
    }
  }

  /** Creates a folder with its parents. Syncs the parents, or a power failure may remove the folder. */
  async function createFolder(path: string): Promise<void> {
    const first = await calls.mkdir(path, { recursive: true });
    if (first === undefined) return;
    for (let created = path; created.length >= first.length; created = dirname(created))
      await syncFolder(dirname(created));
  }

  async function append(path: string, bytes: Uint8Array): Promise<number> {
    const file = await openForWriting(path, "a");
    let bytesBefore: number;
    try {
      bytesBefore = (await file.stat()).size;
      // One call, so that no other process can write in between: `writeFile` may make several.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) throw new ShortWrite();
      await file.datasync();
    } finally {
      await file.close();
    }
    if (bytesBefore === 0) await syncFolder(dirname(path));
    return bytesBefore;
  }

  /**
   * A new name survives a power failure only after its folder is synced. Some systems do not
   * support that, and a folder above ours may not be readable.
   */
  async function syncFolder(path: string): Promise<void> {
    if (process.platform === "win32") return;
    let folder: fs.FileHandle | undefined;
    try {
      folder = await calls.open(path, "r");
      await folder.sync();
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    } finally {
      await folder?.close();
    }
  }

  return {
    read: (path) => ifExists(calls.readFile(at(path)), undefined),
    async readRanges(path, ranges, allocate = (bytes) => new Uint8Array(bytes)) {
      const file = await ifExists(calls.open(at(path), "r"), undefined);
      if (file === undefined) return undefined;
      try {
        const sizes = ranges.map(([start, end]) => Math.max(0, end - start));
        const all = allocate(sizes.reduce((sum, size) => sum + size, 0));
        let next = 0;
        // All at once, which costs a third of the processor time of one after the other.
        return await Promise.all(
          ranges.map(async ([start], at) => {
            const to = next;
            next += sizes[at] ?? 0;
            const { bytesRead } = await file.read(all, to, next - to, Math.max(0, start));
            return all.subarray(to, to + bytesRead);
          }),
        );
      } finally {
        await file.close();
      }
    },
    append: (path, bytes) => append(at(path), bytes),
    async replace(path, bytes) {
      const temporary = at(`${path}.${process.pid}-${Date.now()}-${replaceCount++}.tmp`);
      try {
        const file = await openForWriting(temporary, "wx");
        try {
          await file.writeFile(bytes);
          await file.datasync();
        } finally {
          await file.close();
        }
        await calls.rename(temporary, at(path));
      } catch (error) {
        // Only the first error counts; later cleanup removes leftovers.
        await calls.rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(dirname(at(path)));
    },
    async fill(path, content, ranges, fillBytes) {
      const file = await ifExists(calls.open(at(path), "r+"), undefined);
      if (file === undefined) return true;
      try {
        for (const [start, end] of ranges) {
          // A sync program may have replaced the file.
          const { buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start);
          if (!isEqualBytes(buffer, content.subarray(start, end))) return false;
        }
        for (const byte of fillBytes) {
          for (const [start, end] of ranges) {
            const bytes = new Uint8Array(end - start).fill(byte);
            const { bytesWritten } = await file.write(bytes, 0, bytes.length, start);
            if (bytesWritten < bytes.length) throw new ShortWrite();
          }
          await file.datasync();
        }
        return true;
      } finally {
        await file.close();
      }
    },
    remove: (path) => calls.rm(at(path), { force: true }),
    async list(folder) {
      const names: string[] = [];
      const opening = calls.opendir(at(folder), { bufferSize: LISTED_AT_ONCE });
      for await (const { name } of await ifExists(opening, [])) names.push(name);
      return names;
    },
    async stat(path) {
      const file = await ifExists(calls.stat(at(path)), undefined);
      return file && { bytes: file.size, changedAtMs: Math.floor(file.mtimeMs) };
    },
  };
}

/** The disk accepted only a part; the caller appends the whole record again. */
class ShortWrite extends Error {
  override readonly name = "ShortWrite";
}

/** Returns the result of a call, or `missing` if there is no such file. */
async function ifExists<T, Missing>(call: Promise<T>, missing: Missing): Promise<T | Missing> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function isUnsupported(error: unknown): boolean {
  return ["EACCES", "EINVAL", "ENOTSUP", "EPERM", "EISDIR", "EBADF"].includes(
    String(codeOf(error)),
  );
}
