/** Persists which conversation a view shows. */
import { UnreadableConversation, type Conversations } from "./conversations";
import type { LiveConversation } from "./liveConversation";

/** Persistent storage of the shown conversation's id. */
export interface ShownMemory {
  load(): string | undefined;
  save(id: string): void;
}

export class ShownConversation {
  private shown: Promise<LiveConversation> | undefined;
  private standsIn = false;

  constructor(
    private readonly conversations: Conversations,
    private readonly memory: ShownMemory,
  ) {}

  /** True if a new conversation replaces an unreadable conversation. */
  get isStandIn(): boolean {
    return this.standsIn;
  }

  current(): Promise<LiveConversation> {
    const id = this.memory.load();
    this.shown ??= id === undefined ? this.show(this.conversations.create()) : this.restore(id);
    return this.shown;
  }

  /**
   * Returns a new conversation, or the current conversation if that is empty and not deleted.
   * @param isUnsaved true for a conversation in memory only
   */
  async startNew(isUnsaved: boolean): Promise<LiveConversation> {
    const before = await this.current();
    const { messages, deletedAtMs } = before.conversation;
    const isEmpty = messages.size === 0 && deletedAtMs === undefined;
    if (isEmpty && before.isUnsaved === isUnsaved) return before;
    return this.show(
      isUnsaved ? await this.conversations.createUnsaved() : this.conversations.create(),
    );
  }

  /** Returns a new conversation in place of one that was removed for ever. */
  replaceRemoved(): Promise<LiveConversation> {
    return this.show(this.conversations.create());
  }

  /** Opens another conversation; the shown conversation stays if that fails. */
  async open(id: string): Promise<LiveConversation> {
    return this.show(await this.conversations.get(id));
  }

  private async restore(id: string): Promise<LiveConversation> {
    try {
      return await this.open(id);
    } catch (error) {
      if (!(error instanceof UnreadableConversation)) throw error;
      const standIn = await this.show(this.conversations.create());
      this.standsIn = true;
      return standIn;
    }
  }

  private show(live: LiveConversation): Promise<LiveConversation> {
    this.standsIn = false;
    this.shown = Promise.resolve(live);
    this.memory.save(live.conversation.id);
    return this.shown;
  }
}
