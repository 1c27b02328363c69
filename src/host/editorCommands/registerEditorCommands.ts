/** Registers the commands that start in an editor, and the questions about pictures. */
import type * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import type { NoticeAction } from "../../protocol/views";
import type { ServiceClient } from "../../service/client";
import type { WorkspaceRules } from "../context/workspaceRules";
import type { ActiveChat } from "../panel/activeChat";
import type { ChatView } from "../panel/chatView";
import type { CommandHandlers, CommandName } from "../platform/contributions";
import {
  askServiceWith,
  withLongReply,
  withoutEditorPrompt,
  withRules,
} from "../settings/askService";
import type { Services } from "../settings/services";
import { SAVED_EDITS_KEY } from "../inline/savedEdits";
import { askAboutImages } from "./askImages";

const LAZY_COMMANDS = [
  "editSelection",
  "generateAtCursor",
  "editReadOnly",
  "inlineKeep",
  "inlineKeepAtCursor",
  "inlineDiscard",
  "inlineKeepChange",
  "inlineDiscardChange",
  "inlineStop",
  "inlineRetry",
  "inlineCompare",
  "inlineOpenReply",
  "readingInsert",
  "readingShowOther",
  "readingAskForWholeBlock",
  "readingOpenReply",
  "explainSelection",
  "fixSelection",
  "writeTests",
  "documentSelection",
] as const;

const BOX_COMMANDS = ["boxSend", "boxEarlier", "boxLater", "boxClose"] as const;

export interface EditorFeatureOptions {
  readonly client: ServiceClient;
  readonly services: Services;
  readonly rules: WorkspaceRules;
  readonly runAction: (action: NoticeAction, profile: string) => Promise<void>;
  readonly view: ChatView;
  readonly conversations: Conversations;
  readonly activeChat: ActiveChat;
  /** Storage of the workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

export function registerEditorCommands(options: EditorFeatureOptions) {
  const { client, services, rules, view, activeChat, memory, log } = options;
  const owned = new Disposables();
  const loadBox = lazily(async () => {
    const { InstructionBox } = await import("../inline/instructionBox");
    return owned.add(new InstructionBox(memory));
  });
  const load = lazily(async () => {
    const [{ createEditorCommands }, box] = await Promise.all([
      import("./editorCommands"),
      loadBox(),
    ]);
    const { prepareTurn } = services;
    const editorCommands = createEditorCommands({
      ask: withRules(
        askServiceWith({ client, prepareTurn }, (own) => withLongReply(withoutEditorPrompt(own))),
        rules.forQuestion,
      ),
      box,
      rulesFor: rules.forFiles,
      runAction: (action) => void options.runAction(action, services.activeProfile()),
      activeChat,
      view,
      conversations: options.conversations,
      memory,
      log,
    });
    return owned.add(editorCommands).commands;
  });
  // Loads the edits that were pending when the window was reloaded; a command that needs them
  // reports a failure.
  if (memory.get(SAVED_EDITS_KEY) !== undefined) load().catch(() => undefined);
  return {
    commands: {
      ...lazyCommands(LAZY_COMMANDS, load),
      ...lazyCommands(BOX_COMMANDS, async () => (await loadBox()).commands),
      askImage: (clicked, selected) => askAboutImages(view, clicked, selected),
      askClipboardImage: () => view.attachClipboardPicture(),
      comparePictures: async (clicked, selected) =>
        (await import("./comparePictures")).comparePictures(activeChat, clicked, selected),
      takeScreenshot: () => activeChat.takeScreenshot(),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}

/** Returns handlers that load the handlers of these commands when first called. */
function lazyCommands<Name extends CommandName>(
  names: readonly Name[],
  load: () => Promise<CommandHandlers<Name>>,
): CommandHandlers<Name> {
  const handlers = names.map((name) => [
    name,
    async (...args: unknown[]) => (await load())[name](...args),
  ]);
  return Object.fromEntries(handlers) as CommandHandlers<Name>;
}
