/** Finds out which pictures are still used by conversations and drafts on disk. */
import type { FileSystem } from "./fileSystem";
import { CONVERSATIONS_FOLDER, DRAFTS_FOLDER } from "./paths";
import { contentOwnersOf, LINE_END, linesOf, readLines } from "./record";
import type { TimeSlice } from "../base/timeSlice";

/** Bytes searched for picture hashes without a pause; takes a few milliseconds. */
const PIECE_BYTES = 256 * 1024;

/** Overlap of two pieces, so that each hash is whole in one of them. */
const HASH_LENGTH = 64;

/** Removes from `unused` every hash that a conversation or a draft uses. Rejects as the file system. */
export async function removeUsed(
  files: FileSystem,
  unused: Set<string>,
  slice: TimeSlice,
  folders: readonly string[] = [CONVERSATIONS_FOLDER, DRAFTS_FOLDER],
): Promise<void> {
  for (const folder of folders) {
    for (const name of await files.list(folder)) {
      if (unused.size === 0) return;
      const bytes = await files.read(`${folder}/${name}`);
      if (bytes === undefined) continue;
      const forgotten = forgottenRecords(bytes);
      for await (const [hash, at] of hashesIn(bytes, slice)) {
        if (
          unused.has(hash) &&
          isUse(lineAt(bytes, at), hash, (id) => at < (forgotten.get(id) ?? 0))
        )
          unused.delete(hash);
      }
    }
  }
}

/** Yields every hash in a file, also of damaged records, with its position. */
export async function* hashesIn(
  bytes: Uint8Array,
  slice: TimeSlice,
): AsyncGenerator<readonly [hash: string, at: number], void, void> {
  const decoder = new TextDecoder("latin1");
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = decoder.decode(bytes.subarray(start, start + PIECE_BYTES + HASH_LENGTH));
    for (const { 0: hash, index } of piece.matchAll(/[0-9a-f]{64}/g)) yield [hash, start + index];
    const pause = slice.pause();
    if (pause) await pause;
  }
}

/**
 * True unless the line is a record that only names the picture: the receipt of a request, the next
 * question, which leaves the picture out, or a message whose pictures are forgotten.
 */
function isUse(
  line: Uint8Array,
  hash: string,
  isForgotten: (messageId: string) => boolean,
): boolean {
  const [stored] = readLines(line);
  if (stored?.record.kind !== "step") return true;
  const { step } = stored.record;
  if (contentOwnersOf(step).some(isForgotten)) return false;
  if (step.kind === "request-sent") return false;
  if (step.kind !== "message-added" || step.message.role !== "user") return true;
  return JSON.stringify(step.message.parts).includes(hash);
}

/** Returns the messages whose pictures the user forgot, with the positions of the records that say so. */
function forgottenRecords(bytes: Uint8Array): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  const latin1 = new TextDecoder("latin1");
  for (const line of linesOf(bytes)) {
    if (!latin1.decode(line).includes('"pictures-forgotten"')) continue;
    const [stored] = readLines(line);
    if (stored?.record.kind !== "step" || stored.record.step.kind !== "pictures-forgotten")
      continue;
    const at = line.byteOffset - bytes.byteOffset;
    for (const id of stored.record.step.messageIds) positions.set(id, at);
  }
  return positions;
}

function lineAt(bytes: Uint8Array, at: number): Uint8Array {
  const end = bytes.indexOf(LINE_END, at);
  return bytes.subarray(bytes.lastIndexOf(LINE_END, at) + 1, end === -1 ? bytes.length : end);
}
