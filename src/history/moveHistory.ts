/**
 * Merges a history into another folder, file by file. Each file is in the other folder, and was read
 * back, before it is removed here. Can be stopped at any point and run again.
 */
import type { Clock } from "../base/clock";
import { isEqualBytes } from "../base/isEqualBytes";
import { sha256 } from "../base/sha256";
import type { FileSystem } from "./fileSystem";
import { copiesAmong, isSameFile, mergeCopy, mergeRecords, UNUSED_AFTER_MS } from "./mergeRecords";
import {
  conversationIdOf,
  CONVERSATIONS_FOLDER,
  draftConversationOf,
  draftName,
  DRAFTS_FOLDER,
  IMAGES_FOLDER,
  isPictureHash,
  REMOVED_FOLDER,
} from "./paths";

/** Number of SHA-256 digits in the name of a draft whose own name is in use. */
const CONTENT_DIGITS = 19;

export interface MoveProgress {
  readonly done: number;
  readonly total: number;
}

/** Folders in the order of copying, as pictures come before the records that name them; with their files. */
const FOLDERS = new Map<string, (name: string) => boolean>([
  [REMOVED_FOLDER, (name) => name.endsWith(".json")],
  [IMAGES_FOLDER, isPictureHash],
  [CONVERSATIONS_FOLDER, (name) => conversationIdOf(name) !== undefined],
  [DRAFTS_FOLDER, (name) => draftConversationOf(name) !== undefined],
]);

/**
 * Lists the files of a history, also the records of deletions. Rejects as the file system.
 * @param isTemporary true for what writes that a crash interrupted have left
 */
async function historyFiles(files: FileSystem, isTemporary = false): Promise<string[]> {
  const paths: string[] = [];
  for (const [folder, isOfHistory] of FOLDERS)
    for (const name of await files.list(folder))
      if (isTemporary ? name.endsWith(".tmp") : isOfHistory(name)) paths.push(`${folder}/${name}`);
  return paths;
}

/**
 * Merges every file of `from` into `to`. Rejects with the file systems' errors or the signal's reason;
 * nothing is removed.
 */
export async function copyHistory(
  from: FileSystem,
  to: FileSystem,
  onProgress: (progress: MoveProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const paths = await historyFiles(from);
  for (const [done, path] of paths.entries()) {
    signal.throwIfAborted();
    await mergeFile(from, to, path);
    onProgress({ done: done + 1, total: paths.length });
  }
}

/**
 * Removes every file of `from` whose content is in `to`, after merging what was added since, and temporary
 * files. Leaves files that were written within the last minute, and incomplete conflict copies. Resolves
 * with the number of files left.
 */
export async function removeCopied(
  from: FileSystem,
  to: FileSystem,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  let leftCount = 0;
  for (const copy of copiesAmong(await from.list(CONVERSATIONS_FOLDER))) {
    signal.throwIfAborted();
    if (!(await mergeCopy(copy, from, to, clock.nowMs()))) leftCount++;
  }
  for (const path of [...(await historyFiles(from)), ...(await historyFiles(from, true))]) {
    signal.throwIfAborted();
    const before = await from.stat(path);
    if (before === undefined) continue;
    const isUnused = clock.nowMs() - before.changedAtMs >= UNUSED_AFTER_MS;
    if (!path.endsWith(".tmp")) await mergeFile(from, to, path);
    const after = isUnused ? await from.stat(path) : undefined;
    if (isSameFile(after, before)) await from.remove(path);
    else leftCount++;
  }
  return leftCount;
}

/** Removes the cached list and the packed texts of all versions, or of those before a version. */
export async function removeIndexes(files: FileSystem, beforeVersion = Infinity): Promise<void> {
  for (const name of await files.list("")) {
    // Versions before 6 had the list and the time of the cleanup next to the folder.
    if (/^index-\d+\.bin|^tidied-index$/.test(name)) await files.remove(name);
    const version = /^search-(\d+)$/.exec(name)?.[1];
    if (version === undefined || Number(version) >= beforeVersion) continue;
    for (const part of await files.list(name)) await files.remove(`${name}/${part}`);
  }
}

/** Merges a file and reads it back. Rejects if the read bytes differ from the written ones. */
async function mergeFile(from: FileSystem, to: FileSystem, path: string): Promise<void> {
  const bytes = await from.read(path);
  if (bytes === undefined) return;
  const [folder, name = ""] = path.split("/");
  if (folder === CONVERSATIONS_FOLDER) {
    await mergeRecords(to, path, bytes);
    return;
  }
  const existing = await to.read(path);
  if (existing !== undefined && isEqualBytes(existing, bytes)) return;
  const hash = existing && (await sha256(existing));
  // A picture is named by its content, so an intact one is never replaced.
  if (folder === IMAGES_FOLDER && hash === name) return;
  // Another draft of the same name stays; the copy gets a name made from its content. A record of a deletion
  // is never changed, so another content is a write that was cut off.
  const isTaken = folder === DRAFTS_FOLDER && existing !== undefined;
  await writeVerified(to, isTaken ? await nameForContent(name, bytes) : path, bytes);
}

async function nameForContent(name: string, bytes: Uint8Array): Promise<string> {
  const digits = (await sha256(bytes)).slice(0, CONTENT_DIGITS);
  return `${DRAFTS_FOLDER}/${draftName(draftConversationOf(name) ?? "", digits)}`;
}

async function writeVerified(to: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  await to.replace(path, bytes);
  const written = await to.read(path);
  if (written === undefined || !isEqualBytes(written, bytes))
    throw new Error("a file is not in the new folder as it was written");
}
