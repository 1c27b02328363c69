import type { LiveConversation } from "./liveConversation";

/**
 * Conversations in memory by id. A released conversation stays the same object while any code has it;
 * then its memory is free, and it is read from disk again when it is needed.
 */
export class HeldConversations {
  private readonly held = new Map<string, LiveConversation>();
  private readonly released = new Map<string, WeakRef<LiveConversation>>();

  get(id: string): LiveConversation | undefined {
    return this.held.get(id) ?? this.released.get(id)?.deref();
  }

  hold(live: LiveConversation): void {
    const { id } = live.conversation;
    this.released.delete(id);
    this.held.set(id, live);
  }

  releaseUnless(isNeeded: (live: LiveConversation) => boolean): void {
    for (const [id, live] of this.held) {
      if (isNeeded(live)) continue;
      this.held.delete(id);
      this.released.set(id, new WeakRef(live));
    }
  }

  delete(id: string): void {
    this.held.delete(id);
    this.released.delete(id);
  }

  all(): LiveConversation[] {
    for (const [id, reference] of this.released)
      if (reference.deref() === undefined) this.released.delete(id);
    const released = [...this.released.values()].flatMap((reference) => reference.deref() ?? []);
    return [...this.held.values(), ...released];
  }
}
