import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import type { ActiveChat } from "../panel/activeChat";
import type { ChatView } from "../panel/chatView";
import { pictureHost } from "../pictures/pictureHost";
import { policy, refuseFixed } from "../policy/policy";
import { INSTRUCTIONS_KEY, type CommandHandlers } from "../platform/contributions";
import type { KnownSecrets } from "../settings/secrets";
import {
  deleteWorkspaceConversations,
  emptyBin,
  forgetMessage,
  forgetPictures,
} from "./deleteForever";
import type { HistoryFolder } from "./historyFolder";
import { moveHistory } from "./moveCommand";

interface TransferFeatureOptions {
  readonly conversations: Conversations;
  readonly historyFolder: HistoryFolder;
  readonly view: ChatView;
  readonly activeChat: ActiveChat;
  readonly memory: vscode.Memento;
  /** Stores earlier instructions of this workspace. */
  readonly workspaceMemory: vscode.Memento;
  readonly secrets: KnownSecrets;
  readonly log: Log;
}

export function registerTransfer({
  conversations,
  historyFolder,
  view,
  activeChat,
  memory,
  workspaceMemory,
  secrets,
  log,
}: TransferFeatureOptions) {
  const loadExport = () => import("../transfer/exportConversations");
  const loadImport = () => import("../transfer/importConversations");
  const refusesExport = (command = vscode.l10n.t("Export Conversation")) =>
    refuseFixed(!policy().export, command);
  const options = {
    conversations,
    view,
    log,
    redact: secrets.redactValues,
    pictureLimits: () => pictureHost.limits(),
  };
  // A copy of all conversations in a folder that the user chooses is an export.
  const move = async () =>
    refusesExport(vscode.l10n.t("Move History"))
      ? undefined
      : moveHistory({ conversations, historyFolder, memory, log });
  return {
    exportConversations: async (ids: readonly string[]) =>
      refusesExport() ? undefined : (await loadExport()).exportConversations(options, ids),
    commands: {
      exportConversation: async () =>
        refusesExport() ? undefined : (await loadExport()).exportConversation(options),
      manageHistory: async () => {
        const rows = [
          { label: vscode.l10n.t("Empty Bin"), choose: () => emptyBin(conversations, log) },
          {
            label: vscode.l10n.t("Delete Everything of This Workspace"),
            choose: () =>
              deleteWorkspaceConversations(conversations, log, async () =>
                workspaceMemory.update(INSTRUCTIONS_KEY, undefined),
              ),
          },
          { label: vscode.l10n.t("Move History"), choose: move },
        ];
        const title = vscode.l10n.t("Manage History");
        await (await vscode.window.showQuickPick(rows, { title }))?.choose();
      },
      forgetPictures: () => forgetPictures(conversations, log, activeChat.shownConversation),
      forgetMessage: (clicked) =>
        forgetMessage(conversations, log, activeChat.shownConversation, clicked),
      importConversation: async () => (await loadImport()).importConversation(options),
    } satisfies Partial<CommandHandlers>,
  };
}
