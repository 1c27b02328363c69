/**
 * What the list of conversations shows of each, and the size and time of the file it was read
 * from, by which a stale entry is known.
 */
import * as z from "zod/mini";
import { shownPath, titleOf, type Conversation } from "../conversation/conversation";
import type { FileFacts } from "./fileSystem";
import type { LoadedConversation } from "./readConversation";

/** One line of the list. Entries are made from the files and believed only while those stay. */
export const indexEntrySchema = z.object({
  id: z.string(),
  /** The person's title or one made from the first message; absent while there is neither. */
  title: z.optional(z.string()),
  /** The workspace it was begun in; absent without one. */
  workspace: z.optional(z.string()),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
  /** Messages on the shown path. */
  messageCount: z.number(),
  /** Codes of the models that answered, in the order they first did. */
  modelCodes: z.array(z.string()),
  /** Pictures in all messages, other versions included. */
  pictureCount: z.number(),
  isPinned: z.boolean(),
  /** When it went into the bin; absent outside it. */
  deletedAtMs: z.optional(z.number()),
  /** Records that could not be read; the file is left as it is. */
  damagedRecords: z.number(),
  /** Records of a newer version of Core Chat. */
  newerRecords: z.number(),
  /** True when the disk did not let us read the file; the rest is then what was known before. */
  isUnreadable: z.boolean(),
  fileBytes: z.number(),
  fileChangedAtMs: z.number(),
});
export type IndexEntry = z.infer<typeof indexEntrySchema>;

/** The entry of a conversation just read from a file that had these facts before. */
export function entryOf(loaded: LoadedConversation, facts: FileFacts): IndexEntry {
  const { conversation, damagedRecords, newerRecords } = loaded;
  const { id, createdAtMs, changedAtMs, workspace, deletedAtMs, isPinned = false } = conversation;
  const title = titleOf(conversation);
  return {
    id,
    ...(title !== undefined && { title }),
    ...(workspace !== undefined && { workspace }),
    createdAtMs,
    changedAtMs,
    messageCount: shownPath(conversation).length,
    ...counted(conversation),
    isPinned,
    ...(deletedAtMs !== undefined && { deletedAtMs }),
    damagedRecords,
    newerRecords,
    isUnreadable: false,
    fileBytes: facts.bytes,
    fileChangedAtMs: facts.changedAtMs,
  };
}

/** The entry of a file that could not be read, with what was known of it before. */
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

/** True when the entry was made from a file with these facts. */
export function isUpToDate(entry: IndexEntry | undefined, facts: FileFacts): boolean {
  return entry?.fileBytes === facts.bytes && entry.fileChangedAtMs === facts.changedAtMs;
}

function counted(conversation: Conversation): { modelCodes: string[]; pictureCount: number } {
  const modelCodes = new Set<string>();
  let pictureCount = 0;
  for (const message of conversation.messages.values()) {
    if (message.role === "user") {
      for (const { kind } of message.parts) {
        if (kind === "image" || kind === "image-address") pictureCount++;
      }
    } else if (message.modelCode !== "") modelCodes.add(message.modelCode);
  }
  return { modelCodes: [...modelCodes], pictureCount };
}
