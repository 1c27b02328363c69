/** Creates inline edits, questions about the selection and commit messages; lazy-loaded together. */
import type * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import { InlineCommands } from "../inline/inlineCommands";
import type { ActiveChat } from "../panel/activeChat";
import type { CommandHandlers } from "../platform/contributions";
import type { AskService } from "../settings/askService";
import type { BuiltInPrompt } from "../settings/prompts";
import { CommitMessages } from "../sourceControl/commitMessage";
import { askAboutSelection, sendFromEditor } from "./askCommands";

export interface EditorCommandsOptions {
  /** Requests a reply with the service's full output length. */
  readonly askLong: AskService;
  readonly askShort: AskService;
  readonly runAction: (action: NoticeAction) => void;
  readonly activeChat: ActiveChat;
  /** Storage of the workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

interface EditorCommands extends Disposable {
  readonly commands: CommandHandlers<
    | "editSelection"
    | "generateAtCursor"
    | "inlineKeep"
    | "inlineDiscard"
    | "inlineKeepChange"
    | "inlineDiscardChange"
    | "inlineStop"
    | "inlineRetry"
    | "inlineCompare"
    | "inlineOpenReply"
    | "explainSelection"
    | "fixSelection"
    | "writeTests"
    | "documentSelection"
    | "generateCommitMessage"
    | "stopCommitMessage"
  >;
}

export function createEditorCommands(options: EditorCommandsOptions): EditorCommands {
  const { askLong, askShort, runAction, activeChat, memory, log } = options;
  const owned = new Disposables();
  const inline = owned.add(new InlineCommands({ ask: askLong, runAction, memory, log }));
  const commitMessages = owned.add(new CommitMessages({ ask: askShort, runAction, log }));
  const askAbout = (prompt: BuiltInPrompt, argument: unknown) =>
    askAboutSelection(prompt, argument, sendFromEditor(activeChat));
  return {
    commands: {
      editSelection: (argument) => inline.editSelection(argument),
      generateAtCursor: (argument) => inline.generateAtCursor(argument),
      inlineKeep: (argument) => inline.keep(argument),
      inlineDiscard: (argument) => inline.discard(argument),
      inlineKeepChange: () => inline.keepChange(),
      inlineDiscardChange: () => inline.discardChange(),
      inlineStop: (argument) => inline.stop(argument),
      inlineRetry: (argument) => inline.retry(argument),
      inlineCompare: (argument) => inline.compare(argument),
      inlineOpenReply: (argument) => inline.openReply(argument),
      explainSelection: (argument) => askAbout("explain", argument),
      fixSelection: (argument) => askAbout("fix", argument),
      writeTests: (argument) => askAbout("tests", argument),
      documentSelection: (argument) => askAbout("document", argument),
      generateCommitMessage: (argument) => commitMessages.generate(argument),
      stopCommitMessage: () => commitMessages.stop(),
    },
    dispose: () => owned.dispose(),
  };
}
