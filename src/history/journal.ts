/**
 * Conversations on disk: one append-only file each, a record a step. A record is never changed or
 * removed, so no write can turn a longer conversation into a shorter one, and several windows may
 * write at once. What cannot be written now is kept and written as soon as the disk lets us.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../conversation/conversation";
import type { FileSystem } from "./fileSystem";
import { decodeRecords, encodeRecord } from "./record";

const FOLDER = "conversations";
const ENDING = ".jsonl";

/** Pause before what could not be written is tried again, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** A conversation as it was read. */
export interface LoadedConversation {
  readonly conversation: Conversation;
  /** Records that could not be read; the file is left as it is. */
  readonly damagedRecords: number;
  /** Records of a newer version of Core Chat that were passed over. */
  readonly newerRecords: number;
}

/** Writes and reads conversations; one for each window. */
export class Journal implements Disposable {
  private readonly unsaved = new Map<string, Uint8Array[]>();
  private readonly writing = new Map<string, Promise<void>>();
  private readonly savingChanged = new Emitter<boolean>();
  private retryTimer: Disposable | undefined;

  /** Tells whether everything is on disk (true) or something waits for the disk (false). */
  readonly onSavingChanged = this.savingChanged.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** False while something could not be written. */
  get isSaving(): boolean {
    return this.retryTimer === undefined;
  }

  /**
   * Adds steps to a conversation. Resolves with true once they are on disk; with false when the
   * disk failed: they are then kept, `onSavingChanged` tells it, and writing is tried again.
   */
  async append(conversationId: string, steps: readonly Step[]): Promise<boolean> {
    const queue = this.unsaved.get(conversationId) ?? [];
    for (const step of steps) queue.push(encodeRecord(newId(this.clock.nowMs()), step));
    this.unsaved.set(conversationId, queue);
    await this.write(conversationId);
    return !this.unsaved.has(conversationId);
  }

  /** Reads one conversation; undefined where there is none. Throws what the disk throws. */
  async load(conversationId: string): Promise<LoadedConversation | undefined> {
    const bytes = await this.files.read(pathOf(conversationId));
    if (bytes === undefined) return undefined;
    const steps: Step[] = [];
    const seen = new Set<string>();
    let damagedRecords = 0;
    let newerRecords = 0;
    for (const record of decodeRecords(bytes)) {
      switch (record.kind) {
        case "step":
          if (!seen.has(record.id)) steps.push(record.step);
          seen.add(record.id);
          break;
        case "newer":
          newerRecords++;
          break;
        case "damaged":
          damagedRecords++;
          break;
        default:
          record satisfies never;
      }
    }
    const conversation = applySteps(emptyConversation(conversationId, 0), steps);
    return { conversation, damagedRecords, newerRecords };
  }

  /** Ids of all conversations on disk, newest first (ids begin with the time they were made). */
  async list(): Promise<string[]> {
    const names = await this.files.list(FOLDER);
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort()
      .reverse();
  }

  /** Waits until everything asked so far was written or has failed. */
  async settle(): Promise<void> {
    await Promise.all(this.writing.values());
  }

  dispose(): void {
    this.retryTimer?.dispose();
    this.savingChanged.dispose();
  }

  /** Writes what waits for one conversation; writes of one conversation never overlap. */
  private write(conversationId: string): Promise<void> {
    const before = this.writing.get(conversationId) ?? Promise.resolve();
    const now = before.then(() => this.writeNow(conversationId));
    this.writing.set(conversationId, now);
    return now;
  }

  private async writeNow(conversationId: string): Promise<void> {
    const queue = this.unsaved.get(conversationId);
    if (queue === undefined) return;
    const batch = [...queue];
    try {
      await this.files.append(pathOf(conversationId), joined(batch));
    } catch (error) {
      this.log.error(`history: a conversation was not saved (${describeError(error)})`);
      this.retryLater();
      return;
    }
    queue.splice(0, batch.length);
    if (queue.length === 0) this.unsaved.delete(conversationId);
    if (this.unsaved.size === 0 && this.retryTimer !== undefined) {
      this.retryTimer.dispose();
      this.retryTimer = undefined;
      this.savingChanged.fire(true);
    }
  }

  private retryLater(): void {
    const wasSaving = this.retryTimer === undefined;
    this.retryTimer?.dispose();
    this.retryTimer = this.clock.after(RETRY_AFTER_MS, () => {
      for (const id of this.unsaved.keys()) void this.write(id);
    });
    if (wasSaving) this.savingChanged.fire(false);
  }
}

function pathOf(conversationId: string): string {
  return `${FOLDER}/${conversationId}${ENDING}`;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
