/**
 * Where chats are shown, and which of them was used last: what is added from the editor goes there.
 */
import { Emitter } from "../../base/event";
import type { Conversations } from "../../chat/conversations";
import type { LiveConversation } from "../../chat/liveConversation";
import { ShownConversation, type ShownMemory } from "../../chat/shownConversation";
import type { Part } from "../../conversation/message";

/** The panel, or one tab. */
export interface ChatLocation {
  /** Undefined while its page was never up. */
  readonly shownConversation: LiveConversation | undefined;
  /** Brings it to front with the caret in the composer; or leaves the caret where it is. */
  reveal(leavesCaret?: boolean): Promise<void>;
}

/** One for the window. */
export class ActiveChat {
  private last: ChatLocation | undefined;
  private focused: ChatLocation | undefined;
  private readonly usedOther = new Emitter<void>();

  /** Tells that a person went to another one. */
  readonly onUsed = this.usedOther.event;

  constructor(
    private readonly panel: ChatLocation,
    private readonly conversations: Conversations,
    private readonly panelMemory: ShownMemory,
    /** Told whether the caret is in a chat, for keys that hold only there. */
    private readonly tellFocus: (isInside: boolean) => void,
  ) {}

  /** A person is in this one now, or has left it. */
  focusMoved(place: ChatLocation, isInside: boolean): void {
    if (!isInside && this.focused !== place) return;
    this.focused = isInside ? place : undefined;
    this.tellFocus(isInside);
    if (!isInside || this.last === place) return;
    this.last = place;
    this.usedOther.fire();
  }

  /** A tab was closed. */
  gone(place: ChatLocation): void {
    if (this.last !== place) return;
    this.last = undefined;
    this.usedOther.fire();
  }

  /** The conversation of the chat that was used last; undefined while none was opened. */
  get shownConversation(): LiveConversation | undefined {
    return this.current().shownConversation;
  }

  /**
   * Attaches to the question being written in the chat that was used last, and shows it.
   * @param leavesCaret true where the person is to stay in the editor
   */
  async add(parts: readonly Part[], leavesCaret = false): Promise<void> {
    const place = this.current();
    const live = await this.conversationIn(place);
    await this.conversations.attachments.add(live.conversation.id, parts);
    await place.reveal(leavesCaret);
  }

  /** The conversation of the chat that was used last, which is brought to front. */
  async show(): Promise<LiveConversation> {
    const place = this.current();
    const live = await this.conversationIn(place);
    await place.reveal();
    return live;
  }

  private current(): ChatLocation {
    return this.last?.shownConversation === undefined ? this.panel : this.last;
  }

  /** The panel that was never opened shows the conversation it will show then. */
  private conversationIn(place: ChatLocation): Promise<LiveConversation> {
    const shown = place.shownConversation;
    if (shown !== undefined) return Promise.resolve(shown);
    return new ShownConversation(this.conversations, this.panelMemory).current();
  }
}
