/**
 * Files one after the other, the next few already being read: most of the time of reading many
 * small ones is waiting for the disk.
 */
import type { FileFacts, FileSystem } from "./fileSystem";
import { conversationPath } from "./paths";

/** Files being read while one is worked on. */
const FILES_AHEAD = 6;

/** What the disk gave for one conversation. */
export type ReadFile =
  | { readonly kind: "read"; readonly facts: FileFacts; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly error: unknown };

/** The file of a conversation and its facts from just before it was read. Never rejects. */
export async function readFile(files: FileSystem, conversationId: string): Promise<ReadFile> {
  const path = conversationPath(conversationId);
  try {
    const facts = await files.facts(path);
    const bytes = facts && (await files.read(path));
    return facts === undefined || bytes === undefined
      ? { kind: "missing" }
      : { kind: "read", facts, bytes };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** The files of many conversations, in the order of `conversationIds`. */
export async function* readFiles(
  files: FileSystem,
  conversationIds: readonly string[],
): AsyncGenerator<readonly [conversationId: string, file: ReadFile], void, void> {
  const ahead = new Map<string, Promise<ReadFile>>();
  let next = 0;
  for (const id of conversationIds) {
    for (; next < conversationIds.length && ahead.size < FILES_AHEAD; next++) {
      const wanted = conversationIds[next] ?? "";
      ahead.set(wanted, readFile(files, wanted));
    }
    const file = await ahead.get(id);
    ahead.delete(id);
    if (file) yield [id, file];
  }
}
