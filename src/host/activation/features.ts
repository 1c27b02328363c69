/** Composition root: registers the features of host and disposes them together. */
import type * as vscode from "vscode";
import { askRequest, type RequestQuestion } from "../../ask/ask";
import { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import { registerContext } from "../context/registerContext";
import { WorkspaceRules } from "../context/workspaceRules";
import { createLoggedClient, registerDiagnostics } from "../diagnostics/registerDiagnostics";
import { registerEditorCommands } from "../editorCommands/registerEditorCommands";
import type { ActiveChat } from "../panel/activeChat";
import type { PanelPages } from "../panel/panelPage";
import { PanelState } from "../panel/panelState";
import { createFirstSteps, registerPanel } from "../panel/registerPanel";
import type { CommandHandlers } from "../platform/contributions";
import { registerReplyActions } from "../replyActions/registerReplyActions";
import { registerSettings } from "../settings/registerSettings";
import type { KnownSecrets } from "../settings/secrets";
import { createServices } from "../settings/services";
import { registerSourceControl } from "../sourceControl/registerSourceControl";
import { openConversations } from "../storage/openConversations";
import { registerTransfer } from "../storage/registerTransfer";
import { Themes } from "../theme/themes";
import { createSessionHost } from "./sessionHost";

/** Objects that exist before the features are loaded. */
export interface ActivatedWindow {
  readonly context: vscode.ExtensionContext;
  readonly output: vscode.LogOutputChannel;
  readonly secrets: KnownSecrets;
  readonly log: Log;
  readonly pages: PanelPages;
}

export type Features = ReturnType<typeof registerFeatures>;

/** Registers the features; they are idle until the panel or a command needs them. */
export function registerFeatures(window: ActivatedWindow) {
  const { context, secrets, log } = window;
  const owned = new Disposables();
  const stores = createServices(context, secrets, log);
  const { services } = stores;
  const logged = owned.add(createLoggedClient(context.globalState));
  const { firstSteps, showFirstSteps } = createFirstSteps();
  const prepareTurn = firstSteps.recording(services.prepareTurn);
  const rules = owned.add(new WorkspaceRules(context.workspaceState, log));
  const stored = owned.add(openConversations(context, { ...logged, prepareTurn, rules }, log));
  const panelState = owned.add(new PanelState({ ...stores, ...stored, firstSteps, log }));
  // The panel is registered after the features that its sessions use.
  const activeChat = (): ActiveChat => panel.activeChat;
  const own = { panelState, activeChat, rules, memory: context.workspaceState };
  const shared = { ...window, ...stores, ...logged, ...stored, ...own };
  const settings = owned.add(registerSettings({ ...shared, showFirstSteps }));
  const { statusItem, runAction } = settings;
  const editorContext = owned.add(registerContext(shared));
  const replyActions = owned.add(registerReplyActions(shared));
  const themes = owned.add(new Themes(log));
  const chatHost = { ...shared, ...editorContext, ...replyActions, themes, runAction };
  const sessionHost = createSessionHost({ ...chatHost, editors: () => panel.editors });
  const panel = owned.add(registerPanel({ ...shared, statusItem, sessionHost }));
  const editor = owned.add(registerEditorCommands({ ...shared, view: panel.view, runAction }));
  const sourceControl = owned.add(registerSourceControl({ ...shared, runAction }));
  const diagnostics = owned.add(registerDiagnostics(shared));
  const transfer = registerTransfer({ ...shared, view: panel.view, memory: context.globalState });
  const commands = {
    ...{ ...panel.commands, ...settings.commands, ...editorContext.commands, ...editor.commands },
    ...{ ...replyActions.commands, ...sourceControl.commands, ...diagnostics.commands },
    ...transfer.commands,
  } satisfies CommandHandlers;
  return {
    ...{ commands, view: panel.view, editors: panel.editors },
    chatApi: {
      ...{ ...shared, prepareTurn: services.prepareTurn, memory: context.globalState },
      ask: (...request: [RequestQuestion, AbortSignal]) => askRequest(logged.client, ...request),
      setUp: () => runAction("set-api-key", services.activeProfile()),
    },
    close: () => stored.conversations.close(),
    dispose: () => owned.dispose(),
  };
}
