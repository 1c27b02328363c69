import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import { ChatSession } from "../../chat/session";
import type { SessionHost } from "../../chat/sessionHost";
import { titleOf } from "../../conversation/title";
import type { NavigationCommand } from "../../protocol/actions";
import type { ComposerCommand, ToView } from "../../protocol/toView";
import { panelMessages } from "../messages/panelMessages";
import type { CommandHandlers } from "../platform/contributions";
import { clickedMessageId, forkClicked, leaveOutClicked } from "./chooseClicked";
import type { Chats } from "./chats";
import { AccessibilityHelp } from "./help";
import { readSettings } from "../settings/settings";
import { ReplyNotifier } from "./replyNotifier";
import type { PanelState } from "./panelState";

/** Delay before the walkthrough's context keys are set, in milliseconds. */
const FIRST_STEPS_AFTER_MS = 500;

export interface PanelOptions {
  readonly chats: Chats;
  readonly conversations: Conversations;
  readonly panelState: PanelState;
  readonly sessionHost: SessionHost;
  readonly log: Log;
}

export function registerPanel(options: PanelOptions) {
  const { chats, conversations, panelState, sessionHost, log } = options;
  const { view, editors, activeChat } = chats;
  const owned = new Disposables();
  const refreshTools = () => {
    const messageCount = activeChat.shownConversation?.conversation.messages.size ?? 0;
    setContext("coreChat.hasMessages", messageCount > 0);
  };
  owned.add(activeChat.onChanged(refreshTools));
  // Sets the walkthrough's context keys also if the panel is never opened.
  owned.add(systemClock.after(FIRST_STEPS_AFTER_MS, () => panelState.refresh()));

  const notifier = new ReplyNotifier({
    isOn: () => readSettings().settings.notify === "whenAway",
    isShown: (id) => view.isShowing(id) || editors.isShowing(id),
    isFocused: () => vscode.window.state.focused,
    showBadge: (count) => view.showBadge(count),
    offerReply: ({ live: { conversation } }, isFailed) =>
      void offerReply(titleOf(conversation) ?? "", isFailed).then((isChosen) =>
        isChosen ? view.revealAnd((session) => session.open(conversation.id)) : undefined,
      ),
  });
  owned.add(conversations.onReplyEnded((end) => notifier.replyEnded(end)));
  owned.add(conversations.onRemoved((id) => notifier.forget(id)));

  chats.serve((shown, send) => {
    panelState.refresh();
    const sendAndRefresh = (message: ToView) => {
      send(message);
      if (message.type === "snapshot") notifier.noteShown(message.conversationId);
      if (["snapshot", "panel-changed", "title-changed"].includes(message.type)) refreshTools();
    };
    return new ChatSession(
      shown,
      conversations,
      sessionHost,
      panelMessages,
      systemClock,
      log,
      sendAndRefresh,
    );
  });

  const plainReplies = lazily(async () => {
    const { PlainReplies } = await import("./plainReplies");
    return owned.add(
      new PlainReplies(systemClock, panelMessages, (profile) =>
        sessionHost.pointing.coordinates(profile),
      ),
    );
  });
  const runInComposer = (command: ComposerCommand) =>
    activeChat.session?.post({ type: "composer-command", command });
  const navigate = (command: NavigationCommand) =>
    activeChat.revealAnd((session) => session.post({ type: "navigation-asked", command }));
  let accessibilityHelp: AccessibilityHelp | undefined;
  return {
    commands: {
      open: () => view.reveal(),
      openInEditor: () => editors.open(view.session?.live?.conversation.id),
      newConversation: () => view.revealAnd((session) => session.startNew()),
      newUnsavedConversation: () => view.revealAnd((session) => session.startNew(true)),
      send: () => runInComposer("send"),
      insertNewLine: () => runInComposer("insert-new-line"),
      showHistory: () => view.revealAnd((session) => session.post({ type: "history-opened" })),
      previousQuestion: () => navigate("previous-question"),
      nextQuestion: () => navigate("next-question"),
      previousCodeBlock: () => navigate("previous-code-block"),
      nextCodeBlock: () => navigate("next-code-block"),
      showOutline: () => navigate("outline"),
      askAboutThis: () => navigate("ask-about-this"),
      askAside: () => navigate("ask-aside"),
      summarizeOlderMessages: () => navigate("summarize"),
      openReplyAsText: async (clicked) =>
        (await plainReplies()).show(activeChat.shownConversation, clicked),
      forkConversation: (clicked) => forkClicked(activeChat, clicked),
      regenerate: (clicked) => activeChat.session?.regenerate(clickedMessageId(clicked)),
      leaveOutMessage: (clicked) => leaveOutClicked(activeChat.shownConversation, clicked, true),
      sendMessageAgain: (clicked) => leaveOutClicked(activeChat.shownConversation, clicked, false),
      openAccessibilityHelp: () =>
        (accessibilityHelp ??= owned.add(new AccessibilityHelp())).show(),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}

/** Shows a message about a reply; true if the user wants to see the reply. */
async function offerReply(title: string, isFailed: boolean): Promise<boolean> {
  const show = vscode.l10n.t("Show Reply");
  const text = isFailed
    ? vscode.l10n.t('The reply in "{0}" failed.', title)
    : vscode.l10n.t('The reply in "{0}" is ready.', title);
  return (await vscode.window.showInformationMessage(text, show)) === show;
}

export function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
