/**
 * Entry of the list of conversations, with the size and time of its file to detect a stale entry. The
 * cached list has a line for each: eight hexadecimal digits of a CRC-32, a blank and a JSON object.
 */
import * as z from "zod/mini";
import { concatBytes } from "../base/concatBytes";
import { crc32 } from "../base/crc32";
import type { Conversation } from "../conversation/conversation";
import { shownPath } from "../conversation/paths";
import { isUntitledFork, titleOf } from "../conversation/title";
import { imagesOf } from "../conversation/message";
import type { FileStat } from "../history/fileSystem";
import type { LoadedConversation } from "../history/readConversation";

const entrySchema = z.object({
  id: z.string(),
  /** Title by the user or from the first message; absent if there is neither. */
  title: z.optional(z.string()),
  /** True for a fork whose title is from the first message, as that of its origin. */
  isFork: z.optional(z.boolean()),
  /** Workspace the conversation was created in; absent without a workspace. */
  workspace: z.optional(z.string()),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
  messageCount: z.number(),
  /** Codes of the models that replied, in order of their first reply. */
  modelCodes: z.array(z.string()),
  /** Number of pictures in all messages, including other versions. */
  pictureCount: z.number(),
  isPinned: z.boolean(),
  /** Time of deletion; absent outside the bin. */
  deletedAtMs: z.optional(z.number()),
  /** Number of records that cannot be read; the file is not changed. */
  damagedRecords: z.number(),
  /** Number of records of a newer version of Core Chat. */
  newerRecords: z.number(),
  /** True if reading the file failed; the other fields are then from an earlier read. */
  isUnreadable: z.boolean(),
  fileBytes: z.number(),
  fileChangedAtMs: z.number(),
});

/** Row of the list; valid only while its file is unchanged. */
export type IndexEntry = Readonly<z.infer<typeof entrySchema>>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const CHECKSUM_DIGITS = 8;

/** Encodes an entry as a line of the cached list, with its line end. */
export function encodeEntry(entry: IndexEntry): Uint8Array {
  const json = encoder.encode(JSON.stringify(entry));
  const checksum = crc32(json).toString(16).padStart(CHECKSUM_DIGITS, "0");
  return concatBytes([encoder.encode(`${checksum} `), json, encoder.encode("\n")]);
}

/** Decodes a line of the cached list; undefined for a damaged one. */
export function decodeEntry(line: Uint8Array): IndexEntry | undefined {
  const json = line.subarray(CHECKSUM_DIGITS + 1);
  const checksum = Number.parseInt(decoder.decode(line.subarray(0, CHECKSUM_DIGITS)), 16);
  if (checksum !== crc32(json)) return undefined;
  const entry = entrySchema.safeParse(JSON.parse(decoder.decode(json)));
  return entry.success ? entry.data : undefined;
}

/** Creates the entry of a conversation; `stat` is from before its file was read. */
export function entryOf(loaded: LoadedConversation, stat: FileStat): IndexEntry {
  const { conversation, damagedRecords, newerRecords } = loaded;
  const { id, createdAtMs, changedAtMs, workspace, deletedAtMs, isPinned = false } = conversation;
  const title = titleOf(conversation);
  return {
    id,
    ...(title !== undefined && { title }),
    ...(isUntitledFork(conversation) && { isFork: true }),
    ...(workspace !== undefined && { workspace }),
    createdAtMs,
    changedAtMs,
    messageCount: shownPath(conversation).length,
    ...counts(conversation),
    isPinned,
    ...(deletedAtMs !== undefined && { deletedAtMs }),
    damagedRecords,
    newerRecords,
    isUnreadable: false,
    fileBytes: stat.bytes,
    fileChangedAtMs: stat.changedAtMs,
  };
}

/** Creates the entry of an unreadable file, with the fields of its earlier entry. */
export function unreadableEntry(id: string, before: IndexEntry | undefined): IndexEntry {
  return {
    id,
    createdAtMs: 0,
    changedAtMs: 0,
    messageCount: 0,
    modelCodes: [],
    pictureCount: 0,
    isPinned: false,
    damagedRecords: 0,
    newerRecords: 0,
    ...before,
    isUnreadable: true,
    fileBytes: -1,
    fileChangedAtMs: -1,
  };
}

function counts(conversation: Conversation): { modelCodes: string[]; pictureCount: number } {
  const modelCodes = new Set<string>();
  let pictureCount = 0;
  for (const message of conversation.messages.values()) {
    if (message.role === "user") {
      for (const { kind } of message.parts) {
        if (kind === "image" || kind === "image-address") pictureCount++;
      }
    } else {
      pictureCount += imagesOf(message).length;
      if (message.modelCode !== "") modelCodes.add(message.modelCode);
    }
  }
  return { modelCodes: [...modelCodes], pictureCount };
}
