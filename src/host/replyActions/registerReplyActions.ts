/** Registers the actions on code blocks and file links of replies; all are lazy-loaded. */
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { SessionHost } from "../../chat/sessionHost";
import type { CommandHandlers } from "../platform/contributions";

interface ReplyActions extends Disposable {
  readonly commands: CommandHandlers<"applyKeep" | "applyDiscard">;
  readonly forReplies: Pick<SessionHost, "copy" | "useCode" | "findFiles" | "openFile">;
}

export function registerReplyActions(log: Log): ReplyActions {
  const owned = new Disposables();
  const codeActions = () => import("./codeActions");
  const fileLinks = lazily(async () => {
    const { FileLinks } = await import("./fileLinks");
    return owned.add(new FileLinks());
  });
  const proposals = lazily(async () => {
    const { Proposals } = await import("./proposals");
    return owned.add(new Proposals(log));
  });
  return {
    commands: {
      applyKeep: async (argument) => (await proposals()).keep(argument),
      applyDiscard: async (argument) => (await proposals()).discard(argument),
    },
    forReplies: {
      copy: async (text) => (await codeActions()).copyMessage(text),
      useCode: async (action, text, block) => {
        const { useCode } = await codeActions();
        return useCode(action, text, block, async (...code) =>
          (await proposals()).propose(...code),
        );
      },
      findFiles: async (mentions) => (await fileLinks()).find(mentions),
      openFile: (file) => void fileLinks().then((links) => links.open(file)),
    },
    dispose: () => owned.dispose(),
  };
}
