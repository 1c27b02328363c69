/**
 * What is composed but not sent, one small file for each conversation: the text, what is attached
 * and what waits to be sent. Written a moment after it changed; what the disk refuses is kept,
 * told and written later.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import { imagePartSchema, partSchema, type Part } from "../conversation/message";
import type { FileSystem } from "./fileSystem";
import { draftPath, isSafeId } from "./places";
import { Retries } from "./retries";
import { WriteQueues } from "./writeQueues";

const queuedSchema = z.object({ id: z.string(), parts: z.array(partSchema) });

/** How a picture goes that is too large, or was marked up; its part is the picture before that. */
const picturePlanSchema = z.object({
  fit: z.enum(["tiles", "crop", "scaled", "marked"]),
  /** What goes in its place. */
  sent: z.array(imagePartSchema),
  /** What was drawn on it, as the page wrote it. */
  marks: z.optional(z.string()),
});
export type PicturePlan = Readonly<z.infer<typeof picturePlanSchema>>;

const attachmentSchema = z.object({
  id: z.string(),
  part: partSchema,
  /** Only where a picture does not go as it is. */
  picture: z.optional(picturePlanSchema),
});
/** Something that goes with the question when it is sent: a picture, an excerpt, a note. */
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;

/** What really goes for an attachment. */
export function sentParts({ part, picture }: Attachment): readonly Part[] {
  return picture?.sent ?? [part];
}

const draftSchema = z.object({
  text: z.string(),
  /** Everything attached, in its order. */
  attached: z._default(z.array(attachmentSchema), []),
  /** What goes with an earlier question while that is edited; `attached` waits meanwhile. */
  editing: z.optional(z.object({ messageId: z.string(), attached: z.array(attachmentSchema) })),
  /** Questions that wait until the running reply has ended, in their order. */
  queued: z._default(z.array(queuedSchema), []),
  /** How far the conversation is scrolled; absent at its end. */
  scroll: z.optional(z.object({ messageId: z.string(), offsetPx: z.number() })),
});
/** What a person left in the composer. */
export type Draft = Readonly<z.infer<typeof draftSchema>>;

const EMPTY: Draft = { text: "", attached: [], queued: [] };

/** Longest time a change waits before it is written, in milliseconds. */
const WRITE_AFTER_MS = 300;

/** Drafts by conversation id. */
export class Drafts implements Disposable {
  /** Drafts as they are on disk or will be; only those that were read. */
  private readonly known = new Map<string, Draft>();
  /** Changes to drafts that were not read yet. */
  private readonly changes = new Map<string, Partial<Draft>>();
  private readonly timers = new Map<string, Disposable>();
  private readonly writing = new WriteQueues();

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries = new Retries(clock),
  ) {}

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
        this.known.set(conversationId, { ...read, ...this.changes.get(conversationId) });
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
    return known ?? { ...EMPTY, ...this.changes.get(conversationId) };
  }

  /** Remembers a text now and writes it soon; what is attached stays. */
  save(conversationId: string, text: string): void {
    this.saveDraft(conversationId, { text });
  }

  /** Remembers what is given now and writes it soon; what is not given stays as it was. */
  saveDraft(conversationId: string, change: Partial<Draft>): void {
    if (!isSafeId(conversationId)) return;
    const known = this.known.get(conversationId);
    if (known) this.known.set(conversationId, { ...known, ...change });
    else this.changes.set(conversationId, { ...this.changes.get(conversationId), ...change });
    if (this.timers.has(conversationId)) return;
    const timer = this.clock.after(WRITE_AFTER_MS, () => void this.write(conversationId));
    this.timers.set(conversationId, timer);
  }

  /** Forgets a draft and its file, for a conversation that is gone. Throws what the disk throws. */
  async removeForever(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    await this.writing.after(conversationId);
    this.known.delete(conversationId);
    this.changes.delete(conversationId);
    this.retries.done(keyOf(conversationId));
    await this.files.remove(draftPath(conversationId));
  }

  /** Writes every draft that waits. */
  async flush(): Promise<void> {
    await Promise.all([...this.timers.keys()].map((id) => this.write(id)));
    await this.writing.settle();
  }

  dispose(): void {
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
  }

  /** Writes of one draft never overlap, so the newest is always the last. */
  private write(conversationId: string): Promise<void> {
    this.stopTimer(conversationId);
    return this.writing.run(conversationId, () => this.writeNow(conversationId));
  }

  private async writeNow(conversationId: string): Promise<void> {
    const path = draftPath(conversationId);
    try {
      const draft = await this.loadDraft(conversationId);
      if (!this.known.has(conversationId)) throw new Error("the draft before could not be read");
      if (isEmpty(draft)) await this.files.remove(path);
      else await this.files.replace(path, new TextEncoder().encode(JSON.stringify(draft)));
      this.retries.done(keyOf(conversationId));
    } catch (error) {
      this.log.warn(`history: a draft was not saved (${describeError(error)})`);
      this.retries.add(keyOf(conversationId), () => this.write(conversationId));
    }
  }

  /** Undefined where the disk fails: what is there must then not be written over. */
  private async read(conversationId: string): Promise<Draft | undefined> {
    if (!isSafeId(conversationId)) return EMPTY;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.files.read(draftPath(conversationId));
      if (bytes === undefined) return EMPTY;
      return draftSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.log.warn(`history: a draft could not be read (${describeError(error)})`);
      if (bytes === undefined) return undefined;
      return (await this.setAside(conversationId, bytes)) ? EMPTY : undefined;
    }
  }

  /** A draft that another version wrote, or that was damaged, is not written over. */
  private async setAside(conversationId: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.files.replace(`${draftPath(conversationId)}.unread`, bytes);
      return true;
    } catch (error) {
      this.log.warn(`history: a draft could not be set aside (${describeError(error)})`);
      return false;
    }
  }

  private stopTimer(conversationId: string): void {
    this.timers.get(conversationId)?.dispose();
    this.timers.delete(conversationId);
  }
}

function isEmpty(draft: Draft): boolean {
  return (
    draft.text === "" &&
    draft.attached.length === 0 &&
    draft.queued.length === 0 &&
    draft.editing === undefined &&
    draft.scroll === undefined
  );
}

function keyOf(conversationId: string): string {
  return `draft ${conversationId}`;
}
