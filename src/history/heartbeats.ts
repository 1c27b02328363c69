/**
 * Heartbeats of running replies, for other windows. The journal grows only with text, so a reply whose
 * service is silent would look interrupted. Each running reply has an empty file, whose modification time
 * is the last heartbeat. The file is removed when the reply ends.
 */
import type { Clock } from "../base/clock";
import type { FileStat, FileSystem } from "./fileSystem";
import { DISK_TIME_PATH, heartbeatPath } from "./paths";

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
      let ageMs = Math.abs(this.clock.nowMs() - stat.changedAtMs);
      if (ageMs > maxMs) ageMs = await this.ageOnDisk(stat, ageMs);
      if (ageMs > maxMs) await this.remove(conversationId);
      return ageMs;
    } catch {
      return Infinity;
    }
  }

  /** Compares with the disk's own time: the clock of a file server may differ from this machine's. */
  private async ageOnDisk({ changedAtMs }: FileStat, ageMs: number): Promise<number> {
    try {
      await this.files.replace(DISK_TIME_PATH, new Uint8Array());
      const now = await this.files.stat(DISK_TIME_PATH);
      await this.files.remove(DISK_TIME_PATH);
      return now === undefined ? ageMs : Math.abs(now.changedAtMs - changedAtMs);
    } catch {
      return ageMs;
    }
  }

  private async remove(conversationId: string): Promise<void> {
    await this.files.remove(heartbeatPath(conversationId)).catch(() => undefined);
  }
}
