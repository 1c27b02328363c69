/** Resolves symbolic links, and finds the home folder. Twin: web/realPath.ts. */
import { readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** Longest chain of dangling links. */
const MAX_LINKS = 20;

/** Returns the absolute path without links, also for a file that does not exist yet. */
export async function realPath(path: string, linksLeft = MAX_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    if (folder === path) return path;
    const target = await readlink(path).catch(() => undefined);
    if (target !== undefined && linksLeft > 0) {
      return realPath(resolve(folder, target), linksLeft - 1);
    }
    return join(await realPath(folder, linksLeft), basename(path));
  }
}

/** Folds case and composed characters where the file system does: on Windows and macOS. */
export function foldCase(path: string): string {
  const isFolding = process.platform === "win32" || process.platform === "darwin";
  return isFolding ? path.normalize("NFC").toLowerCase() : path;
}

export function homeFolder(): string | undefined {
  return homedir();
}
