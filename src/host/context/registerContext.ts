import type * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import type { Log } from "../../base/log";
import type { ActiveChat } from "../panel/activeChat";
import type { CommandHandlers } from "../platform/contributions";
import type { AddToChat } from "./addCommands";
import { PanelContext } from "./panelContext";
import type { WorkspaceRules } from "./workspaceRules";

export interface ContextOptions {
  readonly context: vscode.ExtensionContext;
  readonly rules: WorkspaceRules;
  /** The chat to which the commands add. */
  readonly activeChat: ActiveChat;
  readonly log: Log;
}

export function registerContext(options: ContextOptions) {
  const { context, rules, activeChat, log } = options;
  const panelContext = new PanelContext(context, rules, systemClock, log);
  const load = async () => (await panelContext.features()).commands;
  const add: AddToChat = (parts, pictures) => activeChat.add(parts, { pictures });
  const addInEditor: AddToChat = (parts) => activeChat.add(parts, { leavesCaret: true });
  return {
    panelContext,
    commands: {
      askSelection: async (argument) => (await load()).addSelection(argument, add),
      addSelection: async (argument) => (await load()).addSelection(argument, addInEditor),
      addFile: async (...clicked) => (await load()).addFiles(clicked, add),
      addProblems: async (...clicked) => (await load()).addProblems(clicked, add),
      addTerminalSelection: async () => (await load()).addTerminal(add),
      addLastCommand: async () => (await load()).addLastCommand(add),
      addTestFailure: async (argument) => (await load()).addTestFailure(argument, add),
      addNotebookCell: async (argument) => (await load()).addNotebookCell(argument, add),
      addChanges: async (...clicked) => (await load()).addChanges(clicked, add),
    } satisfies Partial<CommandHandlers>,
    dispose: () => panelContext.dispose(),
  };
}
