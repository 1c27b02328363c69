/**
 * Reads the names and sizes in a zip archive from its central directory.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.12 and 4.3.16
 */
import { readFileSync } from "node:fs";

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;

export interface ZipEntry {
  readonly name: string;
  /** Uncompressed size. */
  readonly bytes: number;
}

/** Returns the entries of the archive in order. Throws if the archive is incomplete. */
export function zipEntries(file: string): ZipEntry[] {
  const archive = readFileSync(file);
  let end = archive.length - END_BYTES;
  while (end >= 0 && archive.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw new Error(`${file} is not a whole zip archive.`);
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  while (entries.length < count) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error(`${file} is damaged.`);
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.push({ name, bytes: archive.readUInt32LE(at + 24) });
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
