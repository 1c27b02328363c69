/**
 * Which conversation one view shows, remembered beyond the window, and what is typed in it.
 */
import type { Draft } from "../history/drafts";
import type { Conversations } from "./conversations";
import type { LiveConversation } from "./liveConversation";
import type { SessionStore } from "./session";

/** Where the id of the shown conversation outlives the window. */
export interface ShownMemory {
  load(): string | undefined;
  save(id: string): void;
}

/** The store of one view. */
export class ViewStore implements SessionStore {
  private shown: Promise<LiveConversation> | undefined;

  constructor(
    private readonly conversations: Conversations,
    private readonly memory: ShownMemory,
  ) {}

  /** The conversation this view showed last, or a new one. */
  current(): Promise<LiveConversation> {
    const id = this.memory.load();
    this.shown ??= id === undefined ? this.show(this.conversations.create()) : this.open(id);
    return this.shown;
  }

  /** A new conversation; the current one if that is still empty. */
  async startNew(): Promise<LiveConversation> {
    const before = await this.current();
    return before.conversation.messages.size === 0
      ? before
      : this.show(this.conversations.create());
  }

  /** Another conversation. */
  open(id: string): Promise<LiveConversation> {
    this.shown = this.conversations.get(id).then((live) => this.show(live));
    return this.shown;
  }

  loadDraft(conversationId: string): Promise<Draft> {
    return this.conversations.history.drafts.loadDraft(conversationId);
  }

  saveDraft(conversationId: string, change: Partial<Draft>): void {
    this.conversations.history.drafts.saveDraft(conversationId, change);
  }

  private show(live: LiveConversation): Promise<LiveConversation> {
    this.shown = Promise.resolve(live);
    this.memory.save(live.conversation.id);
    return this.shown;
  }
}
