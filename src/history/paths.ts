/**
 * Paths of the history for the FileSystem port. Validates ids, so that an id from a message or a file
 * cannot lead out of its folder.
 */
import { idTimeMs } from "../base/id";

export const CONVERSATIONS_FOLDER = "conversations";
/** Folder with a file per draft, more while several windows write. */
export const DRAFTS_FOLDER = "drafts";
/** Folder with an empty file per conversation with a running reply. */
export const RUNNING_FOLDER = "running";
/** Empty file that is written to learn the disk's own time. No conversation has this id. */
export const DISK_TIME_PATH = `${RUNNING_FOLDER}/now.tmp`;
/** Folder with a file per picture, named by its SHA-256. */
export const IMAGES_FOLDER = "images";
/** Folder with a file for each removal for ever; the files stay, see removals.ts. */
export const REMOVED_FOLDER = "removed";
/** Version of the folder of the cached list and the packed texts: versions do not share files. */
export const SEARCH_VERSION = 6;
/** Folder of the cached list and the packed texts, which can be deleted. */
export const SEARCH_FOLDER = `search-${SEARCH_VERSION}`;
export const LIST_CACHE_PATH = `${SEARCH_FOLDER}/list.jsonl`;
/** File whose modification time is the last cleanup of the folder. */
export const SEARCH_CLEANED_PATH = `${SEARCH_FOLDER}/cleaned`;

const TEXT_PACK_ENDING = ".texts";
const CONVERSATION_ENDING = ".jsonl";
const SAFE_ID = /^[\w-]{1,64}$/;
/**
 * Name of a segment of a conversation (journalSegments.ts): `ID.ORDER.WRITER.BYTES.jsonl`. On a folder that
 * can append, segments are merged like conflict copies.
 */
const SEGMENT_NAME = /^([\w-]{1,64})\.(\d{1,12})\.([0-9a-z]{19})\.(\d{1,12})\.jsonl$/;

const ID_ANYWHERE = /(?<![0-9a-z])[0-9a-z]{19}(?![0-9a-z])/;

/** Id of a conversation at the start of a longer name. */
const ID_AND_REST = /^([0-9a-z]{19})([^0-9a-z].{0,200})$/;

/**
 * Names of copies that programs make when two machines wrote to `ID.jsonl`, without the id. The words in
 * them may be translated ("in Konflikt stehende Kopie"), so a row requires only what is fixed.
 */
const COPY_NAMES: readonly RegExp[] = [
  // ` (Anna's conflicted copy 2026-01-31)`: https://help.dropbox.com/organize/conflicted-copy
  // ` (conflicted copy 2026-01-31 120000)`: https://docs.nextcloud.com/desktop/latest/conflicts.html
  // ` [conflicted]` of pCloud, ` 2` of iCloud Drive, ` (1)` of Google Drive, ` - Copy` of Windows.
  /^[ ([].*\.jsonl$/,
  // `.sync-conflict-20260131-120000-ABCDEFG`: https://docs.syncthing.net/users/syncing.html
  // `.Conflict`: https://help.resilio.com/hc/en-us/articles/204753629-Conflict-files-in-Sync
  // Also segments, which a window with another access to the folder wrote.
  /^\..*\.jsonl$/,
  // `~20260131-120000`: https://docs.syncthing.net/users/versioning.html
  /^~.*\.jsonl$/,
  // `-MACHINE` of OneDrive.
  /^-.*\.jsonl$/,
  // `_conflict-20260131-120000` of ownCloud: https://github.com/owncloud/android/issues/815
  // `_PC_Jan-03-0901-2013_CaseConflict_1`:
  // https://kb.synology.com/en-eu/DSM/tutorial/Synology_Drive_file_conflict_resolution
  // `_LOCAL_123`: https://git-scm.com/docs/git-mergetool
  /^_.*\.jsonl$/,
  // https://git-scm.com/docs/git-mergetool (keepBackup), and Mercurial.
  /^\.jsonl\.orig$/,
  // `.conflict1`: https://rclone.org/bisync/ (conflict-suffix); `.conflict` of OpenCloud.
  // `..path1` of rclone before 1.66: https://rclone.org/bisync/
  /^\.jsonl\.(?:conflict\d*|\.path[12])$/,
  // ` (SFConflict 2015-03-07-11-30-28)`: https://www.seafile.com/en/help/conflicts/
  /^\.jsonl \(SFConflict .*\)$/,
  // `.mine`, `.r12`: https://svnbook.red-bean.com/en/1.7/svn.tour.cycle.html
  /^\.jsonl\.(?:mine|r\d+)$/,
];
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
  const [, id, rest = ""] = ID_AND_REST.exec(fileName) ?? [];
  const isCopy = rest !== CONVERSATION_ENDING && COPY_NAMES.some((name) => name.test(rest));
  return isCopy ? id : undefined;
}

/**
 * Returns the conversation of any file in the conversations folder: its own file, a copy, a segment, or a
 * file that another program made of these, such as a backup or a download in progress.
 */
export function conversationOfFile(fileName: string): string | undefined {
  return conversationIdOf(fileName) ?? ID_ANYWHERE.exec(fileName)?.[0];
}

export interface JournalSegment {
  readonly name: string;
  readonly conversationId: string;
  /** Position among the segments of the conversation; two windows may choose the same. */
  readonly order: number;
  /** Id of the window that wrote the segment. */
  readonly writer: string;
  /** Size of the complete file. */
  readonly bytes: number;
}

/** Returns the name of a segment's file. */
export function segmentName(segment: Omit<JournalSegment, "name">): string {
  const { conversationId, order, writer, bytes } = segment;
  return `${checked(conversationId)}.${order}.${writer}.${bytes}${CONVERSATION_ENDING}`;
}

/** Returns the segment of a name in the conversations folder; undefined for other files. */
export function segmentOf(name: string): JournalSegment | undefined {
  const [, conversationId, order, writer, bytes] = SEGMENT_NAME.exec(name) ?? [];
  if (conversationId === undefined || writer === undefined) return undefined;
  return { name, conversationId, order: Number(order), writer, bytes: Number(bytes) };
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

export function textPackPath(id: string): string {
  return `${SEARCH_FOLDER}/${checked(id)}${TEXT_PACK_ENDING}`;
}

export function isTextPackName(fileName: string): boolean {
  return fileName.endsWith(TEXT_PACK_ENDING);
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
