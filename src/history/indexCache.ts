/**
 * Index of conversations as a single file, so that listing does not read thousands of conversations.
 * A file of lines, each with a checksum and entries; a later line replaces entries of earlier ones, so a
 * change is a short line at the end. Only a cache: damaged lines count as missing.
 */
import * as z from "zod/mini";
import { checksum } from "./byteBuffer";
import { indexEntrySchema, type IndexEntry } from "./indexEntry";

/** Part of the file name, so that versions do not overwrite each other's cache. */
const VERSION = 2;

export const INDEX_CACHE_PATH = `index-${VERSION}.json`;

/** Entries in a line; decoding a line takes a few milliseconds. */
export const ENTRIES_PER_LINE = 1_000;

const LINE_END = 0x0a;
const CHECKSUM_RADIX = 16;
const CHECKSUM_LENGTH = 8;

const { shape } = indexEntrySchema;

/** Columns of the entries: validating and parsing columns takes a third of the time of objects. */
const columnsSchema = z.object({
  v: z.literal(VERSION),
  id: z.array(shape.id),
  title: z.array(z.nullable(z.string())),
  workspace: z.array(z.nullable(z.string())),
  createdAtMs: z.array(shape.createdAtMs),
  changedAtMs: z.array(shape.changedAtMs),
  messageCount: z.array(shape.messageCount),
  modelCodes: z.array(shape.modelCodes),
  pictureCount: z.array(shape.pictureCount),
  isPinned: z.array(shape.isPinned),
  deletedAtMs: z.array(z.nullable(z.number())),
  damagedRecords: z.array(shape.damagedRecords),
  newerRecords: z.array(shape.newerRecords),
  isUnreadable: z.array(shape.isUnreadable),
  fileBytes: z.array(shape.fileBytes),
  fileChangedAtMs: z.array(shape.fileChangedAtMs),
});

/** Encodes a line: checksum in hexadecimal, JSON, a line end. */
export function encodeIndexLine(entries: readonly IndexEntry[]): Uint8Array {
  const column = <K extends keyof IndexEntry>(key: K) => entries.map((entry) => entry[key]);
  const nullable = (key: "title" | "workspace" | "deletedAtMs") =>
    entries.map((entry) => entry[key] ?? null);
  const columns = {
    v: VERSION,
    id: column("id"),
    title: nullable("title"),
    workspace: nullable("workspace"),
    createdAtMs: column("createdAtMs"),
    changedAtMs: column("changedAtMs"),
    messageCount: column("messageCount"),
    modelCodes: column("modelCodes"),
    pictureCount: column("pictureCount"),
    isPinned: column("isPinned"),
    deletedAtMs: nullable("deletedAtMs"),
    damagedRecords: column("damagedRecords"),
    newerRecords: column("newerRecords"),
    isUnreadable: column("isUnreadable"),
    fileBytes: column("fileBytes"),
    fileChangedAtMs: column("fileChangedAtMs"),
  };
  const encoder = new TextEncoder();
  const body = encoder.encode(JSON.stringify(columns));
  const head = checksum(body).toString(CHECKSUM_RADIX).padStart(CHECKSUM_LENGTH, "0");
  return encoder.encode(`${head}${new TextDecoder().decode(body)}\n`);
}

/** Decodes each line; undefined for a damaged line and for one of another version. */
export function* decodeIndexLines(
  bytes: Uint8Array,
): Generator<IndexEntry[] | undefined, void, void> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found === -1 ? bytes.length : found;
    yield decodeLine(bytes.subarray(start, end));
    start = end + 1;
  }
}

/** Lists of model codes by their JSON; few differ, and 100,000 copies take megabytes. */
const modelCodeLists = new Map<string, string[]>();

function shared(modelCodes: string[]): string[] {
  const key = JSON.stringify(modelCodes);
  const known = modelCodeLists.get(key);
  if (known === undefined) modelCodeLists.set(key, modelCodes);
  return known ?? modelCodes;
}

function decodeLine(line: Uint8Array): IndexEntry[] | undefined {
  const decoder = new TextDecoder();
  const body = line.subarray(CHECKSUM_LENGTH);
  const sum = Number.parseInt(decoder.decode(line.subarray(0, CHECKSUM_LENGTH)), CHECKSUM_RADIX);
  if (sum !== checksum(body)) return undefined;
  try {
    const columns = columnsSchema.parse(JSON.parse(decoder.decode(body)));
    return columns.id.map((id, at) => {
      const title = columns.title[at] ?? undefined;
      const workspace = columns.workspace[at] ?? undefined;
      const deletedAtMs = columns.deletedAtMs[at] ?? undefined;
      return {
        id,
        ...(title !== undefined && { title }),
        ...(workspace !== undefined && { workspace }),
        createdAtMs: columns.createdAtMs[at] ?? 0,
        changedAtMs: columns.changedAtMs[at] ?? 0,
        messageCount: columns.messageCount[at] ?? 0,
        modelCodes: shared(columns.modelCodes[at] ?? []),
        pictureCount: columns.pictureCount[at] ?? 0,
        isPinned: columns.isPinned[at] ?? false,
        ...(deletedAtMs !== undefined && { deletedAtMs }),
        damagedRecords: columns.damagedRecords[at] ?? 0,
        newerRecords: columns.newerRecords[at] ?? 0,
        isUnreadable: columns.isUnreadable[at] ?? false,
        fileBytes: columns.fileBytes[at] ?? -1,
        fileChangedAtMs: columns.fileChangedAtMs[at] ?? -1,
      };
    });
  } catch {
    return undefined;
  }
}
