/**
 * Owns the drafts of conversations: text, attachments and queued questions. A change is written after a
 * short delay; a failed write is retried. Each window writes files of its own; of two texts the one that
 * was written last is shown, and the other is offered (draftFiles.ts).
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { describeError, type Log } from "../base/log";
import { EMPTY_DRAFT, isEmptyDraft, type Attachment, type Draft } from "../conversation/draft";
import { DraftFiles, type FoundDraft } from "./draftFiles";
import type { FileSystem } from "./fileSystem";
import { draftWrittenAtMs, isSafeId } from "./paths";
import { Removals } from "./removals";
import type { Retries } from "./retries";
import { WriteQueues } from "./writeQueues";

/** Maximum delay between a change and its write, in milliseconds. */
const WRITE_AFTER_MS = 300;

export interface UnsentDraft {
  readonly id: string;
  /** Text of the composer, then the texts that were set aside. */
  readonly text: string;
  readonly attached: readonly Attachment[];
  /** Name of the workspace of the first change; missing in drafts of older versions. */
  readonly workspace?: string | undefined;
  /** Time of its last write to disk. */
  readonly changedAtMs: number;
}

type DraftContent = Pick<UnsentDraft, "text" | "attached" | "workspace">;

export class Drafts implements Disposable {
  /** Drafts that were read, with all changes since. */
  private readonly drafts = new Map<string, Draft>();
  /** Names of the files whose content is in `drafts`. */
  private readonly fileNames = new Map<string, readonly string[]>();
  /** Conversations whose newest draft is not on disk. */
  private readonly unsaved = new Set<string>();
  private readonly unmergedChanges = new Map<string, Partial<Draft>>();
  /** Contents that `unsent` read, with the names of their files. */
  private readonly readContents = new Map<
    string,
    DraftContent & { readonly names: readonly string[] }
  >();
  private readonly timers = new Map<string, Disposable>();
  private readonly writing = new WriteQueues();
  private readonly saved = new Emitter<string>();
  private readonly files: DraftFiles;

  /** Fires a conversation's id when its newest draft is on disk. */
  readonly onSaved = this.saved.event;

  constructor(
    files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
    private readonly removals = new Removals(files, clock),
  ) {
    this.files = new DraftFiles(files, clock, log);
  }

  /** Reads a draft; empty if there is none or the draft cannot be read. */
  async load(conversationId: string): Promise<Draft> {
    if (!this.drafts.has(conversationId)) {
      const stored = await this.read(conversationId);
      // A parallel call may have set the draft, and the user may have changed it since.
      if (stored !== undefined && !this.drafts.has(conversationId)) {
        this.drafts.set(conversationId, {
          ...stored.draft,
          ...this.unmergedChanges.get(conversationId),
        });
        this.fileNames.set(conversationId, stored.names);
        this.unmergedChanges.delete(conversationId);
      }
    }
    return this.current(conversationId);
  }

  current(conversationId: string): Draft {
    const draft = this.drafts.get(conversationId);
    return draft ?? { ...EMPTY_DRAFT, ...this.unmergedChanges.get(conversationId) };
  }

  /**
   * Writes what is not on disk, then reads what other windows wrote since. Resolves with true if the draft
   * may have changed.
   */
  async syncFromDisk(conversationId: string): Promise<boolean> {
    let isReplaced = false;
    if (this.unsaved.has(conversationId)) await this.write(conversationId);
    await this.load(conversationId);
    await this.writing.run(conversationId, async () => {
      isReplaced = await this.syncNow(conversationId);
    });
    return isReplaced;
  }

  /** Changes the given fields in memory now and on disk soon. */
  save(conversationId: string, change: Partial<Draft>): void {
    if (!isSafeId(conversationId) || this.removals.knownIds.has(conversationId)) return;
    const draft = this.drafts.get(conversationId);
    this.unsaved.add(conversationId);
    if (draft) this.drafts.set(conversationId, { ...draft, ...change });
    else {
      const earlier = this.unmergedChanges.get(conversationId);
      this.unmergedChanges.set(conversationId, { ...earlier, ...change });
    }
    if (this.timers.has(conversationId)) return;
    const timer = this.clock.after(WRITE_AFTER_MS, () => void this.write(conversationId));
    this.timers.set(conversationId, timer);
  }

  /**
   * Returns the drafts with text or attachments of the selected conversations. Never rejects; leaves
   * out a draft that cannot be read.
   */
  async unsent(isSelected: (conversationId: string) => boolean): Promise<UnsentDraft[]> {
    const unsent: UnsentDraft[] = [];
    try {
      const onDisk = await this.files.namesByConversation();
      const ids = new Set([
        ...onDisk.keys(),
        ...this.drafts.keys(),
        ...this.unmergedChanges.keys(),
      ]);
      for (const id of [...ids].filter(isSelected)) {
        const names = onDisk.get(id);
        const isInMemory = this.drafts.has(id) || this.unmergedChanges.has(id);
        const draft = isInMemory ? contentOf(this.current(id)) : await this.readContent(id, names);
        if (draft === undefined || (draft.text === "" && draft.attached.length === 0)) continue;
        const changedAtMs = names ? newestOf(names) : this.clock.nowMs();
        unsent.push({ id, ...draft, changedAtMs });
      }
    } catch (error) {
      this.log.warn(`history: drafts could not be listed (${describeError(error)})`);
    }
    return unsent;
  }

  /** Returns the time of a draft's last change in milliseconds; 0 without a draft. */
  async changedAtMs(conversationId: string): Promise<number> {
    if (this.unsaved.has(conversationId)) return this.clock.nowMs();
    return newestOf(await this.files.names(conversationId));
  }

  /** True if a draft in memory contains a text anywhere, for instance a picture's hash. */
  mentions(text: string): boolean {
    const drafts = [...this.drafts.values(), ...this.unmergedChanges.values()];
    return drafts.some((draft) => JSON.stringify(draft).includes(text));
  }

  /** Removes what a crash left of former versions of a draft. Rejects with the file system's error. */
  removeReplaced(conversationId: string): Promise<void> {
    return this.files.removeReplaced(conversationId);
  }

  /** Deletes the draft of a deleted conversation. Rejects with the file system's error. */
  async removeForever(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    await this.writing.after(conversationId);
    this.drafts.delete(conversationId);
    this.fileNames.delete(conversationId);
    this.unmergedChanges.delete(conversationId);
    this.unsaved.delete(conversationId);
    this.readContents.delete(conversationId);
    this.retries.done(keyOf(conversationId));
    await this.files.remove(conversationId, await this.files.names(conversationId));
  }

  /** Writes every pending draft now. */
  async flush(): Promise<void> {
    await Promise.all([...this.timers.keys()].map((id) => this.write(id)));
    await this.writing.settle();
  }

  dispose(): void {
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
    this.saved.dispose();
  }

  /** Writes of a draft never overlap, so the last write is the newest. */
  private write(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    return this.writing.run(conversationId, () => this.writeNow(conversationId));
  }

  private async writeNow(conversationId: string): Promise<void> {
    try {
      await this.load(conversationId);
      this.unsaved.delete(conversationId);
      const draft = this.current(conversationId);
      const replaced = this.fileNames.get(conversationId);
      if (replaced === undefined) throw new Error("the stored draft could not be read");
      if (isEmptyDraft(draft)) {
        await this.files.remove(conversationId, replaced);
        this.fileNames.set(conversationId, []);
      } else {
        this.fileNames.set(conversationId, await this.files.write(conversationId, draft, replaced));
      }
      // Another window may have removed the conversation for ever since this one loaded the draft.
      if (await this.removals.has(conversationId))
        await this.files.remove(conversationId, await this.files.names(conversationId));
      this.retries.done(keyOf(conversationId));
      if (!this.unsaved.has(conversationId)) this.saved.fire(conversationId);
    } catch (error) {
      this.unsaved.add(conversationId);
      this.log.warn(`history: a draft could not be saved (${describeError(error)})`);
      this.retries.add("draft", keyOf(conversationId), () => this.write(conversationId));
    }
  }

  private async syncNow(conversationId: string): Promise<boolean> {
    const namesBefore = this.fileNames.get(conversationId);
    if (namesBefore === undefined) return false;
    try {
      const { draft, names } = await this.files.read(conversationId);
      // What was typed since, or could not be written, is written first.
      if (this.unsaved.has(conversationId) || String(names) === String(namesBefore)) return false;
      this.drafts.set(conversationId, draft);
      this.fileNames.set(conversationId, names);
      return true;
    } catch (error) {
      this.log.warn(`history: drafts of other windows could not be read (${describeError(error)})`);
      return false;
    }
  }

  /** Returns undefined if reading fails: the stored draft must not count as empty. */
  private async read(
    conversationId: string,
    names?: readonly string[],
  ): Promise<FoundDraft | undefined> {
    if (!isSafeId(conversationId)) return { draft: EMPTY_DRAFT, names: [], replaced: new Set() };
    try {
      const stored = names && (await this.files.readAll(names));
      return stored ?? (await this.files.read(conversationId));
    } catch (error) {
      this.log.warn(`history: a draft could not be read (${describeError(error)})`);
      return undefined;
    }
  }

  /** Reads the content of a draft, once for the same files: a search asks at each key. */
  private async readContent(
    conversationId: string,
    names: readonly string[] = [],
  ): Promise<DraftContent | undefined> {
    const earlier = this.readContents.get(conversationId);
    if (earlier && JSON.stringify(earlier.names) === JSON.stringify(names)) return earlier;
    const stored = await this.read(conversationId, names);
    if (stored === undefined) return undefined;
    const content = { names, ...contentOf(stored.draft) };
    // Files of version 1 have no time and are overwritten.
    if (newestOf(names) > 0) this.readContents.set(conversationId, content);
    return content;
  }

  private stopTimer(conversationId: string): void {
    this.timers.get(conversationId)?.dispose();
    this.timers.delete(conversationId);
  }
}

function contentOf({ text, editing, other = "", attached, workspace }: Draft): DraftContent {
  const all = [text, editing?.parkedText ?? "", other];
  const texts = new Set(all.filter((one) => one.trim() !== ""));
  return { text: [...texts].join("\n\n"), attached, workspace };
}

/** Returns the time of the newest file in milliseconds; 0 if unknown. */
function newestOf(names: readonly string[]): number {
  return Math.max(0, ...names.map(draftWrittenAtMs));
}

function keyOf(conversationId: string): string {
  return `draft ${conversationId}`;
}
