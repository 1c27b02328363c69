/** Registers the commands that export and import conversations; both are lazy-loaded. */
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversations";
import type { ChatView } from "../panel/chatView";
import { pictureHost } from "../pictures/pictureHost";
import type { CommandHandlers } from "../platform/contributions";
import type { KnownSecrets } from "../settings/secrets";

interface TransferFeatureOptions {
  readonly conversations: Conversations;
  readonly view: ChatView;
  readonly secrets: KnownSecrets;
  readonly log: Log;
}

interface TransferFeature {
  readonly commands: CommandHandlers<"exportConversation" | "importConversation">;
}

/** Registers the commands; nothing has to be disposed. */
export function registerTransfer({
  conversations,
  view,
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
      importConversation: async () => (await load()).importConversation(options),
    },
  };
}
