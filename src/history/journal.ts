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
import type { Conversation, Step } from "../conversation/conversation";
import { toSteps } from "../conversation/toSteps";
import type { FileSystem } from "./fileSystem";
import { CONVERSATIONS_FOLDER, conversationIdOf, conversationPath, isSafeId } from "./paths";
import { readConversation, type LoadedConversation } from "./readConversation";
import { encodeRecord } from "./record";
import type { Retries } from "./retries";
import { TimeSlice } from "./timeSlice";
import { WriteQueues } from "./writeQueues";

/** A conversation in memory, as whole as the window knows it. */
export type KnownConversation = (conversationId: string) => Conversation | undefined;

/** A conversation as it was read, and the size of its file then. */
export interface LoadedFile extends LoadedConversation {
  readonly fileBytes: number;
}

/** A conversation that another window wrote to. */
export interface ReadNews {
  readonly conversation: Conversation;
  /** Call it when this window has it in memory. */
  readonly accept: () => void;
}

/** Writes and reads conversations; one for each window. */
export class Journal implements Disposable {
  /** Records that are not on disk yet. */
  private readonly unsaved = new Map<string, Uint8Array[]>();
  private readonly writing = new WriteQueues();
  /** Bytes each file is known to have had; fewer than that means that it was lost. */
  private readonly knownBytes = new Map<string, number>();
  /** Bytes of each file that are known to hold nothing but what this window has in memory. */
  private readonly seenBytes = new Map<string, number>();
  private readonly written = new Emitter<string>();
  private known: KnownConversation = () => undefined;

  /** Tells the id of a conversation after records of this window reached its file. */
  readonly onWritten = this.written.event;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
  ) {}

  /**
   * Says where to find what this window has in memory: a conversation whose file was lost under
   * us (the folder was deleted, say) is then written anew as a whole, not only its newest steps.
   */
  restoreFrom(known: KnownConversation): void {
    this.known = known;
  }

  /**
   * Adds steps to a conversation. Resolves with true once they are on disk; with false when the
   * disk failed: the steps are then kept in memory and added to the retries.
   * Throws for an id that cannot name a file.
   */
  async append(conversationId: string, steps: readonly Step[]): Promise<boolean> {
    if (!isSafeId(conversationId)) throw new RangeError("an id that is no plain name");
    const queue = this.unsaved.get(conversationId) ?? [];
    for (const step of steps) queue.push(encodeRecord(newId(this.clock.nowMs()), step));
    const last = queue.at(-1);
    if (last === undefined) return true;
    this.unsaved.set(conversationId, queue);
    await this.write(conversationId);
    return !queue.includes(last);
  }

  /**
   * Reads one conversation; undefined where there is none. Throws what the disk throws, and the
   * signal's reason.
   */
  async load(
    conversationId: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<LoadedFile | undefined> {
    if (!isSafeId(conversationId)) return undefined;
    const bytes = await this.files.read(conversationPath(conversationId));
    if (bytes === undefined) return undefined;
    this.expectAtLeast(conversationId, bytes.length);
    const slice = new TimeSlice(this.clock, signal);
    const loaded = await readConversation(conversationId, bytes, slice);
    return { ...loaded, fileBytes: bytes.length };
  }

  /**
   * Reads a conversation again if another window wrote to it; undefined where nothing is new, or
   * where steps of this window are not in what was read. Throws what the disk throws.
   */
  async loadNews(conversationId: string): Promise<ReadNews | undefined> {
    await this.writing.after(conversationId);
    if (this.unsaved.has(conversationId)) return undefined;
    if (!(await this.isForeign(conversationId))) return undefined;
    const loaded = await this.load(conversationId);
    if (loaded === undefined || this.unsaved.has(conversationId)) return undefined;
    const { fileBytes } = loaded;
    if (fileBytes < (this.knownBytes.get(conversationId) ?? 0)) return undefined;
    const accept = () => void this.seenBytes.set(conversationId, fileBytes);
    return { conversation: loaded.conversation, accept };
  }

  /** True when the file holds records that this window did not read. Throws what the disk throws. */
  async isForeign(conversationId: string): Promise<boolean> {
    if (!isSafeId(conversationId)) return false;
    const facts = await this.files.facts(conversationPath(conversationId));
    return facts !== undefined && facts.bytes !== (this.seenBytes.get(conversationId) ?? 0);
  }

  /** Notes that this window has in memory what it read of a conversation. */
  accept(conversationId: string, { fileBytes }: LoadedFile): void {
    this.seenBytes.set(conversationId, fileBytes);
  }

  /** Milliseconds since any window wrote to a conversation; infinite where that is not known. */
  async quietMs(conversationId: string): Promise<number> {
    try {
      const facts = await this.files.facts(conversationPath(conversationId));
      return facts === undefined ? Infinity : Math.abs(this.clock.nowMs() - facts.changedAtMs);
    } catch {
      return Infinity;
    }
  }

  /** True when the conversation has a file or steps that wait for the disk. Throws as the disk. */
  async has(conversationId: string): Promise<boolean> {
    if (this.unsaved.has(conversationId)) return true;
    if (!isSafeId(conversationId)) return false;
    return (await this.files.facts(conversationPath(conversationId))) !== undefined;
  }

  /** Ids of all conversations on disk, newest first (ids begin with the time they were made). */
  async list(): Promise<string[]> {
    const names = await this.files.list(CONVERSATIONS_FOLDER);
    const ids = names.map(conversationIdOf).filter((id) => id !== undefined);
    return ids.sort().reverse();
  }

  /**
   * Removes a conversation's file for good. Steps that this window still wants to write for it
   * are dropped. Throws what the disk throws.
   */
  async removeForever(conversationId: string): Promise<void> {
    this.unsaved.delete(conversationId);
    await this.writing.after(conversationId);
    await this.files.remove(conversationPath(conversationId));
    this.knownBytes.delete(conversationId);
    this.seenBytes.delete(conversationId);
    this.retries.done(keyOf(conversationId));
  }

  /** Waits until everything asked so far was written or has failed. */
  async settle(): Promise<void> {
    await this.writing.settle();
  }

  dispose(): void {
    this.written.dispose();
  }

  /** Writes what waits for one conversation; writes of one conversation never overlap. */
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
      this.log.error(`history: a conversation was not saved (${describeError(error)})`);
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
    const bytes = joined(batch);
    const bytesBefore = await this.files.append(path, bytes);
    if (bytesBefore < (this.knownBytes.get(conversationId) ?? 0)) {
      this.log.warn("history: the file of a conversation was lost; it is written anew");
      await this.appendWhole(conversationId);
    }
    const bytesNow = bytesBefore + bytes.length;
    this.knownBytes.set(conversationId, bytesNow);
    const isOnlyOurs = bytesBefore === (this.seenBytes.get(conversationId) ?? 0);
    if (isOnlyOurs) this.seenBytes.set(conversationId, bytesNow);
  }

  /** Steps say nothing new to whoever has them already, so writing them all again is safe. */
  private async appendWhole(conversationId: string): Promise<void> {
    const conversation = this.known(conversationId);
    if (conversation === undefined) return;
    const nowMs = this.clock.nowMs();
    const records = toSteps(conversation).map((step) => encodeRecord(newId(nowMs), step));
    await this.files.append(conversationPath(conversationId), joined(records));
  }

  private expectAtLeast(conversationId: string, bytes: number): void {
    const before = this.knownBytes.get(conversationId) ?? 0;
    this.knownBytes.set(conversationId, Math.max(before, bytes));
  }
}

function keyOf(conversationId: string): string {
  return `conversation ${conversationId}`;
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
