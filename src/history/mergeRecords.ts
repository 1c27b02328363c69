/**
 * Merges a copy of a conversation's file into the file: appends the records that the file does not have.
 * Nothing is removed, and merging again changes nothing.
 */
import { concatBytes } from "../base/concatBytes";
import type { FileSystem } from "./fileSystem";
import { LINE_END, linesOf } from "./record";

/** Merges `copy` into the file and reads it back. Rejects if a record is not in the file afterwards. */
export async function mergeRecords(
  files: FileSystem,
  path: string,
  copy: Uint8Array,
): Promise<void> {
  const missing = missingLines(await files.read(path), copy);
  if (missing.length === 0) return;
  const lineEnd = Uint8Array.of(LINE_END);
  await files.append(path, concatBytes(missing.flatMap((line) => [lineEnd, line, lineEnd])));
  if (missingLines(await files.read(path), copy).length > 0)
    throw new Error("a record is not in the file as it was written");
}

/** Returns the lines of `copy` that the file does not have. Each record is a line. */
function missingLines(file: Uint8Array | undefined, copy: Uint8Array): Uint8Array[] {
  const decoder = new TextDecoder("latin1");
  const known = new Set<string>();
  for (const line of linesOf(file ?? new Uint8Array())) known.add(decoder.decode(line));
  return [...linesOf(copy)].filter((line) => !known.has(decoder.decode(line)));
}
