/**
 * Merges copies of a conversation's file into the file: appends the records that the file does not have,
 * without those of forgotten messages. Nothing else is removed from the file, and merging again changes
 * nothing.
 */
import { concatBytes } from "../base/concatBytes";
import { eraseForgotten, forgottenIn, ofForgotten, type Forgotten } from "./eraseForgotten";
import type { FileStat, FileSystem } from "./fileSystem";
import {
  conflictCopyOf,
  conversationOfFile,
  conversationPath,
  CONVERSATIONS_FOLDER,
  segmentOf,
} from "./paths";
import { LINE_END, intactLines, linesOf, readLines } from "./record";

/** Age from which a file counts as unused, in milliseconds; a running reply is saved each second. */
export const UNUSED_AFTER_MS = 60_000;

/** Age from which an incomplete copy counts as damaged, because no program writes for so long. */
const DAMAGED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Merges every line of `copy` into the file. Rejects if a record is not in the file afterwards. */
export async function mergeRecords(
  files: FileSystem,
  path: string,
  copy: Uint8Array,
): Promise<void> {
  await mergeLines(files, path, copy, [...linesOf(copy)]);
}

/** Conflict copy or segment, which is merged into the file of its conversation. */
export interface ConversationCopy {
  readonly conversationId: string;
  readonly path: string;
}

/**
 * Returns the copies among the names of the conversations folder, in the order of merging.
 * @param idOf returns the conversation's id for the name of a copy
 */
export function copiesAmong(
  names: readonly string[],
  idOf: (name: string) => string | undefined = conflictCopyOf,
): ConversationCopy[] {
  const orderOf = (name: string) => segmentOf(name)?.order ?? 0;
  return names
    .flatMap((name) => {
      const conversationId = idOf(name);
      return conversationId === undefined ? [] : [{ conversationId, name }];
    })
    .sort((one, other) => orderOf(one.name) - orderOf(other.name))
    .map(({ conversationId, name }) => ({
      conversationId,
      path: `${CONVERSATIONS_FOLDER}/${name}`,
    }));
}

/**
 * Erases the forgotten messages of a conversation in all its files. Merges the intact records of a copy
 * first, because a process that ends may leave a part of the copy. Rejects as the file system.
 */
export async function eraseForgottenInAll(
  files: FileSystem,
  conversationId: string,
): Promise<void> {
  const path = conversationPath(conversationId);
  await eraseForgotten(files, path);
  const copies = copiesAmong(await files.list(CONVERSATIONS_FOLDER), conversationOfFile);
  for (const other of copies) {
    if (other.conversationId !== conversationId || other.path === path) continue;
    const copy = await files.read(other.path);
    if (copy === undefined) continue;
    const forgotten = await mergeLines(files, path, copy, intactLines([...readLines(copy)]));
    await eraseForgotten(files, other.path, forgotten);
  }
}

/**
 * Merges a copy into the file of its conversation, also in another folder, and removes the copy. Leaves a
 * copy that a program may still be writing: a new, changing or incomplete one. A damaged copy stays after
 * its intact records were merged. Resolves with true if the copy was removed. Rejects as the file systems.
 */
export async function mergeCopy(
  { conversationId, path: copyPath }: ConversationCopy,
  from: FileSystem,
  to: FileSystem,
  nowMs: number,
): Promise<boolean> {
  const path = conversationPath(conversationId);
  const before = await from.stat(copyPath);
  // A clock that is ahead, or a time zone mistake of a disk, must not hide a copy for long.
  const ageMs = before === undefined ? 0 : Math.abs(nowMs - before.changedAtMs);
  if (ageMs < UNUSED_AFTER_MS) return false;
  const copy = await from.read(copyPath);
  if (copy === undefined || copy.length !== before?.bytes) return false;
  const existing = new Set([...linesOf((await to.read(path)) ?? new Uint8Array())].map(asText));
  const lines = [...readLines(copy)];
  const isWhole =
    copy.at(-1) === LINE_END &&
    lines.every(({ record, line }) => record.kind !== "damaged" || existing.has(asText(line)));
  if (!isWhole && ageMs < DAMAGED_AFTER_MS) return false;
  const forgotten = await mergeLines(to, path, copy, intactLines(lines));
  if (!isWhole) await eraseForgotten(from, copyPath, forgotten);
  const isUnchanged = isSameFile(await from.stat(copyPath), before);
  if (isWhole && isUnchanged) await from.remove(copyPath);
  return isWhole && isUnchanged;
}

/** True if a file was not written between two calls of `stat`. */
export function isSameFile(one: FileStat | undefined, other: FileStat): boolean {
  return one?.bytes === other.bytes && one.changedAtMs === other.changedAtMs;
}

/** Merges lines of a copy. Resolves with the messages that the file or the copy says are forgotten. */
async function mergeLines(
  files: FileSystem,
  path: string,
  copy: Uint8Array,
  lines: readonly Uint8Array[],
): Promise<Forgotten> {
  const file = (await files.read(path)) ?? new Uint8Array();
  const forgotten = new Map([...forgottenIn(file), ...forgottenIn(copy)]);
  const isForgotten = ofForgotten(forgotten);
  const remainingLines = lines.filter((line) => !isForgotten(line));
  const lineEnd = Uint8Array.of(LINE_END);
  const added = missingLines(file, remainingLines).flatMap((line) => [lineEnd, line, lineEnd]);
  if (forgotten.size > 0) {
    // Removals.isOutdated compares sizes, so the file must not be shorter than the copy was.
    const addedBytes = added.reduce((sum, { length }) => sum + length, 0);
    const missingBytes = Math.max(0, copy.length - file.length - addedBytes);
    added.push(new Uint8Array(missingBytes).fill(LINE_END));
  }
  const bytes = concatBytes(added);
  if (bytes.length > 0) await files.append(path, bytes);
  if (bytes.length > 0 && missingLines(await files.read(path), remainingLines).length > 0)
    throw new Error("a record is not in the file as it was written");
  if (forgotten.size > 0) await eraseForgotten(files, path);
  return forgotten;
}

/** Returns the lines that the file does not have. Each record is a line. */
function missingLines(
  file: Uint8Array | undefined,
  lines: readonly Uint8Array[],
): readonly Uint8Array[] {
  const existing = new Set<string>();
  for (const line of linesOf(file ?? new Uint8Array())) existing.add(asText(line));
  return lines.filter((line) => !existing.has(asText(line)));
}

const latin1 = new TextDecoder("latin1");

function asText(line: Uint8Array): string {
  return latin1.decode(line);
}
