/**
 * What is typed but not sent, one small file for each conversation. Written a moment after the
 * last key; a failed write is logged and made good by the next one.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { FileSystem } from "./fileSystem";

const draftSchema = z.object({ text: z.string() });

/** Quiet time before a draft is written, in milliseconds. */
const WRITE_AFTER_MS = 300;

/** Drafts by conversation id. */
export class Drafts implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly timers = new Map<string, Disposable>();

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The draft of a conversation; empty where there is none or it cannot be read. */
  async load(conversationId: string): Promise<string> {
    const known = this.texts.get(conversationId);
    if (known !== undefined) return known;
    try {
      const bytes = await this.files.read(pathOf(conversationId));
      if (bytes === undefined) return "";
      return draftSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).text;
    } catch (error) {
      this.log.warn(`history: a draft could not be read (${describeError(error)})`);
      return "";
    }
  }

  /** The draft as far as it is in memory. */
  current(conversationId: string): string {
    return this.texts.get(conversationId) ?? "";
  }

  /** Remembers a draft now and writes it soon. */
  save(conversationId: string, text: string): void {
    this.texts.set(conversationId, text);
    this.timers.get(conversationId)?.dispose();
    this.timers.set(
      conversationId,
      this.clock.after(WRITE_AFTER_MS, () => void this.write(conversationId)),
    );
  }

  /** Writes every draft that waits. */
  async flush(): Promise<void> {
    await Promise.all([...this.timers.keys()].map((id) => this.write(id)));
  }

  dispose(): void {
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
  }

  private async write(conversationId: string): Promise<void> {
    this.timers.get(conversationId)?.dispose();
    this.timers.delete(conversationId);
    const text = this.texts.get(conversationId) ?? "";
    const bytes = new TextEncoder().encode(JSON.stringify({ text }));
    try {
      if (text === "") await this.files.remove(pathOf(conversationId));
      else await this.files.replace(pathOf(conversationId), bytes);
    } catch (error) {
      this.log.warn(`history: a draft was not saved (${describeError(error)})`);
    }
  }
}

function pathOf(conversationId: string): string {
  return `drafts/${conversationId}.json`;
}
