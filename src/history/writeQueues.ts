/**
 * Write queues of files: writes of the same file never overlap, so the last write is the newest.
 */

/** Queues by key; separate for each kind of file. */
export class WriteQueues {
  private readonly writing = new Map<string, Promise<void>>();

  /** Runs a write after the earlier writes of `key`. The write must not reject. */
  run(key: string, write: () => Promise<void>): Promise<void> {
    const now = this.after(key)
      .then(write)
      .finally(() => {
        if (this.writing.get(key) === now) this.writing.delete(key);
      });
    this.writing.set(key, now);
    return now;
  }

  /** Resolves after the writes of `key` that were queued so far. */
  after(key: string): Promise<void> {
    return this.writing.get(key) ?? Promise.resolve();
  }

  /** Resolves after all writes that were queued so far. */
  async settle(): Promise<void> {
    await Promise.all(this.writing.values());
  }
}
