/**
 * What is composed but not sent: the text, what is attached and what waits to be sent, for each
 * conversation. Written a moment after it changed; what the disk refuses is kept, told and written
 * later. Several windows may write drafts of one conversation: each keeps its own, and what the
 * others have is found and offered (draftFiles.ts).
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import { EMPTY_DRAFT, isEmptyDraft, otherTexts, type Attachment, type Draft } from "./draft";
import { DraftFiles, type FoundDraft } from "./draftFiles";
import type { FileSystem } from "./fileSystem";
import { isSafeId } from "./paths";
import type { Retries } from "./retries";
import { WriteQueues } from "./writeQueues";

/** Longest time a change waits before it is written, in milliseconds. */
const WRITE_AFTER_MS = 300;

/** A draft that holds something to send. */
export interface UnsentDraft {
  /** Of its conversation. */
  readonly id: string;
  readonly text: string;
  readonly attached: readonly Attachment[];
  /** When it was written to disk last. */
  readonly changedAtMs: number;
}

/** Drafts by conversation id. */
export class Drafts implements Disposable {
  /** Drafts as they are on disk or will be; only those that were read. */
  private readonly known = new Map<string, Draft>();
  /** Names of the files that hold nothing beside what is in `known`. */
  private readonly held = new Map<string, readonly string[]>();
  /** Texts that other windows have now. */
  private readonly elsewhere = new Map<string, readonly string[]>();
  /** Conversations whose draft is not on disk as it is. */
  private readonly unsaved = new Set<string>();
  /** Changes to drafts that were not read yet. */
  private readonly changes = new Map<string, Partial<Draft>>();
  private readonly timers = new Map<string, Disposable>();
  private readonly writing = new WriteQueues();
  private readonly saved = new Emitter<string>();
  private readonly files: DraftFiles;

  /** Fires the id of a conversation when its draft is on disk just as it is in memory. */
  readonly onSaved = this.saved.event;

  constructor(
    files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
  ) {
    this.files = new DraftFiles(files, clock, log);
  }

  /** The text of a draft; empty where there is none or it cannot be read. */
  async load(conversationId: string): Promise<string> {
    return (await this.loadDraft(conversationId)).text;
  }

  /** The whole draft; empty where there is none or it cannot be read. */
  async loadDraft(conversationId: string): Promise<Draft> {
    if (!this.known.has(conversationId)) {
      const read = await this.read(conversationId);
      // Someone else may have been quicker, and the draft may have changed since.
      if (read !== undefined && !this.known.has(conversationId)) {
        this.known.set(conversationId, { ...read.draft, ...this.changes.get(conversationId) });
        this.held.set(conversationId, read.names);
        this.changes.delete(conversationId);
      }
    }
    return this.currentDraft(conversationId);
  }

  /** The text as far as it is in memory. */
  current(conversationId: string): string {
    return this.currentDraft(conversationId).text;
  }

  /** The draft as far as it is in memory. */
  currentDraft(conversationId: string): Draft {
    const known = this.known.get(conversationId);
    return known ?? { ...EMPTY_DRAFT, ...this.changes.get(conversationId) };
  }

  /** Texts beside the draft's own: of other windows, now or before; none is lost by choosing. */
  others(conversationId: string): string[] {
    const { text, others = [] } = this.currentDraft(conversationId);
    return otherTexts(text, [...others, ...(this.elsewhere.get(conversationId) ?? [])]);
  }

  /**
   * Looks what other windows wrote since. A draft that one of them went on with, and that was not
   * changed here meanwhile, is theirs now: then true. Else their texts are among `others`.
   */
  async lookAgain(conversationId: string): Promise<boolean> {
    await this.loadDraft(conversationId);
    let isTheirs = false;
    await this.writing.run(conversationId, async () => {
      isTheirs = await this.lookNow(conversationId);
    });
    return isTheirs;
  }

  /** Shows the other text, if there is one; the one before becomes another. */
  swapText(conversationId: string): void {
    const { text } = this.currentDraft(conversationId);
    const [other, ...rest] = this.others(conversationId);
    if (other === undefined) return;
    this.saveDraft(conversationId, { text: other, others: otherTexts(other, [...rest, text]) });
  }

  /** Remembers a text now and writes it soon; what is attached stays. */
  save(conversationId: string, text: string): void {
    this.saveDraft(conversationId, { text });
  }

  /** Remembers what is given now and writes it soon; what is not given stays as it was. */
  saveDraft(conversationId: string, change: Partial<Draft>): void {
    if (!isSafeId(conversationId)) return;
    this.unsaved.add(conversationId);
    const known = this.known.get(conversationId);
    if (known) this.known.set(conversationId, { ...known, ...change });
    else this.changes.set(conversationId, { ...this.changes.get(conversationId), ...change });
    if (this.timers.has(conversationId)) return;
    const timer = this.clock.after(WRITE_AFTER_MS, () => void this.write(conversationId));
    this.timers.set(conversationId, timer);
  }

  /**
   * Returns the drafts that hold something to send, of the conversations that `isWanted` selects.
   * Never rejects; a draft that cannot be read is left out.
   */
  async unsent(isWanted: (conversationId: string) => boolean): Promise<UnsentDraft[]> {
    const unsent: UnsentDraft[] = [];
    try {
      const onDisk = await this.files.newestByConversation();
      const ids = new Set([...onDisk.keys(), ...this.known.keys(), ...this.changes.keys()]);
      for (const id of [...ids].filter(isWanted)) {
        const isInMemory = this.known.has(id) || this.changes.has(id);
        const draft = isInMemory ? this.currentDraft(id) : (await this.read(id))?.draft;
        const { text = "", attached = [] } = draft ?? {};
        if (text.trim() === "" && attached.length === 0) continue;
        unsent.push({ id, text, attached, changedAtMs: onDisk.get(id) ?? this.clock.nowMs() });
      }
    } catch (error) {
      this.log.warn(`history: drafts could not be listed (${describeError(error)})`);
    }
    return unsent;
  }

  /** True when a draft that is in memory holds this text anywhere, for instance a picture's hash. */
  names(text: string): boolean {
    const drafts = [...this.known.values(), ...this.changes.values()];
    return drafts.some((draft) => JSON.stringify(draft).includes(text));
  }

  /** Forgets a draft and its file, for a conversation that is gone. Throws what the disk throws. */
  async removeForever(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    await this.writing.after(conversationId);
    this.known.delete(conversationId);
    this.held.delete(conversationId);
    this.elsewhere.delete(conversationId);
    this.changes.delete(conversationId);
    this.retries.done(keyOf(conversationId));
    await this.files.remove(conversationId, await this.files.names(conversationId));
  }

  /** Writes every draft that waits. */
  async flush(): Promise<void> {
    await Promise.all([...this.timers.keys()].map((id) => this.write(id)));
    await this.writing.settle();
  }

  dispose(): void {
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
    this.saved.dispose();
  }

  /** Writes of one draft never overlap, so the newest is always the last. */
  private write(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    return this.writing.run(conversationId, () => this.writeNow(conversationId));
  }

  private async writeNow(conversationId: string): Promise<void> {
    try {
      await this.loadDraft(conversationId);
      this.unsaved.delete(conversationId);
      const draft = this.currentDraft(conversationId);
      const held = this.held.get(conversationId);
      if (held === undefined) throw new Error("the draft before could not be read");
      if (isEmptyDraft(draft)) {
        await this.files.remove(conversationId, held);
        this.held.set(conversationId, []);
      } else {
        this.held.set(conversationId, await this.files.write(conversationId, draft, held));
      }
      this.retries.done(keyOf(conversationId));
      if (!this.unsaved.has(conversationId)) this.saved.fire(conversationId);
    } catch (error) {
      this.unsaved.add(conversationId);
      this.log.warn(`history: a draft was not saved (${describeError(error)})`);
      this.retries.add("draft", keyOf(conversationId), () => this.write(conversationId));
    }
  }

  private async lookNow(conversationId: string): Promise<boolean> {
    const held = this.held.get(conversationId);
    if (held === undefined) return false;
    try {
      const names = await this.files.names(conversationId);
      const isMine = (name: string) => held.includes(name);
      const { draft, names: found } = await this.files.read(conversationId, isMine);
      // A draft that another window emptied, for instance because it was sent, has no file.
      const isTheirs = found.length + held.length > 0 && !names.some(isMine);
      if (isTheirs && !this.unsaved.has(conversationId)) {
        this.known.set(conversationId, draft);
        this.held.set(conversationId, found);
        this.elsewhere.delete(conversationId);
        return true;
      }
      this.elsewhere.set(conversationId, [...(draft.others ?? []), draft.text]);
    } catch (error) {
      this.log.warn(`history: other drafts could not be read (${describeError(error)})`);
    }
    return false;
  }

  /** Undefined where the disk fails: what is there must then not be taken for nothing. */
  private async read(conversationId: string): Promise<FoundDraft | undefined> {
    if (!isSafeId(conversationId)) return { draft: EMPTY_DRAFT, names: [] };
    try {
      return await this.files.read(conversationId);
    } catch (error) {
      this.log.warn(`history: a draft could not be read (${describeError(error)})`);
      return undefined;
    }
  }

  private stopTimer(conversationId: string): void {
    this.timers.get(conversationId)?.dispose();
    this.timers.delete(conversationId);
  }
}

function keyOf(conversationId: string): string {
  return `draft ${conversationId}`;
}
