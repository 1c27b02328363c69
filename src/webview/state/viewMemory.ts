/**
 * What the page remembers over hiding and reloading, in VS Code's own memory for it: the reading
 * position, and words that are not on the host's disk yet. That memory outlives the extension host.
 */
import * as z from "zod/mini";
import type { EditorApi } from "../boot/editorApi";

const placeSchema = z.object({
  /** The first message that was in sight. */
  anchorId: z.string(),
  /** From the top of the transcript to the top of that message, in CSS pixels. */
  offsetPx: z.number(),
});
export type ReadingPlace = z.infer<typeof placeSchema>;

const changingSchema = z.object({ id: z.string(), before: z.string(), text: z.string() });
/** A waiting question while it is changed, with its text before and now. */
export type ChangingMemory = z.infer<typeof changingSchema>;

/** Words of one conversation that the host does not have on disk. */
const unsavedSchema = z.object({
  typed: z.optional(z.string()),
  changing: z.optional(changingSchema),
});
type Unsaved = z.infer<typeof unsavedSchema>;

const memorySchema = z.object({
  conversationId: z.string(),
  /** Absent while the end was in sight. */
  place: z.optional(placeSchema),
  /** By conversation. */
  unsaved: z.optional(z.record(z.string(), unsavedSchema)),
});
type Memory = z.infer<typeof memorySchema>;

/** One per page; knows the position in one conversation at a time. */
export class ViewMemory {
  private memory: Memory | undefined;

  constructor(private readonly api: Pick<EditorApi, "getState" | "setState">) {
    const stored = memorySchema.safeParse(api.getState());
    this.memory = stored.success ? stored.data : undefined;
  }

  /**
   * This conversation is shown now. An editor tab finds it again by this after a reload: the host
   * reads `conversationId` from the page's state.
   */
  show(conversationId: string): void {
    this.save(this.of(conversationId));
  }

  /** Where the person was in this conversation; undefined for its end. */
  placeIn(conversationId: string): ReadingPlace | undefined {
    return this.of(conversationId).place;
  }

  savePlace(conversationId: string, place: ReadingPlace | undefined): void {
    const { unsaved } = this.of(conversationId);
    this.save({ conversationId, ...(place && { place }), ...(unsaved && { unsaved }) });
  }

  /** The text of the composer that may not be on the host's disk; undefined where it is. */
  typedIn(conversationId: string): string | undefined {
    return this.memory?.unsaved?.[conversationId]?.typed;
  }

  saveTyped(conversationId: string, typed: string | undefined): void {
    this.saveUnsaved(conversationId, { typed });
  }

  /** The waiting question that is being changed in this conversation. */
  changingIn(conversationId: string): ChangingMemory | undefined {
    return this.memory?.unsaved?.[conversationId]?.changing;
  }

  saveChanging(conversationId: string, changing: ChangingMemory | undefined): void {
    this.saveUnsaved(conversationId, { changing });
  }

  private saveUnsaved(conversationId: string, change: Unsaved): void {
    const memory = this.memory ?? { conversationId };
    const { [conversationId]: before, ...others } = memory.unsaved ?? {};
    const { typed, changing } = { ...before, ...change };
    if (typed === before?.typed && changing === before?.changing) return;
    const isEmpty = typed === undefined && changing === undefined;
    const own = { ...(typed !== undefined && { typed }), ...(changing && { changing }) };
    this.save({ ...memory, unsaved: isEmpty ? others : { ...others, [conversationId]: own } });
  }

  private of(conversationId: string): Memory {
    if (this.memory?.conversationId === conversationId) return this.memory;
    const { unsaved } = this.memory ?? {};
    return { conversationId, ...(unsaved && { unsaved }) };
  }

  private save(memory: Memory): void {
    this.memory = memory;
    this.api.setState(memory);
  }
}
