/**
 * Which conversation one view shows, remembered beyond the window.
 */
import { UnreadableConversation, type Conversations } from "./conversations";
import type { LiveConversation } from "./liveConversation";
import type { SessionStore } from "./sessionOptions";

/** Where the id of the shown conversation outlives the window. */
export interface ShownMemory {
  load(): string | undefined;
  save(id: string): void;
}

/** The store of one view. */
export class ShownConversation implements SessionStore {
  private shown: Promise<LiveConversation> | undefined;
  private standsIn = false;

  constructor(
    private readonly conversations: Conversations,
    private readonly memory: ShownMemory,
  ) {}

  /** True when the conversation shown last could not be read and a new one stands in for it. */
  get isStandIn(): boolean {
    return this.standsIn;
  }

  /** The conversation this view showed last, or a new one. */
  current(): Promise<LiveConversation> {
    const id = this.memory.load();
    this.shown ??= id === undefined ? this.show(this.conversations.create()) : this.restore(id);
    return this.shown;
  }

  /** A new conversation; the current one if that is still empty and not in the bin. */
  async startNew(): Promise<LiveConversation> {
    const before = await this.current();
    const { messages, deletedAtMs } = before.conversation;
    return messages.size === 0 && deletedAtMs === undefined
      ? before
      : this.show(this.conversations.create());
  }

  /** Another conversation; what was shown before stays when that one cannot be read. */
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
