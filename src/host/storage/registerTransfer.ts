/** Registers the commands that export, import and move conversations; all are lazy-loaded. */
import type { Memento } from "vscode";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversations";
import type { ChatView } from "../panel/chatView";
import { pictureHost } from "../pictures/pictureHost";
import type { CommandHandlers } from "../platform/contributions";
import type { KnownSecrets } from "../settings/secrets";
import type { HistoryFolder } from "./historyFolder";

interface TransferFeatureOptions {
  readonly conversations: Conversations;
  readonly historyFolder: HistoryFolder;
  readonly view: ChatView;
  readonly memory: Memento;
  readonly secrets: KnownSecrets;
  readonly log: Log;
}

interface TransferFeature {
  readonly commands: CommandHandlers<"exportConversation" | "importConversation" | "moveHistory">;
}

/** Registers the commands; nothing has to be disposed. */
export function registerTransfer({
  conversations,
  historyFolder,
  view,
  memory,
  secrets,
  log,
}: TransferFeatureOptions): TransferFeature {
  const load = () => import("./transfer");
  const options = {
    ...{ conversations, view, log, redact: secrets.redactValues },
    pictureLimits: () => pictureHost.limits(),
  };
  return {
    commands: {
      exportConversation: async () => (await load()).exportConversation(options),
      moveHistory: async (target) =>
        (await import("./moveCommand")).moveHistory(
          { conversations, historyFolder, memory, log },
          target,
        ),
      importConversation: async () => (await load()).importConversation(options),
    },
  };
}
