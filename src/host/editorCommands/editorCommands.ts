/** Creates the inline edits and the questions about the selection; lazy-loaded together. */
import type * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import type { ServiceClient } from "../../service/client";
import { startSearch } from "../context/definitions";
import { cellsAbove } from "../context/notebookCells";
import { linesToFix } from "../context/questionCode";
import type { WorkspaceRules } from "../context/workspaceRules";
import { InlineCommands } from "../inline/inlineCommands";
import type { InstructionBox } from "../inline/instructionBox";
import { showReadOnly } from "../inline/startEdit";
import type { ActiveChat } from "../panel/activeChat";
import type { CommandHandlers } from "../platform/contributions";
import {
  askServiceWith,
  withLongReply,
  withoutEditorPrompt,
  withRules,
} from "../settings/askService";
import type { BuiltInPrompt } from "../settings/prompts";
import type { Services } from "../settings/services";
import { askAboutSelection, sendFromEditor } from "./askCommands";
import { sentSummary } from "./sentSummary";

export interface EditorCommandsOptions {
  readonly client: ServiceClient;
  readonly services: Services;
  readonly rules: WorkspaceRules;
  readonly runAction: (action: NoticeAction, profile: string) => Promise<void>;
  readonly activeChat: ActiveChat;
  readonly memory: vscode.Memento;
  readonly log: Log;
}

export function createEditorCommands(options: EditorCommandsOptions, box: InstructionBox) {
  const { client, services, rules, activeChat, memory, log } = options;
  const { prepareTurn } = services;
  const owned = new Disposables();
  const inline = owned.add(
    new InlineCommands({
      // A reply may have the service's full output length.
      ask: withRules(
        askServiceWith({ client, prepareTurn }, (own) => withLongReply(withoutEditorPrompt(own))),
        rules.forQuestion,
      ),
      context: {
        box,
        findDefinitions: startSearch,
        rulesFor: rules.forFiles,
        cellsAbove,
        linesToFix,
        describe: sentSummary,
      },
      runAction: (action) => void options.runAction(action, services.activeProfile()),
      memory,
      log,
    }),
  );
  const askAbout = (prompt: BuiltInPrompt, argument: unknown) =>
    askAboutSelection(prompt, argument, sendFromEditor(activeChat));
  return {
    commands: {
      editSelection: (argument) => inline.editSelection(argument),
      generateAtCursor: (argument) => inline.generateAtCursor(argument),
      editReadOnly: showReadOnly,
      inlineKeep: (argument) => inline.keep(argument),
      // The key's own command: VS Code shows a key below the label of an action in the title.
      inlineKeepAtCursor: () => inline.keep(undefined),
      inlineDiscard: (argument) => inline.discard(argument),
      inlineKeepChange: () => inline.keepChange(),
      inlineDiscardChange: () => inline.discardChange(),
      inlineStop: (argument) => inline.stop(argument),
      inlineRetry: (argument) => inline.retry(argument),
      inlineCompare: (argument) => inline.compare(argument),
      inlineOpenReply: (argument) => inline.openReply(argument),
      readingInsert: (argument) => inline.readings.run("insert", argument),
      readingShowOther: (argument) => inline.readings.run("showOther", argument),
      readingAskForWholeBlock: (argument) => inline.readings.run("askForWholeBlock", argument),
      readingOpenReply: (argument) => inline.readings.run("openReply", argument),
      explainSelection: (argument) => askAbout("explain", argument),
      fixSelection: (argument) => askAbout("fix", argument),
      writeTests: (argument) => askAbout("tests", argument),
      documentSelection: (argument) => askAbout("document", argument),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}
