/**
 * File system of the journal through VS Code, which writes only whole files: for browsers and for folders
 * of other schemes than file. An append reads, extends and writes the file, in a browser under a lock
 * shared by all windows.
 */
import * as vscode from "vscode";
import { concatBytes } from "../../base/concatBytes";
import type { FileSystem } from "../../history/fileSystem";

/** Subset of the Web Locks API. Source: https://www.w3.org/TR/web-locks/ */
interface Locks {
  request<T>(name: string, run: () => Promise<T>): Promise<T>;
}

/** Returns the file system of the journal in a folder of any scheme. */
export function workspaceFiles(folder: vscode.Uri): FileSystem {
  const { fs } = vscode.workspace;
  const at = (path: string) => vscode.Uri.joinPath(folder, path);
  const { navigator } = globalThis as { navigator?: { locks?: Locks } };

  /** Queues by name, for pages without the Web Locks API, such as insecure ones. */
  const queues = new Map<string, Promise<unknown>>();
  function runExclusively<T>(path: string, run: () => Promise<T>): Promise<T> {
    if (navigator?.locks) return navigator.locks.request(at(path).toString(), run);
    const now = (queues.get(path) ?? Promise.resolve()).then(run, run);
    queues.set(path, now);
    return now;
  }

  async function read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await fs.readFile(at(path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    read,
    async readRanges(path, ranges) {
      const bytes = await read(path);
      return bytes && ranges.map(([start, end]) => bytes.subarray(Math.max(0, start), end));
    },
    append: (path, bytes) =>
      runExclusively(path, async () => {
        const before = (await read(path)) ?? new Uint8Array();
        await fs.writeFile(at(path), concatBytes([before, bytes]));
        return before.length;
      }),
    replace: (path, bytes) => runExclusively(path, async () => fs.writeFile(at(path), bytes)),
    async remove(path) {
      try {
        await fs.delete(at(path));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    async list(path) {
      try {
        return (await fs.readDirectory(at(path))).map(([name]) => name);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async stat(path) {
      try {
        const { size, mtime } = await fs.stat(at(path));
        return { bytes: size, changedAtMs: mtime };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
}
