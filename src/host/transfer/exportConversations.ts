import * as vscode from "vscode";
import { separatedPath } from "../../ask/separatedReply";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import type { Conversation } from "../../conversation/conversation";
import { titleOf } from "../../conversation/title";
import { exportJson } from "../../conversation/exportJson";
import {
  exportMarkdown,
  holdsThinking,
  type ExportedFile,
  type ExportMessages,
} from "../../conversation/exportMarkdown";
import { redactConversation } from "../../conversation/redactConversation";
import type { PictureLimits } from "../../pictures/validateImage";
import { panelMessages } from "../messages/panelMessages";
import type { ChatView } from "../panel/chatView";

const { t } = vscode.l10n;

export interface TransferOptions {
  readonly conversations: Conversations;
  readonly view: ChatView;
  readonly log: Log;
  readonly pictureLimits: () => PictureLimits;
  /** Removes keys from text that is written to a file. */
  readonly redact: (text: string) => string;
}

/** Writes the panel's conversation to a file; the file extension decides the format. */
export async function exportConversation(options: TransferOptions): Promise<void> {
  const live = options.view.session?.live;
  if (live === undefined || live.conversation.messages.size === 0) {
    await vscode.window.showInformationMessage(
      t("There is nothing to export yet. Open a conversation in the panel first."),
    );
    return;
  }
  const conversation = redactConversation(withSeparatedReplies(live.conversation), options.redact);
  const target = await vscode.window.showSaveDialog({
    title: t("Export Conversation"),
    defaultUri: inFirstFolder(`${fileName(titleOf(conversation))}.md`),
    filters: { Markdown: ["md"], JSON: ["json"] },
  });
  if (target === undefined) return;
  const isWithThinking = holdsThinking(conversation) ? await askWithThinking() : false;
  if (isWithThinking === undefined) return;
  try {
    await writeConversation(options, conversation, target, isWithThinking);
  } catch (error) {
    options.log.error(`export: failed (${describeError(error)})`);
    await vscode.window.showErrorMessage(
      t("The conversation could not be saved there. Choose another location."),
    );
    return;
  }
  const open = t("Open File");
  const done = t("The conversation was exported.");
  const chosen = await vscode.window.showInformationMessage(done, open);
  if (chosen === open) await vscode.commands.executeCommand("vscode.open", target);
}

/** Writes a conversation to a file, whose extension decides the format. Throws the errors of the file system. */
async function writeConversation(
  { conversations }: TransferOptions,
  conversation: Conversation,
  target: vscode.Uri,
  isWithThinking: boolean,
): Promise<void> {
  const readPicture = async (hash: string) => {
    const picture = await conversations.unsaved.pictures.read(hash);
    return picture.kind === "found" ? picture.bytes : undefined;
  };
  if (target.path.endsWith(".json")) {
    await writeExport(target, await exportJson(conversation, readPicture, isWithThinking), []);
    return;
  }
  const { markdown, files } = await exportMarkdown(
    conversation,
    `${baseName(target).replace(/\.[^.]*$/, "")}-pictures`,
    exportMessages(),
    readPicture,
    isWithThinking,
  );
  await writeExport(target, markdown, files);
}

/** Writes conversations into a folder, each to a file of its own; no file is overwritten. */
export async function exportConversations(
  options: TransferOptions,
  ids: readonly string[],
): Promise<void> {
  const opened = await Promise.all(
    ids.map((id) => options.conversations.get(id).catch(() => undefined)),
  );
  const all = opened.flatMap((live) =>
    live === undefined || live.conversation.messages.size === 0
      ? []
      : [redactConversation(withSeparatedReplies(live.conversation), options.redact)],
  );
  const title = t("Export {0} Conversations", ids.length);
  const format = await vscode.window.showQuickPick(["Markdown", "JSON"], { title });
  if (format === undefined) return;
  const isWithThinking = all.some(holdsThinking) ? await askWithThinking() : false;
  if (isWithThinking === undefined) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [target] =
    (await vscode.window.showOpenDialog({
      title,
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: t("Export Here"),
      ...(folder && { defaultUri: folder }),
    })) ?? [];
  if (target === undefined) return;
  let failedCount = ids.length - all.length;
  for (const conversation of all) {
    try {
      const file = await freeFile(target, fileName(titleOf(conversation)), format);
      await writeConversation(options, conversation, file, isWithThinking);
    } catch (error) {
      failedCount += 1;
      options.log.error(`export: failed (${describeError(error)})`);
    }
  }
  if (failedCount === 0) {
    void vscode.window.showInformationMessage(t("{0} conversations were exported.", all.length));
  } else {
    void vscode.window.showWarningMessage(
      t(
        "{0} of {1} conversations could not be exported. Check the folder and try again.",
        failedCount,
        ids.length,
      ),
    );
  }
}

/** Returns a file of the folder that does not exist yet. */
async function freeFile(folder: vscode.Uri, name: string, format: string): Promise<vscode.Uri> {
  const extension = format === "JSON" ? "json" : "md";
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const file = vscode.Uri.joinPath(folder, `${name}${suffix}.${extension}`);
    if ((await typeAt(file)) === undefined) return file;
  }
}

function withSeparatedReplies(conversation: Conversation): Conversation {
  const messages = separatedPath([...conversation.messages.values()]);
  return { ...conversation, messages: new Map(messages.map((message) => [message.id, message])) };
}

/** Asks if the thinking is exported too; undefined after Escape. */
async function askWithThinking(): Promise<boolean | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      { label: t("Without the model's thinking"), isWithThinking: false },
      { label: t("With the model's thinking"), isWithThinking: true },
    ],
    { title: t("Export Conversation") },
  );
  return chosen?.isWithThinking;
}

/**
 * Writes the pictures, then the document under a temporary name, which is replaced last. Deletes new
 * files and folders after a failure. Throws the errors of the file system.
 */
async function writeExport(
  target: vscode.Uri,
  text: string,
  files: readonly ExportedFile[],
): Promise<void> {
  const { fs } = vscode.workspace;
  const nextToTarget = (path: string) => vscode.Uri.joinPath(target, "..", ...path.split("/"));
  const created: vscode.Uri[] = [];
  if ((await typeAt(target)) === vscode.FileType.Directory) {
    throw vscode.FileSystemError.FileIsADirectory(); // `rename` would delete the folder.
  }
  try {
    for (const { path, bytes } of files) {
      const folder = vscode.Uri.joinPath(nextToTarget(path), "..");
      if ((await typeAt(folder)) === undefined) created.push(folder);
      await fs.writeFile(nextToTarget(path), bytes);
    }
    const part = nextToTarget(`${baseName(target)}.${newId()}.part`);
    created.push(part);
    await fs.writeFile(part, new TextEncoder().encode(text));
    await fs.rename(part, target, { overwrite: true });
  } catch (error) {
    for (const uri of created) {
      // The first error is the one to report.
      await fs.delete(uri, { recursive: true }).then(undefined, () => undefined);
    }
    throw error;
  }
}

/** Returns the type of a file; undefined if there is none. */
function typeAt(uri: vscode.Uri): Thenable<vscode.FileType | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => undefined,
  );
}

function baseName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

function exportMessages(): ExportMessages {
  return {
    untitled: t("New conversation"),
    you: t("You"),
    assistant: t("Assistant"),
    missingPicture: (name) => t("(picture {0} is missing)", name),
    pictureNotShown: (picture) => panelMessages.pictureNotShown(picture),
    withheld: t("(blocked by the service)"),
    unfinished: t("(not finished)"),
    thinking: t("Thinking"),
    summary: (count) =>
      count === 1 ? t("Summary of 1 message") : t("Summary of {0} messages", count),
    gapBefore: t("(messages are missing here: they could not be read)"),
    aside: t("Asked aside"),
    gapInside: t("(text is missing at […]: it could not be read)"),
  };
}

function fileName(title: string | undefined): string {
  const name = (title ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return name === "" ? "conversation" : name.slice(0, 60);
}

function inFirstFolder(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name);
}
