/**
 * Reads files in order with a few reads ahead, because many small files cost mostly disk latency.
 */
import type { FileStat, FileSystem } from "./fileSystem";
import { conversationPath } from "./paths";

/** Maximum number of parallel reads. */
const FILES_AHEAD = 6;

export type ReadFile =
  | { readonly kind: "read"; readonly stat: FileStat; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Reads the file of a conversation; `stat` is from just before the read. Never rejects. */
export async function readConversationFile(
  files: FileSystem,
  conversationId: string,
): Promise<ReadFile> {
  const path = conversationPath(conversationId);
  try {
    const stat = await files.stat(path);
    const bytes = stat && (await files.read(path));
    return stat === undefined || bytes === undefined
      ? { kind: "missing" }
      : { kind: "read", stat, bytes };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Reads the files of many conversations, in the order of `conversationIds`. */
export async function* readConversationFiles(
  files: FileSystem,
  conversationIds: readonly string[],
): AsyncGenerator<readonly [conversationId: string, file: ReadFile], void, void> {
  const ahead = new Map<string, Promise<ReadFile>>();
  let next = 0;
  for (const id of conversationIds) {
    for (; next < conversationIds.length && ahead.size < FILES_AHEAD; next++) {
      const nextId = conversationIds[next] ?? "";
      ahead.set(nextId, readConversationFile(files, nextId));
    }
    const file = await ahead.get(id);
    ahead.delete(id);
    if (file) yield [id, file];
  }
}
