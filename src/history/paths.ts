/**
 * Paths of the history for the FileSystem port. Validates ids, so that an id from a message or a file
 * cannot lead out of its folder.
 */
import { idTimeMs } from "../base/id";

/** Folder with a file per conversation. */
export const CONVERSATIONS_FOLDER = "conversations";
/** Folder with a file per draft, more while several windows write. */
export const DRAFTS_FOLDER = "drafts";
/** Folder with an empty file per conversation with a running reply. */
const RUNNING_FOLDER = "running";
/** Folder with a file per picture, named by its SHA-256. */
export const IMAGES_FOLDER = "images";
/** Folder of the search index. The version is part of the name, so that versions do not share files. */
export const SEARCH_FOLDER = "search-1";
/** File of the window that builds the search index. */
export const SEARCH_CLAIM_PATH = `${SEARCH_FOLDER}/building`;

const SEGMENT_ENDING = ".segment";
const CONVERSATION_ENDING = ".jsonl";
const SAFE_ID = /^[\w-]{1,64}$/;
/**
 * Name of a conflict copy, an id with a suffix:
 * `ID (Anna's conflicted copy 2026-01-31).jsonl` of Dropbox and Nextcloud,
 * `ID.sync-conflict-20260131-120000-ABCDEFG.jsonl` of Syncthing, `ID-MACHINE.jsonl` of OneDrive,
 * `ID 2.jsonl` of iCloud.
 */
const CONFLICT_COPY = /^([0-9a-z]{19})[ .(~-].+\.jsonl$/;
const DRAFT_NAME = /^([\w-]{1,64})(?:\.([\w-]{1,64}))?\.json$/;
const SHA_256 = /^[0-9a-f]{64}$/;

/** Returns the path of a conversation's file. Throws RangeError for an unsafe id. */
export function conversationPath(conversationId: string): string {
  return `${CONVERSATIONS_FOLDER}/${checked(conversationId)}${CONVERSATION_ENDING}`;
}

/** Returns the path of a running reply's heartbeat. Throws RangeError for an unsafe id. */
export function heartbeatPath(conversationId: string): string {
  return `${RUNNING_FOLDER}/${checked(conversationId)}`;
}

/** Returns the id for a name in the conversations folder; undefined for other files. */
export function conversationIdOf(fileName: string): string | undefined {
  if (!fileName.endsWith(CONVERSATION_ENDING) || conflictCopyOf(fileName)) return undefined;
  const id = fileName.slice(0, -CONVERSATION_ENDING.length);
  return isSafeId(id) ? id : undefined;
}

/**
 * Returns the conversation's id for the name of a conflict copy, which a sync program makes when two
 * machines wrote to the same file; undefined for other files.
 */
export function conflictCopyOf(fileName: string): string | undefined {
  const [, id] = CONFLICT_COPY.exec(fileName) ?? [];
  return id;
}

/** Returns the name of a draft's file. Throws RangeError for an unsafe id. */
export function draftName(conversationId: string, writeId: string): string {
  return `${checked(conversationId)}.${checked(writeId)}.json`;
}

/**
 * Returns the conversation's id for a name in the drafts folder; undefined for other files. Version
 * 1 had a file per conversation, named by its id alone.
 */
export function draftConversationOf(fileName: string): string | undefined {
  return DRAFT_NAME.exec(fileName)?.[1];
}

/** Returns the time in a draft's file name, in milliseconds; 0 for a name of version 1. */
export function draftWrittenAtMs(fileName: string): number {
  const writeId = DRAFT_NAME.exec(fileName)?.[2];
  return (writeId === undefined ? undefined : idTimeMs(writeId)) ?? 0;
}

/** Returns the path of a segment of the search index. */
export function searchSegmentPath(id: string): string {
  return `${SEARCH_FOLDER}/${checked(id)}${SEGMENT_ENDING}`;
}

/** True for the name of a segment, in the folder of the search index. */
export function isSearchSegmentName(fileName: string): boolean {
  return fileName.endsWith(SEGMENT_ENDING);
}

/** Returns the path of a picture; `hash` must pass `isPictureHash`. */
export function picturePath(hash: string): string {
  return `${IMAGES_FOLDER}/${hash}`;
}

/** True for 64 lower-case hexadecimal digits, the only names in the images folder. */
export function isPictureHash(hash: string): boolean {
  return SHA_256.test(hash);
}

/** True for an id that is a valid file name on every platform. */
export function isSafeId(id: string): boolean {
  return SAFE_ID.test(id);
}

function checked(id: string): string {
  if (!isSafeId(id)) throw new RangeError("the id of a conversation cannot name a file");
  return id;
}
