/**
 * Heartbeats of running replies, for other windows. The journal grows only with text, so a reply whose
 * service is silent would look interrupted. Each running reply has an empty file, whose modification time
 * is the last heartbeat. The file is removed when the reply ends.
 */
import type { Clock } from "../base/clock";
import type { FileSystem } from "./fileSystem";
import { heartbeatPath } from "./paths";

export class Heartbeats {
  /** Conversations with a heartbeat of this window. */
  private readonly written = new Set<string>();

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
  ) {}

  /**
   * Records that a reply is running in this window. Never rejects: without a heartbeat, other windows
   * only show a notice.
   */
  async beat(conversationId: string): Promise<void> {
    this.written.add(conversationId);
    await this.files
      .replace(heartbeatPath(conversationId), new Uint8Array())
      .catch(() => undefined);
  }

  /** Removes the heartbeat of this window, if any. Never rejects. */
  async end(conversationId: string): Promise<void> {
    if (this.written.delete(conversationId)) await this.remove(conversationId);
  }

  /**
   * Returns the time since the last heartbeat of any window; infinite if there is none. Removes a
   * heartbeat that is older than `maxMs`: its window crashed.
   */
  async msSince(conversationId: string, maxMs: number): Promise<number> {
    try {
      const stat = await this.files.stat(heartbeatPath(conversationId));
      if (stat === undefined) return Infinity;
      const ageMs = Math.abs(this.clock.nowMs() - stat.changedAtMs);
      if (ageMs > maxMs) await this.remove(conversationId);
      return ageMs;
    } catch {
      return Infinity;
    }
  }

  private async remove(conversationId: string): Promise<void> {
    await this.files.remove(heartbeatPath(conversationId)).catch(() => undefined);
  }
}
