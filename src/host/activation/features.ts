/** Composition root: registers the features of host and disposes them together. */
import type * as vscode from "vscode";
import { askRequest, type RequestQuestion } from "../../ask/ask";
import { systemClock } from "../../base/clock";
import { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import { ModelAccess } from "../chatApi/modelAccess";
import { registerContext } from "../context/registerContext";
import { WorkspaceRules } from "../context/workspaceRules";
import { createLoggedClient, registerDiagnostics } from "../diagnostics/registerDiagnostics";
import { registerEditorCommands } from "../editorCommands/registerEditorCommands";
import { registerPictureCommands } from "../pictureCommands/registerPictureCommands";
import { Chats } from "../panel/chats";
import type { PanelPages } from "../panel/panelPage";
import { PanelState } from "../panel/panelState";
import { FirstSteps } from "../panel/firstSteps";
import { openWalkthrough } from "../panel/showFirstSteps";
import { registerPanel, setContext } from "../panel/registerPanel";
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
export function registerFeatures({ context, output, secrets, log, pages }: ActivatedWindow) {
  const owned = new Disposables();
  const memory = context.workspaceState;
  const { services, keys, headers } = createServices(context, secrets, log, async (uri) => {
    const { isForbiddenFile } = await import("../access/location");
    return isForbiddenFile(uri);
  });
  const { knownModels } = services;
  const loggedClient = owned.add(createLoggedClient(knownModels, context.globalStorageUri, log));
  const { client, requests, clientOptions } = loggedClient;
  const firstSteps = new FirstSteps(setContext);
  const showFirstSteps = () => firstSteps.show(openWalkthrough);
  const rules = owned.add(new WorkspaceRules(memory, log));
  const prepareTurn = firstSteps.recording(services.prepareTurn);
  const { history, conversations, historyFolder } = owned.add(
    openConversations(context, { client, prepareTurn, rules }, log),
  );
  const panelState = owned.add(
    new PanelState({ services, keys, history, historyFolder, firstSteps }),
  );
  const chats = new Chats({ pages, conversations, memory, log });
  const { view, editors, activeChat } = chats;
  const diagnostics = owned.add(
    registerDiagnostics({
      context,
      requests,
      clientOptions,
      services,
      activeChat,
      output,
      secrets,
      log,
    }),
  );
  const { runAction, connect, ...settings } = registerSettings({
    services,
    keys,
    headers,
    activeChat,
    panelState,
    showFirstSteps,
    testService: diagnostics.testService,
    output,
    log,
  });
  const { panelContext, ...editorContext } = owned.add(
    registerContext({ context, rules, activeChat, log }),
  );
  const { forReplies, ...replyActions } = owned.add(
    registerReplyActions({ context, pictures: conversations.unsaved.pictures, activeChat, log }),
  );
  const transfer = registerTransfer({
    conversations,
    historyFolder,
    view,
    activeChat,
    memory: context.globalState,
    workspaceMemory: memory,
    secrets,
    log,
  });
  const sessionHost = createSessionHost({
    services,
    conversations,
    panelState,
    panelContext,
    forReplies,
    themes: owned.add(new Themes(log)),
    runAction,
    connect,
    activeChat,
    editors,
    exportConversations: transfer.exportConversations,
    log,
  });
  const panel = owned.add(registerPanel({ chats, conversations, panelState, sessionHost, log }));
  const editorCommands = owned.add(
    registerEditorCommands({
      client,
      services,
      rules,
      runAction,
      activeChat,
      memory,
      log,
    }),
  );
  const pictureCommands = registerPictureCommands(view, activeChat);
  const sourceControl = owned.add(
    registerSourceControl({ client, services, rules, runAction, log }),
  );
  const modelAccess = owned.add(new ModelAccess(context.globalState, systemClock));
  const commands: CommandHandlers = {
    ...panel.commands,
    ...settings.commands,
    ...editorContext.commands,
    ...editorCommands.commands,
    ...pictureCommands,
    ...replyActions.commands,
    ...sourceControl.commands,
    ...diagnostics.commands,
    ...transfer.commands,
    manageModelAccess: async () =>
      (await import("../chatApi/askModelAccess")).manageModelAccess(modelAccess),
  };
  return {
    commands,
    view,
    editors,
    chatApi: {
      client,
      services,
      knownModels,
      log,
      modelAccess,
      ownId: context.extension.id.toLowerCase(),
      prepareTurn: services.prepareTurn,
      ask: (...request: [RequestQuestion, AbortSignal]) => askRequest(client, ...request),
      setUp: () => runAction("set-api-key", services.activeProfile()),
    },
    close: async () => {
      await conversations.close();
      await loggedClient.untilRecorded();
    },
    dispose: () => owned.dispose(),
  };
}
