/**
 * Writes that never overlap with others of the same file, so that the newest is always the last.
 */

/** A queue for each conversation's file; one object for each kind of file. */
export class WriteQueues {
  private readonly writing = new Map<string, Promise<void>>();

  /** Runs a write, which must not reject, after those asked for before; resolves with its end. */
  run(conversationId: string, write: () => Promise<void>): Promise<void> {
    const now = this.after(conversationId)
      .then(write)
      .finally(() => {
        if (this.writing.get(conversationId) === now) this.writing.delete(conversationId);
      });
    this.writing.set(conversationId, now);
    return now;
  }

  /** Resolves when every write asked for so far has ended, of one conversation. */
  after(conversationId: string): Promise<void> {
    return this.writing.get(conversationId) ?? Promise.resolve();
  }

  /** Resolves when every write asked for so far has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.writing.values());
  }
}
