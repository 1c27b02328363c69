/**
 * Reports replies that end while the user cannot see them: a badge on the view, and a message if
 * another program has the focus. Extensions cannot show a notification of the operating system.
 */
import type { FinishedReply } from "../../chat/conversation/conversations";

/** Shortest reply for which the user is assumed to have left, in milliseconds. */
const LONG_REPLY_MS = 20_000;

export interface NotifierWindow {
  /** True if notifications are switched on. */
  isOn(): boolean;
  /** True if the panel or a tab shows the conversation now. */
  isShown(conversationId: string): boolean;
  /** True while the user works in this window of VS Code. */
  isFocused(): boolean;
  /** Shows the number of conversations with an unseen reply; 0 removes the badge. */
  showBadge(count: number): void;
  /** Shows a message with a button that opens the conversation. */
  offerReply(end: FinishedReply, isFailed: boolean): void;
}

export class ReplyNotifier {
  /** Conversations of this window's chats. */
  private readonly ofChats = new Set<string>();
  private readonly unseen = new Set<string>();

  constructor(private readonly window: NotifierWindow) {}

  noteShown(conversationId: string): void {
    this.ofChats.add(conversationId);
    this.forget(conversationId);
  }

  forget(conversationId: string): void {
    if (this.unseen.delete(conversationId)) this.window.showBadge(this.unseen.size);
  }

  replyEnded(end: FinishedReply): void {
    const { live, replyId, durationMs } = end;
    const { id } = live.conversation;
    const reply = live.message(replyId);
    const ending = reply?.role === "assistant" ? reply.ending : undefined;
    // The user, or a closing window, has stopped the reply.
    if (ending === undefined || ending.kind === "stopped") return;
    if (!this.window.isOn() || !this.ofChats.has(id)) return;
    if (!this.window.isShown(id)) {
      this.unseen.add(id);
      this.window.showBadge(this.unseen.size);
    }
    if (!this.window.isFocused() && durationMs > LONG_REPLY_MS) {
      this.window.offerReply(end, ending.kind === "failed");
    }
  }
}
