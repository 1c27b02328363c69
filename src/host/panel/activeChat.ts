/** Tracks the chat that was used last, in the panel or a tab. Context from the editor is added there. */
import { Emitter } from "../../base/event";
import type { Conversations } from "../../chat/conversation/conversations";
import type { PictureFile } from "../../chat/view/editorContext";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { ShownConversation, type ShownMemory } from "../../chat/conversation/shownConversation";
import type { ComposerCommand } from "../../protocol/toView";
import type { NavigationCommand } from "../../protocol/actions";
import type { Part } from "../../conversation/message";

/** A chat in the panel or in a tab. */
export interface ChatLocation {
  /** Undefined before the page is first shown. */
  readonly shownConversation: LiveConversation | undefined;
  /** Shows the chat and focuses the composer, unless `leavesCaret`. */
  reveal(leavesCaret?: boolean): Promise<void>;
  /** Shows the chat and moves through its conversation. */
  navigate(command: NavigationCommand): Promise<void>;
  /** Shows the chat and reviews all changes of its last reply. */
  applyAll(): Promise<void>;
  /** Shows a fork of the shown conversation at this message. */
  fork(messageId: string): Promise<void>;
  /** Shows the chat and takes a screenshot for its question. */
  takeScreenshot(): Promise<void>;
  /** Acts in the composer, if the chat is shown. */
  runInComposer(command: ComposerCommand): void;
  /** Shows a conversation, attaches pictures to its question and suggests a text for the question. */
  suggestQuestion(
    conversationId: string,
    text: string,
    pictures: readonly PictureFile[],
    isCompared?: boolean,
  ): Promise<void>;
}

interface AddOptions {
  readonly pictures?: readonly PictureFile[];
  readonly leavesCaret?: boolean;
}

/** The chats of the window. */
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

  /** Acts in the composer of the chat that was used last. */
  runInComposer(command: ComposerCommand): void {
    this.current().runInComposer(command);
  }

  /** Applies the closing of a tab. */
  chatClosed(chat: ChatLocation): void {
    if (this.last !== chat) return;
    this.last = undefined;
    this.changes.fire();
  }

  /** The conversation of the chat that was used last; undefined before a chat was opened. */
  get shownConversation(): LiveConversation | undefined {
    return this.current().shownConversation;
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
    else await chat.suggestQuestion(live.conversation.id, "", pictures);
  }

  /** Shows the chat that was used last and returns its conversation. */
  async show(): Promise<LiveConversation> {
    const chat = this.current();
    const live = await this.conversationIn(chat);
    await chat.reveal();
    return live;
  }

  /** Moves through the conversation of the chat that was used last. */
  navigate(command: NavigationCommand): Promise<void> {
    return this.current().navigate(command);
  }

  /** Reviews all changes of the last reply in the chat that was used last. */
  applyAll(): Promise<void> {
    return this.current().applyAll();
  }

  /** Forks the conversation of the chat that was used last. */
  fork(messageId: string): Promise<void> {
    return this.current().fork(messageId);
  }

  /** Takes a screenshot for the question in the chat that was used last. */
  takeScreenshot(): Promise<void> {
    return this.current().takeScreenshot();
  }

  /** Suggests a question with pictures, in the chat that shows the conversation or in the panel. */
  suggestQuestion(
    conversationId: string,
    text: string,
    pictures: readonly PictureFile[],
  ): Promise<void> {
    const chat = this.current();
    const isShown = chat.shownConversation?.conversation.id === conversationId;
    return (isShown ? chat : this.panel).suggestQuestion(conversationId, text, pictures);
  }

  /** Attaches two pictures to the draft of the chat that was used last, and compares them there. */
  async compare(earlier: PictureFile, later: PictureFile): Promise<void> {
    const chat = this.current();
    const live = await this.conversationIn(chat);
    await chat.suggestQuestion(live.conversation.id, "", [earlier, later], true);
  }

  private current(): ChatLocation {
    return this.last?.shownConversation === undefined ? this.panel : this.last;
  }

  /**
   * Returns the conversation of a chat; for an unopened panel the conversation that the panel will
   * show.
   */
  private conversationIn(chat: ChatLocation): Promise<LiveConversation> {
    const shown = chat.shownConversation;
    if (shown !== undefined) return Promise.resolve(shown);
    return new ShownConversation(this.conversations, this.panelMemory).current();
  }
}
