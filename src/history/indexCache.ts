/**
 * Index of conversations as a single file, so that listing does not read thousands of
 * conversations. Only a cache: a damaged file or a file of another version counts as missing.
 */
import * as z from "zod/mini";
import { indexEntrySchema, type IndexEntry } from "./indexEntry";
import { concatBytes } from "../base/concatBytes";
import { crc32 } from "../base/crc32";

/** Part of the file name, so that versions do not overwrite each other's cache. */
const VERSION = 1;

export const INDEX_CACHE_PATH = `index-${VERSION}.json`;

const LINE_END = 0x0a;
const CHECKSUM_RADIX = 16;
const cacheSchema = z.object({ v: z.literal(VERSION), entries: z.array(indexEntrySchema) });

/** Encodes the cache: CRC-32 in hexadecimal, a line end, JSON. */
export function encodeIndexCache(entries: readonly IndexEntry[]): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(JSON.stringify({ v: VERSION, entries }));
  const head = encoder.encode(`${crc32(body).toString(CHECKSUM_RADIX)}\n`);
  return concatBytes([head, body]);
}

/** Decodes a cache; undefined if the bytes are damaged, empty or of another version. */
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
