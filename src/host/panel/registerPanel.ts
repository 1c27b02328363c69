/** Registers the chats of the window: the panel in the side bar, and the editor tabs. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversations";
import { ChatSession } from "../../chat/session";
import type { SessionHost } from "../../chat/sessionHost";
import type { ShownMemory } from "../../chat/shownConversation";
import type { ToView } from "../../protocol/messages";
import { panelMessages } from "../messages/panelMessages";
import type { CommandHandlers } from "../platform/contributions";
import type { StatusItem } from "../settings/statusItem";
import { ActiveChat } from "./activeChat";
import { ChatEditors } from "./chatEditors";
import { ChatView } from "./chatView";
import { FirstSteps } from "./firstSteps";
import type { PanelPages } from "./panelPage";
import type { PanelState } from "./panelState";

/** Delay before the walkthrough's context keys are set, in milliseconds. */
const FIRST_STEPS_AFTER_MS = 500;

const SHOWN_KEY = "coreChat.shownConversation";

export interface PanelOptions {
  readonly pages: PanelPages;
  readonly conversations: Conversations;
  readonly panelState: PanelState;
  readonly statusItem: StatusItem;
  readonly sessionHost: SessionHost;
  /** Stores the shown conversations of this workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

interface PanelFeature extends Disposable {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly activeChat: ActiveChat;
  readonly commands: CommandHandlers<
    | "open"
    | "openInEditor"
    | "newConversation"
    | "showHistory"
    | "openReplyAsText"
    | "openAccessibilityHelp"
  >;
}

/** Creates the context keys of the walkthrough, and the function that opens it. */
export function createFirstSteps(): {
  readonly firstSteps: FirstSteps;
  readonly showFirstSteps: () => Promise<void>;
} {
  const firstSteps = new FirstSteps(setContext);
  const page = lazily(async () => {
    const { FirstStepsPage } = await import("./showFirstSteps");
    return new FirstStepsPage(systemClock);
  });
  return {
    firstSteps,
    showFirstSteps: () => firstSteps.show(async () => (await page()).show()),
  };
}

export function registerPanel(options: PanelOptions): PanelFeature {
  const { pages, conversations, panelState, statusItem, sessionHost, memory, log } = options;
  const owned = new Disposables();
  owned.add(panelState.onChanged(() => statusItem.refresh()));
  // Sets the walkthrough's context keys also if the panel is never opened.
  owned.add(systemClock.after(FIRST_STEPS_AFTER_MS, () => panelState.refresh()));

  const openSession = (shown: ShownMemory, send: (message: ToView) => void): ChatSession => {
    panelState.refresh();
    const sendAndRefresh = (message: ToView) => {
      send(message);
      if (message.type === "snapshot" || message.type === "panel-changed") statusItem.refresh();
    };
    const session = new ChatSession(
      shown,
      conversations,
      sessionHost,
      panelMessages,
      systemClock,
      log,
      sendAndRefresh,
    );
    session.onConnected(() => panelState.checkWorkspace()); // The result may arrive after the page.
    return session;
  };
  const panelMemory: ShownMemory = {
    load: () => memory.get<string>(SHOWN_KEY),
    save: (id) => void memory.update(SHOWN_KEY, id),
  };
  const view = new ChatView((send) => openSession(panelMemory, send), log);
  const activeChat = new ActiveChat(view, conversations, panelMemory, (isInside) =>
    setContext("coreChat.focused", isInside),
  );
  view.onFocusMoved((isInside) => activeChat.focusMoved(view, isInside));
  owned.add(activeChat.onChanged(() => statusItem.refresh()));
  const editors = new ChatEditors(pages, openSession, activeChat, log, memory);

  const plainReplies = lazily(async () => {
    const { PlainReplies } = await import("./plainReplies");
    return owned.add(new PlainReplies(systemClock, panelMessages));
  });
  const accessibilityHelp = lazily(async () => {
    const { AccessibilityHelp } = await import("./help");
    return owned.add(new AccessibilityHelp());
  });
  return {
    ...{ view, editors, activeChat },
    commands: {
      open: () => view.reveal(),
      openInEditor: () => editors.open(view.shownConversation?.conversation.id),
      newConversation: () => view.startNew(),
      showHistory: () => view.showHistory(),
      openReplyAsText: async (clicked) =>
        (await plainReplies()).show(activeChat.shownConversation, clicked),
      openAccessibilityHelp: async () => (await accessibilityHelp()).show(),
    },
    dispose: () => owned.dispose(),
  };
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
