/** Registers the actions on code blocks and file links of replies; all are lazy-loaded. */
import type * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { Pictures } from "../../history/pictures";
import type { SessionHost } from "../../chat/sessionHost";
import type { ActiveChat } from "../panel/activeChat";
import { openText } from "../platform/files";
import type { CommandHandlers } from "../platform/contributions";

export interface ReplyActionsOptions {
  readonly context: Pick<vscode.ExtensionContext, "extensionUri" | "workspaceState">;
  readonly pictures: Pick<Pictures, "read">;
  /** The chat whose last reply the command applies, and to which a preview sends pictures. */
  readonly activeChat: ActiveChat;
  readonly log: Log;
}

export function registerReplyActions({ context, pictures, activeChat, log }: ReplyActionsOptions) {
  const owned = new Disposables();
  const codeActions = () => import("./codeActions");
  const fileLinks = lazily(async () => {
    const { FileLinks } = await import("./fileLinks");
    return owned.add(new FileLinks());
  });
  const markedLines = lazily(async () => {
    const { MarkedLines } = await import("./markedLines");
    return owned.add(new MarkedLines(context.workspaceState));
  });
  const reviews = lazily(async () => {
    const { Reviews } = await import("./reviews");
    return owned.add(new Reviews(log));
  });
  const preview = lazily(async () => {
    const { PreviewTab } = await import("../preview/previewTab");
    const { extensionUri } = context;
    return owned.add(new PreviewTab({ extensionUri, pictures, activeChat, log }));
  });
  return {
    commands: {
      applyAll: () => activeChat.revealAnd((session) => session.applyAll()),
      applyKeep: async (argument) => {
        await (await reviews()).keep(argument);
      },
      applyDiscard: async (argument) => (await reviews()).discard(argument),
      applyChoose: async () => {
        await (await reviews()).choose();
      },
      clearMarks: async () => (await markedLines()).clear(),
    } satisfies Partial<CommandHandlers>,
    forReplies: {
      countNamedFiles: async (text) => (await import("./replyChange")).countNamedFiles(text),
      applyAll: async (text) => (await reviews()).proposeAll(text),
      copy: async (text) => (await codeActions()).copyMessage(text),
      openText: (text) => openText(text, "markdown"),
      useCode: async (action, text, block) => {
        const { useCode } = await codeActions();
        return useCode(action, text, block, async (...code) => (await reviews()).propose(...code));
      },
      useTable: async (...table) => (await import("./tableActions")).useTable(...table),
      previewCode: async (code) => (await preview()).open(code),
      findFiles: async (mentions) => (await fileLinks()).find(mentions),
      openFile: (file) => void fileLinks().then((links) => links.open(file)),
      placeMarks: async (reply) => (await markedLines()).place(reply),
      clearMarks: (messageIds) => void markedLines().then((marks) => marks.clear(messageIds)),
    } satisfies Partial<SessionHost>,
    dispose: () => owned.dispose(),
  };
}
