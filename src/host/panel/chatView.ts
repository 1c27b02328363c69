/**
 * The panel in the side bar. The conversation lives elsewhere; this shows it and brings it to front.
 */
import type * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { describeError, type Log } from "../../base/log";
import type { ToView } from "../../protocol/messages";
import type { LiveConversation } from "../../chat/liveConversation";
import type { PictureFile } from "../../chat/imageAttachments";
import type { ChatSession } from "../../chat/session";
import type { ChatLocation } from "./activeChat";
import { showChatView } from "../platform/showChatView";
import type { WebviewPage } from "./webviewPage";
import { joinWebview } from "./webviewSession";

/** The one view. */
export class ChatView implements ChatLocation {
  private readonly focusMoves = new Emitter<boolean>();
  private session: ChatSession | undefined;
  /** What to do with the session as soon as the view has one. */
  private next: ((session: ChatSession) => unknown) | undefined;

  /** Tells that the caret came into the panel (true) or left it. */
  readonly onFocusMoved = this.focusMoves.event;

  constructor(
    private readonly openSession: (send: (message: ToView) => void) => ChatSession,
    private readonly log: Log,
  ) {}

  /** The conversation shown now; undefined while the view was never opened. */
  get shownConversation(): LiveConversation | undefined {
    return this.session?.live;
  }

  /** Takes the view over, with the page it has. */
  join(view: vscode.WebviewView, page: WebviewPage): void {
    const owned = new Disposables();
    const focusMoved = (isInside: boolean) => this.focusMoves.fire(isInside);
    const session = joinWebview(page, this.openSession, owned, this.log, focusMoved);
    this.session = session;
    owned.add(
      view.onDidChangeVisibility(() => {
        if (view.visible) return;
        session.disconnect();
        focusMoved(false);
      }),
    );
    owned.add(
      session.onConnected(() => {
        this.next?.(session);
        this.next = undefined;
      }),
    );
    view.onDidDispose(() => {
      if (this.session === session) this.session = undefined;
      owned.dispose();
    });
  }

  /** Shows the panel with the caret in the composer; or leaves the caret where it is. */
  reveal(leavesCaret = false): Promise<void> {
    if (leavesCaret) return this.show(true);
    return this.revealAnd((session) => session.focus());
  }

  /** Shows a new conversation in the panel. */
  startNew(): Promise<void> {
    return this.revealAnd((session) => session.startNew());
  }

  /** Shows a conversation in the panel. */
  open(conversationId: string): Promise<void> {
    return this.revealAnd((session) => session.open(conversationId));
  }

  /** Shows the list of conversations in the panel. */
  showHistory(): Promise<void> {
    return this.revealAnd((session) => session.showHistory());
  }

  /** Attaches pictures to the question being written in the panel. */
  attachPictures(files: readonly PictureFile[], addresses: readonly string[]): Promise<void> {
    return this.revealAnd((session) => session.attachPictures(files, addresses));
  }

  /** Attaches the picture on the clipboard, which only the panel's page can read. */
  attachClipboardPicture(): Promise<void> {
    return this.revealAnd((session) => session.attachClipboardPicture());
  }

  /** Brings the panel to front and then does something with its session, once its page is up. */
  private async revealAnd(act: (session: ChatSession) => unknown): Promise<void> {
    this.next = act;
    await this.show(false);
    const { session } = this;
    if (session?.isConnected && this.next === act) {
      this.next = undefined;
      await act(session);
    }
  }

  private async show(preserveFocus: boolean): Promise<void> {
    try {
      await showChatView(preserveFocus);
    } catch (error) {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    }
  }
}
