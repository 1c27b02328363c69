/**
 * Merges a copy of a conversation's file into the file: appends the records that the file does not have.
 * Nothing is removed, and merging again changes nothing.
 */
import { concatBytes } from "../base/concatBytes";
import type { FileSystem } from "./fileSystem";

const LINE_END = 0x0a;

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
  const known = new Set(file && linesOf(file).map((line) => decoder.decode(line)));
  return linesOf(copy).filter((line) => !known.has(decoder.decode(line)));
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
