/** The panel in the side bar: connects its page to a session and reveals the panel. */
import * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { describeError, type Log } from "../../base/log";
import type { ToView } from "../../protocol/toView";
import type { ChatSession } from "../../chat/session";
import type { ChatLocation } from "./activeChat";
import { showChatView } from "../platform/showChatView";
import type { WebviewPage } from "./webviewPage";
import { connectWebview } from "./webviewSession";

export class ChatView implements ChatLocation {
  private readonly focusMoves = new Emitter<boolean>();
  /** Undefined before the view is first opened. */
  session: ChatSession | undefined;
  private view: vscode.WebviewView | undefined;
  private badgeCount = 0;
  /** Action for the session, once the view has a connected session. */
  private pendingAction: ((session: ChatSession) => unknown) | undefined;
  private isFocused = false;

  /** Fires true when the panel gets the focus, false when the panel loses it. */
  readonly onFocusMoved = this.focusMoves.event;

  constructor(
    private readonly openSession: (send: (message: ToView) => void) => ChatSession,
    private readonly log: Log,
  ) {}

  /** Returns true if the user can see the conversation in the panel. */
  isShowing(conversationId: string): boolean {
    return this.view?.visible === true && this.session?.live?.conversation.id === conversationId;
  }

  /** Shows the number of conversations with an unseen reply; 0 removes the badge. */
  showBadge(count: number): void {
    this.badgeCount = count;
    if (this.view === undefined) return; // `connect` shows it.
    const tooltip =
      count === 1 ? vscode.l10n.t("1 unread reply") : vscode.l10n.t("{0} unread replies", count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  /** Opens a session for the view and its page. */
  connect(view: vscode.WebviewView, page: WebviewPage): void {
    const owned = new Disposables();
    const focusMoved = (isInside: boolean) => {
      this.isFocused = isInside;
      this.focusMoves.fire(isInside);
    };
    const openSession = (send: (message: ToView) => void) =>
      this.openSession((message) => {
        showInHeader(view, message);
        send(message);
      });
    const session = connectWebview(page, openSession, owned, this.log, focusMoved);
    this.session = session;
    this.view = view;
    this.showBadge(this.badgeCount);
    owned.add(
      view.onDidChangeVisibility(() => {
        if (view.visible) return;
        session.disconnect();
        focusMoved(false);
      }),
    );
    owned.add(
      session.onConnected(() => {
        this.pendingAction?.(session);
        this.pendingAction = undefined;
      }),
    );
    view.onDidDispose(() => {
      if (this.session === session) this.session = undefined;
      if (this.view === view) this.view = undefined;
      owned.dispose();
    });
  }

  /** Shows the panel and focuses the composer, unless `leavesCaret`. */
  reveal(leavesCaret = false): Promise<void> {
    if (leavesCaret) return this.show(true);
    return this.revealAnd((session) => session.focus());
  }

  /** Focuses the composer of the panel, which is already shown or about to be shown. */
  focusComposer(): Promise<void> {
    return this.whenConnected((session) => session.focus());
  }

  /** Shows the panel and runs an action with its session once the page is connected. */
  async revealAnd(act: (session: ChatSession) => unknown): Promise<void> {
    // Showing a focused view moves the focus out of its page for a moment; keys pressed then are lost.
    if (!this.isFocused) await this.show(false);
    await this.whenConnected(act);
  }

  /** Runs an action with the session, now or when the page is connected. */
  private async whenConnected(act: (session: ChatSession) => unknown): Promise<void> {
    const { session } = this;
    if (session?.isConnected) await act(session);
    else this.pendingAction = act;
  }

  private async show(preserveFocus: boolean): Promise<void> {
    try {
      await showChatView(preserveFocus);
    } catch (error) {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    }
  }
}

function showInHeader(view: vscode.WebviewView, message: ToView): void {
  if (message.type === "snapshot" || message.type === "title-changed") view.title = message.title;
  if (message.type === "snapshot" || message.type === "panel-changed") {
    const { profiles = [], profile } = message.panel;
    view.description = profiles.find(({ name }) => name === profile)?.label ?? "";
  }
}
