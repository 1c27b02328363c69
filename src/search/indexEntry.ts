/**
 * Entry of the list of conversations, with the size and time of its file to detect a stale entry.
 */
import type { Conversation } from "../conversation/conversation";
import { shownPath } from "../conversation/paths";
import { titleOf } from "../conversation/title";
import { imagesOf } from "../conversation/message";
import type { FileStat } from "../history/fileSystem";
import type { LoadedConversation } from "../history/readConversation";

/** Row of the list; valid only while its file is unchanged. */
export interface IndexEntry {
  readonly id: string;
  /** Title by the user or from the first message; absent if there is neither. */
  readonly title?: string;
  /** Workspace the conversation was created in; absent without a workspace. */
  readonly workspace?: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  /** Number of messages on the shown path. */
  readonly messageCount: number;
  /** Codes of the models that replied, in order of their first reply. */
  readonly modelCodes: readonly string[];
  /** Number of pictures in all messages, including other versions. */
  readonly pictureCount: number;
  readonly isPinned: boolean;
  /** Time of deletion; absent outside the bin. */
  readonly deletedAtMs?: number;
  /** Number of records that cannot be read; the file is not changed. */
  readonly damagedRecords: number;
  /** Number of records of a newer version of Core Chat. */
  readonly newerRecords: number;
  /** True if reading the file failed; the other fields are then from an earlier read. */
  readonly isUnreadable: boolean;
  readonly fileBytes: number;
  readonly fileChangedAtMs: number;
}

/** Creates the entry of a conversation; `stat` is from before its file was read. */
export function entryOf(loaded: LoadedConversation, stat: FileStat): IndexEntry {
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
