/**
 * The list of conversations as one file, so that five thousand of them need not be read to be
 * listed. Only a cache: anything about it that is not as it should be makes it count as missing.
 */
import * as z from "zod/mini";
import { indexEntrySchema, type IndexEntry } from "./indexEntry";
import { crc32 } from "../base/crc32";

/** The version is part of the name, so that another version's cache is never written over. */
const VERSION = 1;

/** Where the cache lies, as a path for the FileSystem port. */
export const INDEX_CACHE_PATH = `index-${VERSION}.json`;

const LINE_END = 0x0a;
const CHECKSUM_RADIX = 16;
const cacheSchema = z.object({ v: z.literal(VERSION), entries: z.array(indexEntrySchema) });

/** The bytes of the cache: a checksum, a line end, JSON. */
export function encodeIndexCache(entries: readonly IndexEntry[]): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(JSON.stringify({ v: VERSION, entries }));
  const head = encoder.encode(`${crc32(body).toString(CHECKSUM_RADIX)}\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** The entries of a cache; undefined for one that is damaged, empty or of another version. */
export function decodeIndexCache(bytes: Uint8Array): IndexEntry[] | undefined {
  const headEnd = bytes.indexOf(LINE_END);
  if (headEnd === -1) return undefined;
  const decoder = new TextDecoder();
  const checksum = decoder.decode(bytes.subarray(0, headEnd));
  const body = bytes.subarray(headEnd + 1);
  if (checksum !== crc32(body).toString(CHECKSUM_RADIX)) return undefined;
  try {
    return cacheSchema.parse(JSON.parse(decoder.decode(body))).entries;
  } catch {
    return undefined;
  }
}
