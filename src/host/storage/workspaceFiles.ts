/**
 * File system of the journal through VS Code, which writes only whole files: for browsers and for folders
 * of other schemes than file.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import type { FileSystem } from "../../history/fileSystem";
import { segmentedFiles } from "../../history/journalSegments";

/** Returns the file system of the journal in a folder of any scheme. */
export function workspaceFiles(folder: vscode.Uri): FileSystem {
  const { fs } = vscode.workspace;
  const at = (path: string) => vscode.Uri.joinPath(folder, path);
  return segmentedFiles(
    {
      read: (path) => ifFound(fs.readFile(at(path)), undefined),
      write: async (path, bytes) => fs.writeFile(at(path), bytes),
      remove: (path) => ifFound(fs.delete(at(path)), undefined),
      async list(path) {
        return (await ifFound(fs.readDirectory(at(path)), [])).map(([name]) => name);
      },
      async stat(path) {
        const stat = await ifFound(fs.stat(at(path)), undefined);
        return stat && { bytes: stat.size, changedAtMs: stat.mtime };
      },
    },
    systemClock,
  );
}

/** Returns the result, or `missing` if there is no such file. */
async function ifFound<T, M>(result: Thenable<T>, missing: M): Promise<T | M> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return missing;
    throw error;
  }
}
