/**
 * State of the page that VS Code keeps while the page is hidden or reloaded: the scroll position and
 * text that is not on the host's disk yet. The state survives a crash of the extension host.
 */
import * as z from "zod/mini";
import { signal } from "@preact/signals";
import { quotedSchema } from "../../pointing/quoted";

const scrollPositionSchema = z.object({
  anchorId: z.string(),
  /** Distance from the top of the transcript to the top of that message, in CSS pixels. */
  offsetPx: z.number(),
});
export type ScrollPosition = z.infer<typeof scrollPositionSchema>;

/** Text of a conversation that the host does not have on disk. */
const unsavedSchema = z.object({ typed: z.optional(z.string()) });

const asideDraftSchema = z.object({
  /** Id of the question once it is sent. */
  id: z.string(),
  conversationId: z.string(),
  quoted: quotedSchema,
  /** Markdown of the quote for the model. */
  text: z.string(),
  words: z.string(),
  question: z.string(),
});
/** A question aside that is being typed. */
export type AsideDraft = Readonly<z.infer<typeof asideDraftSchema>>;

const memorySchema = z.object({
  conversationId: z.string(),
  /** By conversation, unless the end was visible; the newest last. */
  places: z.optional(z.record(z.string(), scrollPositionSchema)),
  /** Replies whose thinking is open, by id; the newest last. */
  openThinking: z.optional(z.array(z.string())),
  /** By conversation. */
  unsaved: z.optional(z.record(z.string(), unsavedSchema)),
  asideDrafts: z.optional(z.array(asideDraftSchema)),
});
type Memory = z.infer<typeof memorySchema>;

/** Part of the webview API of VS Code that stores state. */
interface StateStorage {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Most replies whose open thinking is kept. */
const MAX_OPEN_THINKING = 200;

/** Most conversations whose scroll position is kept. */
const MAX_PLACES = 100;

export class ViewMemory {
  private memory: Memory = { conversationId: "" };
  /** Conversations whose texts VS Code must not write to its storage. */
  private readonly notStored = new Set<string>();
  /** Questions aside that are being typed, of all conversations. */
  readonly asideDrafts = signal<readonly AsideDraft[]>([]);

  constructor(private readonly api: StateStorage) {
    const stored = memorySchema.safeParse(api.getState());
    if (stored.success) this.memory = stored.data;
    this.asideDrafts.value = this.memory.asideDrafts ?? [];
  }

  /**
   * Saves which conversation is shown. After a reload the host reads `conversationId` from the state
   * of an editor tab.
   */
  show(conversationId: string): void {
    this.save({ conversationId });
  }

  /** Sets whether the texts of a conversation stay in the page. */
  setUnsaved(conversationId: string, isUnsaved: boolean): void {
    if (isUnsaved) this.notStored.add(conversationId);
    else this.notStored.delete(conversationId);
  }

  /** Returns the scroll position in this conversation; undefined for its end. */
  placeIn(conversationId: string): ScrollPosition | undefined {
    return this.memory.places?.[conversationId];
  }

  savePlace(conversationId: string, place: ScrollPosition | undefined): void {
    const places = Object.entries(this.memory.places ?? {}).filter(([id]) => id !== conversationId);
    if (place) places.push([conversationId, place]);
    this.save({ places: Object.fromEntries(places.slice(-MAX_PLACES)) });
  }

  isThinkingOpen(messageId: string): boolean {
    return this.memory.openThinking?.includes(messageId) === true;
  }

  saveThinkingOpen(messageId: string, isOpen: boolean): void {
    const openIds = (this.memory.openThinking ?? []).filter((id) => id !== messageId);
    if (isOpen) openIds.push(messageId);
    this.save({ openThinking: openIds.slice(-MAX_OPEN_THINKING) });
  }

  /** Returns the composer's text unless it is on the host's disk. */
  typedIn(conversationId: string): string | undefined {
    return this.memory.unsaved?.[conversationId]?.typed;
  }

  saveTyped(conversationId: string, typed: string | undefined): void {
    if (typed === this.typedIn(conversationId)) return;
    const unsaved = Object.entries(this.memory.unsaved ?? {}).filter(
      ([id]) => id !== conversationId,
    );
    if (typed !== undefined) unsaved.push([conversationId, { typed }]);
    this.save({ unsaved: Object.fromEntries(unsaved) });
  }

  /** Adds a question aside, or replaces it by its id. */
  saveAsideDraft(draft: AsideDraft): void {
    const otherDrafts = this.asideDrafts.peek().filter(({ id }) => id !== draft.id);
    this.setAsideDrafts([...otherDrafts, draft]);
  }

  removeAsideDraft(draftId: string): void {
    this.setAsideDrafts(this.asideDrafts.peek().filter(({ id }) => id !== draftId));
  }

  private setAsideDrafts(drafts: readonly AsideDraft[]): void {
    this.asideDrafts.value = drafts;
    this.save({ asideDrafts: [...drafts] });
  }

  private save(change: Partial<Memory>): void {
    this.memory = { ...this.memory, ...change };
    const { unsaved = {}, asideDrafts = [] } = this.memory;
    this.api.setState({
      ...this.memory,
      unsaved: Object.fromEntries(
        Object.entries(unsaved).filter(([id]) => !this.notStored.has(id)),
      ),
      asideDrafts: asideDrafts.filter(({ conversationId }) => !this.notStored.has(conversationId)),
    });
  }
}
