/**
 * What the page remembers over hiding and reloading, in VS Code's own memory for it: where the
 * person was reading and which question is being edited. Never what was asked or answered, but
 * for the words put aside while an earlier question is edited.
 */
import * as z from "zod/mini";
import type { EditorApi } from "./editorApi";

const placeSchema = z.object({
  /** The first message that was in sight. */
  anchorId: z.string(),
  /** From the top of the transcript to the top of that message, in CSS pixels. */
  offsetPx: z.number(),
});
export type ReadingPlace = z.infer<typeof placeSchema>;

const editingSchema = z.object({ messageId: z.string(), parkedText: z.string() });
export type EditingMemory = z.infer<typeof editingSchema>;

const memorySchema = z.object({
  conversationId: z.string(),
  /** Absent while the end was in sight. */
  place: z.optional(placeSchema),
  editing: z.optional(editingSchema),
});
type Memory = z.infer<typeof memorySchema>;

/** One per page; knows one conversation at a time. */
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

  editingIn(conversationId: string): EditingMemory | undefined {
    return this.of(conversationId).editing;
  }

  savePlace(conversationId: string, place: ReadingPlace | undefined): void {
    const { editing } = this.of(conversationId);
    this.save({ conversationId, ...(place && { place }), ...(editing && { editing }) });
  }

  saveEditing(conversationId: string, editing: EditingMemory | undefined): void {
    const { place } = this.of(conversationId);
    this.save({ conversationId, ...(place && { place }), ...(editing && { editing }) });
  }

  private of(conversationId: string): Memory {
    return this.memory?.conversationId === conversationId ? this.memory : { conversationId };
  }

  private save(memory: Memory): void {
    this.memory = memory;
    this.api.setState(memory);
  }
}
