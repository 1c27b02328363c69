/**
 * Conversations on disk: an append-only file each, with a record per step. Several windows can write at
 * once, and no write makes a conversation shorter. Records are changed in one case, see eraseForgotten.ts.
 */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
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
import { toSteps } from "../conversation/toSteps";
import type { FileSystem } from "./fileSystem";
import { CONVERSATIONS_FOLDER, conversationIdOf, conversationPath, isSafeId } from "./paths";
import { readConversation, type LoadedConversation } from "./readConversation";
import { encodeRecord, LINE_END, readLines } from "./record";
import { Removals } from "./removals";
import type { Retries } from "./retries";
import { TimeSlice } from "../base/timeSlice";
import { WriteQueues } from "./writeQueues";

/** Finds a conversation in this window's memory; undefined if it is not loaded. */
export type FindInMemory = (conversationId: string) => Conversation | undefined;

export interface LoadedFile extends LoadedConversation {
  /** Size of the file at that time. */
  readonly fileBytes: number;
}

export interface ForeignChanges {
  readonly conversation: Conversation;
  /** Marks the changes as loaded into this window. */
  readonly accept: () => void;
}

/** Writes and reads conversations; each window has its own. */
export class Journal implements Disposable {
  /** Records that are not on disk yet, by conversation. */
  private readonly unsaved = new Map<string, Uint8Array[]>();
  private readonly writing = new WriteQueues();
  /** Largest known size of each file, in bytes; a smaller file was deleted and created again. */
  private readonly minBytes = new Map<string, number>();
  /** Size of each file up to which this window has its content in memory, in bytes. */
  private readonly readBytes = new Map<string, number>();
  /** Size of each file up to which deletions by other windows were looked for, in bytes. */
  private readonly watchedBytes = new Map<string, number>();
  private readonly written = new Emitter<string>();
  private findInMemory: FindInMemory = () => undefined;

  /** Fires a conversation's id after this window wrote records to its file. */
  readonly onWritten = this.written.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
    private readonly removals = new Removals(files, clock),
  ) {}

  /**
   * Sets the source for rewriting a whole conversation after its file was deleted, for instance with
   * the storage folder.
   */
  restoreFrom(findInMemory: FindInMemory): void {
    this.findInMemory = findInMemory;
  }

  /**
   * Adds steps to a conversation. Resolves with true once they are on disk. Resolves with false if
   * writing failed; the steps are then kept in memory and retried.
   * @throws RangeError for an id that cannot name a file
   */
  async append(conversationId: string, steps: readonly Step[]): Promise<boolean> {
    if (!isSafeId(conversationId)) throw new RangeError("the id cannot name a file");
    if (this.removals.knownIds.has(conversationId)) return true; // There is nothing to write to.
    const queue = this.unsaved.get(conversationId) ?? [];
    for (const step of steps) queue.push(encodeRecord(newId(this.clock.nowMs()), step));
    const last = queue.at(-1);
    if (last === undefined) return true;
    this.unsaved.set(conversationId, queue);
    await this.write(conversationId);
    return !queue.includes(last);
  }

  /**
   * Reads a conversation; undefined if there is none. Rejects with the file system's error or the
   * signal's reason.
   */
  async load(
    conversationId: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<LoadedFile | undefined> {
    if (!isSafeId(conversationId)) return undefined;
    const bytes = await this.files.read(conversationPath(conversationId));
    if (bytes === undefined) return undefined;
    const before = this.minBytes.get(conversationId) ?? 0;
    this.minBytes.set(conversationId, Math.max(before, bytes.length));
    const slice = new TimeSlice(this.clock, signal);
    const loaded = await readConversation(conversationId, bytes, slice);
    return { ...loaded, fileBytes: bytes.length };
  }

  /**
   * Reads a conversation if another window wrote to it. Undefined if there is no change, or if steps of
   * this window are not on disk yet. Rejects with the file system's error.
   */
  async loadForeignChanges(conversationId: string): Promise<ForeignChanges | undefined> {
    await this.writing.after(conversationId);
    if (this.unsaved.has(conversationId)) return undefined;
    if (!(await this.hasForeignChanges(conversationId))) return undefined;
    const loaded = await this.load(conversationId);
    if (loaded === undefined || this.unsaved.has(conversationId)) return undefined;
    const { fileBytes } = loaded;
    if (fileBytes < (this.minBytes.get(conversationId) ?? 0)) return undefined;
    const accept = () => void this.readBytes.set(conversationId, fileBytes);
    return { conversation: loaded.conversation, accept };
  }

  /** True if the file has records that this window did not read. Rejects as the file system. */
  async hasForeignChanges(conversationId: string): Promise<boolean> {
    if (!isSafeId(conversationId)) return false;
    const stat = await this.files.stat(conversationPath(conversationId));
    return stat !== undefined && stat.bytes !== (this.readBytes.get(conversationId) ?? 0);
  }

  /** Marks the content of a loaded file as being in this window's memory. */
  accept(conversationId: string, { fileBytes }: LoadedFile): void {
    this.readBytes.set(conversationId, fileBytes);
  }

  /**
   * True if another window deleted the conversation since the last call, into the bin or for ever. Reads
   * only what was written since. Rejects as the file system.
   */
  async isDeletedElsewhere(conversationId: string): Promise<boolean> {
    const path = conversationPath(conversationId);
    const stat = await this.files.stat(path);
    if (stat === undefined) return this.removals.has(conversationId);
    const start = this.watchedBytes.get(conversationId) ?? this.readBytes.get(conversationId) ?? 0;
    if (stat.bytes <= start) return false;
    const [added] = (await this.files.readRanges(path, [[start, stat.bytes]])) ?? [];
    // The last record may still be written.
    const whole = added?.subarray(0, added.lastIndexOf(LINE_END) + 1) ?? new Uint8Array();
    this.watchedBytes.set(conversationId, start + whole.length);
    const steps = [...readLines(whole)].flatMap(({ record }) =>
      record.kind === "step" ? [record.step] : [],
    );
    const { deletedAtMs } = applySteps(emptyConversation(conversationId, 0), steps);
    return deletedAtMs !== undefined;
  }

  /** Returns the time since any window wrote to a conversation; infinite if unknown. */
  async msSinceLastWrite(conversationId: string): Promise<number> {
    try {
      const stat = await this.files.stat(conversationPath(conversationId));
      return stat === undefined ? Infinity : Math.abs(this.clock.nowMs() - stat.changedAtMs);
    } catch {
      return Infinity;
    }
  }

  /** False while steps of this window are not on disk yet. */
  isSaved(conversationId: string): boolean {
    return !this.unsaved.has(conversationId);
  }

  /** True if the conversation has a file or unsaved steps. Rejects as the file system. */
  async has(conversationId: string): Promise<boolean> {
    if (this.unsaved.has(conversationId)) return true;
    if (!isSafeId(conversationId)) return false;
    return (await this.files.stat(conversationPath(conversationId))) !== undefined;
  }

  /** Lists the ids of all conversations on disk, newest first: ids begin with a time. */
  async list(): Promise<string[]> {
    const names = await this.files.list(CONVERSATIONS_FOLDER);
    const ids = names.map(conversationIdOf).filter((id) => id !== undefined);
    return ids.sort().reverse();
  }

  /**
   * Deletes a conversation's file permanently and drops its unsaved steps. Rejects with the file
   * system's error.
   */
  async removeForever(conversationId: string): Promise<void> {
    this.unsaved.delete(conversationId);
    await this.writing.after(conversationId);
    await this.files.remove(conversationPath(conversationId));
    this.minBytes.delete(conversationId);
    this.watchedBytes.delete(conversationId);
    this.readBytes.delete(conversationId);
    this.retries.done(keyOf(conversationId));
  }

  /** Waits until every write so far has succeeded or failed. */
  async settle(): Promise<void> {
    await this.writing.settle();
  }

  dispose(): void {
    this.written.dispose();
  }

  /** Writes the unsaved records of a conversation, after its earlier writes. */
  private write(conversationId: string): Promise<void> {
    return this.writing.run(conversationId, () => this.writeNow(conversationId));
  }

  private async writeNow(conversationId: string): Promise<void> {
    const queue = this.unsaved.get(conversationId);
    if (queue === undefined) return;
    const batch = [...queue];
    try {
      await this.appendBatch(conversationId, batch);
    } catch (error) {
      this.log.error(`history: a conversation could not be saved (${describeError(error)})`);
      this.retries.add("conversation", keyOf(conversationId), () => this.write(conversationId));
      return;
    }
    queue.splice(0, batch.length);
    if (queue.length === 0) this.unsaved.delete(conversationId);
    this.retries.done(keyOf(conversationId));
    this.written.fire(conversationId);
  }

  private async appendBatch(conversationId: string, batch: readonly Uint8Array[]): Promise<void> {
    const path = conversationPath(conversationId);
    const bytes = concatBytes(batch);
    const bytesBefore = await this.files.append(path, bytes);
    if (bytesBefore === 0 && (await this.removals.has(conversationId))) {
      // Another window removed the conversation for ever; the append created its file again.
      await this.files.remove(path);
      return;
    }
    if (bytesBefore < (this.minBytes.get(conversationId) ?? 0)) {
      this.log.warn(
        "history: the file of a conversation was deleted, so the whole conversation is saved again",
      );
      await this.appendWhole(conversationId);
    }
    const bytesNow = bytesBefore + bytes.length;
    this.minBytes.set(conversationId, bytesNow);
    const isUpToDate = bytesBefore === (this.readBytes.get(conversationId) ?? 0);
    if (isUpToDate) this.readBytes.set(conversationId, bytesNow);
  }

  /**
   * Steps are idempotent, so writing all of them again is safe. Another window may have forgotten messages
   * that this one still has in memory.
   */
  private async appendWhole(conversationId: string): Promise<void> {
    const conversation = this.findInMemory(conversationId);
    if (conversation === undefined) return;
    const nowMs = this.clock.nowMs();
    await this.removals.read();
    const remaining = applySteps(conversation, this.removals.forgottenSteps(conversationId));
    const records = toSteps(remaining).map((step) => encodeRecord(newId(nowMs), step));
    await this.files.append(conversationPath(conversationId), concatBytes(records));
  }
}

function keyOf(conversationId: string): string {
  return `conversation ${conversationId}`;
}
