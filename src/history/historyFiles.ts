/** Lists all files of the history by kind, with those that a crash or another program left. */
import type { FileSystem } from "./fileSystem";
import {
  CONVERSATIONS_FOLDER,
  conversationOfFile,
  draftConversationOf,
  DRAFTS_FOLDER,
  IMAGES_FOLDER,
  REMOVED_FOLDER,
  RUNNING_FOLDER,
  SEARCH_FOLDER,
} from "./paths";

/** File of the history, or of the index of its texts. Every kind of content has a kind of file. */
export type HistoryFile = { readonly path: string; readonly isTemporary: boolean } & (
  | {
      /** Journal, copy or segment; draft; heartbeat of a running reply, which is empty. */
      readonly kind: "conversation" | "draft" | "heartbeat";
      readonly conversationId: string;
    }
  | { readonly kind: "picture"; readonly hash: string }
  /** Titles and texts of all conversations; of a former version if nothing reads the file any longer. */
  | { readonly kind: "index"; readonly isFormer: boolean }
  /** Records of removals, with ids and hashes only. */
  | { readonly kind: "removal" }
  /** Files without content of the user, and files of other features in the same folder. */
  | { readonly kind: "other" }
);

const INDEX_FOLDER = /^search-\d{1,3}$/;

/** Cached list of a former version, or what a crash left of one. */
const FORMER_LIST = /^index-\d{1,3}\.(?:bin|json)/;

/** Returns the files of all folders. Rejects as the file system. */
export async function listHistoryFiles(files: FileSystem): Promise<HistoryFile[]> {
  const root = await files.list("");
  const folders = [
    ...[CONVERSATIONS_FOLDER, DRAFTS_FOLDER, IMAGES_FOLDER, REMOVED_FOLDER, RUNNING_FOLDER],
    ...new Set([SEARCH_FOLDER, ...root.filter((name) => INDEX_FOLDER.test(name))]),
  ];
  const listed = root.map((name) => historyFileOf("", name));
  for (const folder of folders)
    for (const name of await files.list(folder)) listed.push(historyFileOf(folder, name));
  return listed;
}

function historyFileOf(folder: string, name: string): HistoryFile {
  const path = folder === "" ? name : `${folder}/${name}`;
  const file = { path, isTemporary: name.endsWith(".tmp") };
  const nameStart = name.split(".")[0] ?? "";
  switch (folder) {
    case CONVERSATIONS_FOLDER:
      return { ...file, kind: "conversation", conversationId: conversationOfFile(name) ?? "" };
    case DRAFTS_FOLDER: {
      const id = draftConversationOf(name) ?? conversationOfFile(name) ?? nameStart;
      return { ...file, kind: "draft", conversationId: id };
    }
    case RUNNING_FOLDER:
      return { ...file, kind: "heartbeat", conversationId: nameStart };
    case IMAGES_FOLDER:
      // The name of a file that a crash left begins with the hash.
      return { ...file, kind: "picture", hash: nameStart };
    case REMOVED_FOLDER:
      return { ...file, kind: "removal" };
    case "":
      return FORMER_LIST.test(name)
        ? { ...file, kind: "index", isFormer: true }
        : { ...file, kind: "other" };
    default:
      return { ...file, kind: "index", isFormer: folder !== SEARCH_FOLDER };
  }
}
