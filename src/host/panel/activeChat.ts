/** Tracks the chat that was used last, in the panel or a tab. Context from the editor is added there. */
import { Emitter } from "../../base/event";
import type { Conversations } from "../../chat/conversation/conversations";
import type { PictureFile } from "../../chat/view/editorContext";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { ShownConversation, type ShownMemory } from "../../chat/conversation/shownConversation";
import type { ChatSession } from "../../chat/session";
import type { Part } from "../../conversation/message";

/** A chat in the panel or in a tab. */
export interface ChatLocation {
  /** Shows the chat and focuses the composer, unless `leavesCaret`. */
  reveal(leavesCaret?: boolean): Promise<void>;
  /** Shows the chat and acts in its session, once the page is connected. */
  revealAnd(act: (session: ChatSession) => unknown): Promise<void>;
  /** Session of the chat; undefined before the page is first shown. */
  readonly session: ChatSession | undefined;
}

interface AddOptions {
  readonly pictures?: readonly PictureFile[];
  readonly leavesCaret?: boolean;
}

export class ActiveChat {
  private last: ChatLocation | undefined;
  private focused: ChatLocation | undefined;
  private readonly changes = new Emitter<void>();

  /** Fires when another chat is used. */
  readonly onChanged = this.changes.event;

  constructor(
    private readonly panel: ChatLocation,
    private readonly conversations: Conversations,
    private readonly panelMemory: ShownMemory,
    /** Called when a chat or its composer gets or loses the focus, for key bindings. */
    private readonly reportFocus: (where: "chat" | "composer", isInside: boolean) => void,
  ) {}

  /** Applies a focus change of a chat. */
  focusMoved(chat: ChatLocation, isInside: boolean): void {
    if (!isInside && this.focused !== chat) return;
    this.focused = isInside ? chat : undefined;
    this.reportFocus("chat", isInside);
    if (!isInside) this.composerFocusMoved(false);
    if (!isInside || this.last === chat) return;
    this.last = chat;
    this.changes.fire();
  }

  /** Applies a focus change of a chat's composer. */
  composerFocusMoved(isInside: boolean): void {
    this.reportFocus("composer", isInside);
  }

  /** Applies the closing of a tab. */
  chatClosed(chat: ChatLocation): void {
    if (this.last !== chat) return;
    this.last = undefined;
    this.changes.fire();
  }

  /** The conversation of the chat that was used last; undefined before a chat was opened. */
  get shownConversation(): LiveConversation | undefined {
    return this.current().session?.live;
  }

  /**
   * Attaches parts and pictures to the draft of the chat that was used last, and shows the chat.
   * `leavesCaret` keeps the focus in the editor.
   */
  async add(
    parts: readonly Part[],
    { pictures = [], leavesCaret = false }: AddOptions = {},
  ): Promise<void> {
    const chat = this.current();
    const live = await this.conversationIn(chat);
    await live.draft.attach(parts);
    if (pictures.length === 0) await chat.reveal(leavesCaret);
    else
      await chat.revealAnd((session) =>
        session.suggestQuestion(live.conversation.id, "", pictures),
      );
  }

  /** Shows the chat that was used last and returns its conversation. */
  async show(): Promise<LiveConversation> {
    const chat = this.current();
    const live = await this.conversationIn(chat);
    await chat.reveal();
    return live;
  }

  /** Session of the chat that was used last. */
  get session(): ChatSession | undefined {
    return this.current().session;
  }

  /** Shows the chat that was used last and acts in its session. */
  revealAnd(act: (session: ChatSession) => unknown): Promise<void> {
    return this.current().revealAnd(act);
  }

  /** Suggests a question with pictures, in the chat that shows the conversation or in the panel. */
  suggestQuestion(
    conversationId: string,
    text: string,
    pictures: readonly PictureFile[],
  ): Promise<void> {
    const isShown = this.shownConversation?.conversation.id === conversationId;
    const chat = isShown ? this.current() : this.panel;
    return chat.revealAnd((session) => session.suggestQuestion(conversationId, text, pictures));
  }

  private current(): ChatLocation {
    return this.last?.session?.live === undefined ? this.panel : this.last;
  }

  /**
   * Returns the conversation of a chat; for an unopened panel the conversation that the panel will
   * show.
   */
  private conversationIn(chat: ChatLocation): Promise<LiveConversation> {
    const shown = chat.session?.live;
    if (shown !== undefined) return Promise.resolve(shown);
    return new ShownConversation(this.conversations, this.panelMemory).current();
  }
}
