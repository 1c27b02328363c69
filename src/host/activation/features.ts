/**
 * Composition root: creates all features and connects them. Dependencies are plain parameters;
 * everything created here is disposed here. A new feature adds its constructor and its commands.
 */
import * as vscode from "vscode";
import { askRequest, type RequestQuestion } from "../../ask/ask";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type { ToView } from "../../protocol/messages";
import type { NoticeAction } from "../../protocol/views";
import type { Part } from "../../conversation/message";
import { Conversations } from "../../chat/conversations";
import { ChatSession } from "../../chat/session";
import type { SessionHost } from "../../chat/sessionHost";
import type { ShownMemory } from "../../chat/shownConversation";
import { History } from "../../history/history";
import { createClient, type ClientOptions } from "../../service/client";
import { ChatEditors } from "../panel/chatEditors";
import { ActiveChat } from "../panel/activeChat";
import { ChatView } from "../panel/chatView";
import { SETTINGS_SECTION, type COMMANDS } from "../platform/contributions";
import { FirstSteps } from "../panel/firstSteps";
import { openLink } from "../platform/links";
import type { ModelProviderOptions } from "../chatApi/provider";
import { storageAt } from "../node/storage";
import { createConnectionWatch } from "../node/watchConnection";
import type { ParticipantOptions } from "../chatApi/participant";
import type { PanelPages } from "../panel/panelPage";
import { PanelState } from "../panel/panelState";
import { askAboutImages } from "../editorCommands/askImages";
import { pictureHost } from "../pictures/pictureHost";
import { askServiceWith, withLongReply } from "../settings/askService";
import { PanelContext } from "../context/panelContext";
import { RequestLog } from "../diagnostics/requestLog";
import { ServiceCommands } from "../settings/serviceCommands";
import { StatusItem } from "../settings/statusItem";
import type { KnownSecrets } from "../settings/secrets";
import { Services } from "../settings/services";
import { readSettings } from "../settings/settings";
import { HEADER_PREFIX, KEY_PREFIX, StoredSecrets } from "../settings/storedSecrets";
import { Themes } from "../theme/themes";
import { panelMessages } from "../messages/panelMessages";

/** Everything that the registrations of activation.ts call. */
export interface Features extends Disposable {
  readonly commands: Readonly<Record<keyof typeof COMMANDS, (...given: unknown[]) => unknown>>;
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly models: ModelProviderOptions;
  readonly participant: ParticipantOptions;
  /** Stops running replies; resolves when all messages are on disk. */
  close(): Promise<void>;
}

/** Objects that exist before the features are loaded. */
export interface FeatureOptions {
  readonly context: vscode.ExtensionContext;
  /** The output channel of the log, to show it. */
  readonly output: vscode.LogOutputChannel;
  readonly secrets: KnownSecrets;
  readonly log: Log;
  readonly pages: PanelPages;
}

/** Delay before old data is deleted, in milliseconds. */
const CLEAN_UP_AFTER_MS = 60_000;

/** Delay before the walkthrough's context keys are set, in milliseconds. */
const FIRST_STEPS_AFTER_MS = 500;

const SHOWN_KEY = "coreChat.shownConversation";

/** Creates the features; synchronous, and idle until the panel or a command needs them. */
export function createFeatures({ context, output, secrets, log, pages }: FeatureOptions): Features {
  const owned = new Disposables();
  const keys = new StoredSecrets(context.secrets, KEY_PREFIX, secrets, log);
  const headers = new StoredSecrets(context.secrets, HEADER_PREFIX, secrets, log);
  const services = new Services(keys, headers, context.globalState);
  const requests = owned.add(new RequestLog());
  const connections = owned.add(createConnectionWatch());
  const clientOptions = (): ClientOptions => ({
    fetch: (input, init) => globalThis.fetch(input, init),
    observe: requests.observer(),
    watchConnection: connections.watch,
    canStreamUpload: connections.canStreamUpload,
  });
  const client = createClient(clientOptions());
  const { version } = context.extension.packageJSON as { version: string };
  // Rarely used features are loaded on first use; see esbuild.mjs.
  const inspector = lazily(async () => {
    const { Inspector } = await import("../diagnostics/inspector");
    return owned.add(new Inspector(requests, secrets.redactValues));
  });
  const connectionTest = lazily(async () => {
    const { ConnectionTest } = await import("../diagnostics/testConnection");
    const { redact } = secrets;
    return owned.add(
      new ConnectionTest({
        ...{ services, clientOptions, version, redact, log },
        service: () => serviceCommands.targetService(),
      }),
    );
  });
  const fileLinks = lazily(async () => {
    const { FileLinks } = await import("../replyActions/fileLinks");
    return owned.add(new FileLinks());
  });
  const proposals = lazily(async () => {
    const { Proposals } = await import("../replyActions/proposals");
    return owned.add(new Proposals(log));
  });
  const plainReplies = lazily(async () => {
    const { PlainReplies } = await import("../panel/plainReplies");
    return owned.add(new PlainReplies(systemClock, panelMessages));
  });
  const accessibilityHelp = lazily(async () => {
    const { AccessibilityHelp } = await import("../panel/help");
    return owned.add(new AccessibilityHelp());
  });
  const firstStepsPage = lazily(async () => {
    const { FirstStepsPage } = await import("../panel/showFirstSteps");
    return new FirstStepsPage(systemClock);
  });
  const files = storageAt(context.globalStorageUri);
  const history = owned.add(new History(files, systemClock, log));
  const cleaning = new AbortController();
  owned.add({ dispose: () => cleaning.abort(new Error("the window closes")) });
  owned.add(
    systemClock.after(CLEAN_UP_AFTER_MS, () => {
      // Rejects only when the window closes.
      history.cleanUp(cleaning.signal).catch(() => undefined);
    }),
  );
  const setContext = (key: string, value: boolean) => {
    void vscode.commands.executeCommand("setContext", key, value);
  };
  const firstSteps = new FirstSteps(setContext);
  const conversations = owned.add(
    new Conversations(
      history,
      {
        client,
        prepareTurn: firstSteps.recording(services.prepareTurn),
        readImage: (image) => history.pictures.readUrl(image.hash, image.mediaType),
        clock: systemClock,
        log,
      },
      systemClock,
      log,
      () => vscode.workspace.name,
    ),
  );
  const panel = owned.add(new PanelState(services, keys, history, firstSteps, log));
  // Sets the walkthrough's context keys also if the panel is never opened; delayed for a panel that opens.
  owned.add(systemClock.after(FIRST_STEPS_AFTER_MS, () => panel.refresh()));
  const serviceCommands = new ServiceCommands({
    ...{ services, keys, headers, log },
    shown: () => activeChat.shownConversation,
    noteSet: (action, service) => panel.noteSet(action, service),
    changed: () => panel.refresh(),
  });
  const status = owned.add(new StatusItem(() => serviceCommands.askedNext()));
  owned.add(panel.onChanged(() => status.refresh()));
  const runAction: Record<NoticeAction, (profile?: string) => unknown> = {
    "set-api-key": (profile) => serviceCommands.setApiKey(profile),
    "set-base-url": (profile) => serviceCommands.setBaseUrl(profile),
    "set-secret-header": (profile) => serviceCommands.setSecretHeader(profile),
    "switch-profile": () => serviceCommands.switchProfile(),
    "manage-trust": () => vscode.commands.executeCommand("workbench.trust.manage"),
    "open-settings": () =>
      vscode.commands.executeCommand("workbench.action.openSettings", `${SETTINGS_SECTION}.`),
    "set-model": (profile = "") => {
      const setting = profile === "" ? "models" : "profiles";
      const query = `${SETTINGS_SECTION}.${setting}`;
      return vscode.commands.executeCommand("workbench.action.openSettings", query);
    },
    "show-log": () => output.show(),
    "show-system-prompt": () => {
      const query = `@id:${SETTINGS_SECTION}.systemPrompt`;
      return vscode.commands.executeCommand("workbench.action.openWorkspaceSettings", { query });
    },
    "show-first-steps": () => firstSteps.show(async () => (await firstStepsPage()).show()),
    // The session handles the actions of messages and drafts.
    "try-again": () => undefined,
    continue: () => undefined,
    stop: () => undefined,
    "swap-draft": () => undefined,
  };
  const themes = owned.add(new Themes(log));
  const editorContext = owned.add(new PanelContext(context.globalState, systemClock, log));
  const sessionHost: SessionHost = {
    context: editorContext,
    panelFacts: (profile) => panel.facts(profile),
    settledNotice: (reply, profile) => panel.settledNotice(reply, profile),
    meterFacts: () => {
      const { settings } = readSettings();
      return {
        systemPrompt: settings.systemPrompt,
        budgetTokens: settings["context.budget"],
        maxPictureTokens: settings["images.maxTokens"],
        describesPictures: settings["images.describe"],
      };
    },
    onPanelFactsChanged: panel.onChanged,
    chooseModel: (model, profile) => {
      services.useProfile(profile);
      services.model.choose(model).catch((error: unknown) => {
        log.error(`settings: the model was not written (${describeError(error)})`);
        void vscode.window.showWarningMessage(
          vscode.l10n.t(
            "The choice of model could not be written into the settings, so it holds in this window only. Check that settings.json can be saved.",
          ),
        );
      });
      panel.refresh();
    },
    copy: async (text) => (await import("../replyActions/codeActions")).copyMessage(text),
    useCode: async (action, text, block) => {
      const { useCode } = await import("../replyActions/codeActions");
      return useCode(action, text, block, async (...code) => (await proposals()).propose(...code));
    },
    openLink: (url) => openLink(url, log),
    dismissNotice: (text) => panel.dismissNotice(text),
    findFiles: async (mentions) => (await fileLinks()).find(mentions),
    openFile: (file) => void fileLinks().then((links) => links.open(file)),
    pictures: pictureHost,
    runAction: async (action, profile) => {
      await runAction[action](profile);
      // VS Code focuses the editor after an input box that a webview opened.
      if (action === "set-api-key" || action === "set-base-url") await activeChat.show();
    },
    tokenTheme: (themeId) => themes.theme(themeId),
    onTokenThemeChanged: themes.onChanged,
    viewFailed: (where) => log.error(`view: failed in ${JSON.stringify(where)}`),
  };
  const openSession = (memory: ShownMemory, send: (message: ToView) => void): ChatSession => {
    panel.refresh();
    const sendAndRefresh = (message: ToView) => {
      send(message);
      if (message.type === "snapshot" || message.type === "panel-changed") status.refresh();
    };
    const session = new ChatSession(
      memory,
      conversations,
      sessionHost,
      panelMessages,
      systemClock,
      log,
      sendAndRefresh,
    );
    session.onConnected(() => panel.checkWorkspace()); // The result may arrive after the page.
    return session;
  };
  const panelMemory: ShownMemory = {
    load: () => context.workspaceState.get<string>(SHOWN_KEY),
    save: (id) => void context.workspaceState.update(SHOWN_KEY, id),
  };
  const view = new ChatView((send) => openSession(panelMemory, send), log);
  const activeChat = new ActiveChat(view, conversations, panelMemory, (isInside) =>
    setContext("coreChat.focused", isInside),
  );
  view.onFocusMoved((isInside) => activeChat.focusMoved(view, isInside));
  owned.add(activeChat.onChanged(() => status.refresh()));
  const editors = new ChatEditors(pages, openSession, activeChat, log, context.workspaceState);
  const transfer = {
    ...{ conversations, view, log, redact: secrets.redactValues },
    pictureLimits: () => pictureHost.limits(),
  };
  const setUp = () => serviceCommands.setApiKey(services.activeProfile());
  const askModel = (question: RequestQuestion, signal: AbortSignal) =>
    askRequest(client, question, signal);
  const asking = { client, prepareTurn: services.prepareTurn };
  const editorTools = lazily(async () => {
    const { EditorCommands } = await import("../editorCommands/editorTools");
    return owned.add(
      new EditorCommands({
        askLong: askServiceWith(asking, withLongReply),
        askShort: askServiceWith(asking, (settings) => settings),
        runAction: (action) => void runAction[action](services.activeProfile()),
        places: activeChat,
        log,
      }),
    );
  });
  const inline = async () => (await editorTools()).inline;
  const commitMessages = async () => (await editorTools()).commitMessages;

  const add = (parts: readonly Part[]) => activeChat.add(parts);
  const addInEditor = (parts: readonly Part[]) => activeChat.add(parts, true);
  const contextCommands = async () => (await editorContext.features()).commands;

  const commands: Features["commands"] = {
    open: () => view.reveal(),
    openInEditor: () => editors.open(view.shownConversation?.conversation.id),
    newConversation: () => view.startNew(),
    showHistory: () => view.showHistory(),
    exportConversation: async () =>
      (await import("../storage/transfer")).exportConversation(transfer),
    importConversation: async () =>
      (await import("../storage/transfer")).importConversation(transfer),
    setApiKey: () => serviceCommands.setApiKey(),
    removeApiKey: () => serviceCommands.removeApiKey(),
    setBaseUrl: () => serviceCommands.setBaseUrl(),
    setSecretHeader: () => serviceCommands.setSecretHeader(),
    removeSecretHeader: () => serviceCommands.removeSecretHeader(),
    switchProfile: () => serviceCommands.switchProfile(),
    testConnection: async () => (await connectionTest()).run(),
    showRequests: async () => (await inspector()).show(),
    copyRequestAsCurl: async () => (await inspector()).copyAsCurl(),
    showLog: () => output.show(),
    editSelection: async (argument) => (await inline()).editSelection(argument),
    generateAtCursor: async (argument) => (await inline()).generateAtCursor(argument),
    inlineKeep: async (argument) => (await inline()).keep(argument),
    inlineDiscard: async (argument) => (await inline()).discard(argument),
    inlineKeepChange: async () => (await inline()).keepChange(),
    inlineDiscardChange: async () => (await inline()).discardChange(),
    inlineStop: async (argument) => (await inline()).stop(argument),
    inlineRetry: async (argument) => (await inline()).retry(argument),
    inlineCompare: async (argument) => (await inline()).compare(argument),
    inlineOpenReply: async (argument) => (await inline()).openReply(argument),
    applyKeep: async (argument) => (await proposals()).keep(argument),
    applyDiscard: async (argument) => (await proposals()).discard(argument),
    askSelection: async (argument) => (await contextCommands()).addSelection(argument, add),
    addSelection: async (argument) => (await contextCommands()).addSelection(argument, addInEditor),
    addFile: async (...clicked) => (await contextCommands()).addFiles(clicked, add),
    addProblems: async (...clicked) => (await contextCommands()).addProblems(clicked, add),
    addTerminalSelection: async () => (await contextCommands()).addTerminal(add),
    addChanges: async (...clicked) => (await contextCommands()).addChanges(clicked, add),
    explainSelection: async (argument) => (await editorTools()).askAbout("explain", argument),
    fixSelection: async (argument) => (await editorTools()).askAbout("fix", argument),
    writeTests: async (argument) => (await editorTools()).askAbout("tests", argument),
    documentSelection: async (argument) => (await editorTools()).askAbout("document", argument),
    askImage: (clicked, selected) => askAboutImages(view, clicked, selected),
    askClipboardImage: () => view.attachClipboardPicture(),
    generateCommitMessage: async (argument) => (await commitMessages()).generate(argument),
    openReplyAsText: async (clicked) =>
      (await plainReplies()).show(activeChat.shownConversation, clicked),
    openAccessibilityHelp: async () => (await accessibilityHelp()).show(),
    stopCommitMessage: async () => (await commitMessages()).stop(),
  };
  return {
    ...{ commands, view, editors },
    models: { ask: askModel, services, keys, log, setUp },
    participant: { ...asking, log },
    close: () => conversations.close(),
    dispose: () => owned.dispose(),
  };
}
