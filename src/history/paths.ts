/**
 * Where the history keeps what, as paths for the FileSystem port. Names made from ids are checked
 * here, so that an id that came from elsewhere can never lead out of its folder.
 */

import { idTimeMs } from "../base/id";

/** One file a conversation. */
export const CONVERSATIONS_FOLDER = "conversations";
/** One file a draft, and more while several windows write it. */
export const DRAFTS_FOLDER = "drafts";
/** One file a picture, named by its SHA-256. */
export const IMAGES_FOLDER = "images";

const CONVERSATION_ENDING = ".jsonl";
const SAFE_ID = /^[\w-]{1,64}$/;
const DRAFT_NAME = /^([\w-]{1,64})(?:\.([\w-]{1,64}))?\.json$/;
const SHA_256 = /^[0-9a-f]{64}$/;

/** The journal file of a conversation; throws for an id that is no plain name. */
export function conversationPath(conversationId: string): string {
  return `${CONVERSATIONS_FOLDER}/${checked(conversationId)}${CONVERSATION_ENDING}`;
}

/** The conversation a file in the conversations' folder belongs to; undefined for other files. */
export function conversationIdOf(fileName: string): string | undefined {
  if (!fileName.endsWith(CONVERSATION_ENDING)) return undefined;
  const id = fileName.slice(0, -CONVERSATION_ENDING.length);
  return isSafeId(id) ? id : undefined;
}

/** The name of a draft's file; throws for an id that is no plain name. */
export function draftName(conversationId: string, writeId: string): string {
  return `${checked(conversationId)}.${checked(writeId)}.json`;
}

/**
 * The conversation that a file in the drafts' folder belongs to; undefined for other files. In the
 * first version each conversation had one file, named by its id alone.
 */
export function draftConversationOf(fileName: string): string | undefined {
  return DRAFT_NAME.exec(fileName)?.[1];
}

/** When a draft's file was written, in milliseconds; 0 for a name of the first version. */
export function draftWrittenAtMs(fileName: string): number {
  const writeId = DRAFT_NAME.exec(fileName)?.[2];
  return (writeId === undefined ? undefined : idTimeMs(writeId)) ?? 0;
}

/** The file of a picture; call it with what `isPictureHash` accepted. */
export function picturePath(hash: string): string {
  return `${IMAGES_FOLDER}/${hash}`;
}

/** True for 64 hexadecimal digits in lower case, the only names in the images' folder. */
export function isPictureHash(hash: string): boolean {
  return SHA_256.test(hash);
}

/** True for an id that can be part of a file name everywhere. */
export function isSafeId(id: string): boolean {
  return SAFE_ID.test(id);
}

function checked(id: string): string {
  if (!isSafeId(id)) throw new RangeError("an id of a conversation is no plain name");
  return id;
}
