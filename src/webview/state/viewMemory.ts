/**
 * State of the page that VS Code keeps while the page is hidden or reloaded: the scroll position and
 * text that is not on the host's disk yet. The state survives a crash of the extension host.
 */
import * as z from "zod/mini";
import { signal, type ReadonlySignal } from "@preact/signals";
import { defined } from "../../base/defined";
import { quotedSchema } from "../../protocol/views";

const scrollPositionSchema = z.object({
  /** First visible message. */
  anchorId: z.string(),
  /** Distance from the top of the transcript to the top of that message, in CSS pixels. */
  offsetPx: z.number(),
});
export type ScrollPosition = z.infer<typeof scrollPositionSchema>;

const changingSchema = z.object({ id: z.string(), before: z.string(), text: z.string() });
/** A queued question that is being edited, with its text before and now. */
export type ChangingMemory = z.infer<typeof changingSchema>;

/** Text of a conversation that the host does not have on disk. */
const unsavedSchema = z.object({
  typed: z.optional(z.string()),
  changing: z.optional(changingSchema),
});
type Unsaved = z.infer<typeof unsavedSchema>;

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
  /** Absent if the end was visible. */
  place: z.optional(scrollPositionSchema),
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

/** Keeps the position in a single conversation at a time. */
export class ViewMemory {
  private memory: Memory | undefined;
  /** Conversations whose texts VS Code must not write to its storage. */
  private readonly notStored = new Set<string>();
  private readonly ownAsideDrafts = signal<readonly AsideDraft[]>([]);
  /** Questions aside that are being typed, of all conversations. */
  readonly asideDrafts: ReadonlySignal<readonly AsideDraft[]> = this.ownAsideDrafts;

  constructor(private readonly api: StateStorage) {
    const stored = memorySchema.safeParse(api.getState());
    this.memory = stored.success ? stored.data : undefined;
    this.ownAsideDrafts.value = this.memory?.asideDrafts ?? [];
  }

  /**
   * Saves which conversation is shown. After a reload the host reads `conversationId` from the state
   * of an editor tab.
   */
  show(conversationId: string): void {
    this.save(this.of(conversationId));
  }

  /** Sets whether the texts of a conversation stay in the page. */
  setUnsaved(conversationId: string, isUnsaved: boolean): void {
    if (isUnsaved) this.notStored.add(conversationId);
    else this.notStored.delete(conversationId);
  }

  /** Returns the scroll position in this conversation; undefined for its end. */
  placeIn(conversationId: string): ScrollPosition | undefined {
    return this.of(conversationId).place;
  }

  savePlace(conversationId: string, place: ScrollPosition | undefined): void {
    this.save({ ...this.keptFor(conversationId), ...(place && { place }) });
  }

  isThinkingOpen(messageId: string): boolean {
    return this.memory?.openThinking?.includes(messageId) === true;
  }

  saveThinkingOpen(messageId: string, isOpen: boolean): void {
    const memory = this.memory ?? { conversationId: "" };
    const others = (memory.openThinking ?? []).filter((id) => id !== messageId);
    const openThinking = isOpen ? [...others, messageId].slice(-MAX_OPEN_THINKING) : others;
    this.save({ ...memory, openThinking });
  }

  /** Returns the composer's text unless it is on the host's disk. */
  typedIn(conversationId: string): string | undefined {
    return this.memory?.unsaved?.[conversationId]?.typed;
  }

  saveTyped(conversationId: string, typed: string | undefined): void {
    this.saveUnsaved(conversationId, { typed });
  }

  changingIn(conversationId: string): ChangingMemory | undefined {
    return this.memory?.unsaved?.[conversationId]?.changing;
  }

  saveChanging(conversationId: string, changing: ChangingMemory | undefined): void {
    this.saveUnsaved(conversationId, { changing });
  }

  /** Adds a question aside, or replaces it by its id. */
  saveAsideDraft(draft: AsideDraft): void {
    const others = this.asideDrafts.peek().filter(({ id }) => id !== draft.id);
    this.setAsideDrafts([...others, draft]);
  }

  removeAsideDraft(draftId: string): void {
    this.setAsideDrafts(this.asideDrafts.peek().filter(({ id }) => id !== draftId));
  }

  private setAsideDrafts(drafts: readonly AsideDraft[]): void {
    this.ownAsideDrafts.value = drafts;
    const memory = this.memory ?? { conversationId: "" };
    this.save({ ...memory, asideDrafts: [...drafts] });
  }

  private saveUnsaved(conversationId: string, change: Unsaved): void {
    const memory = this.memory ?? { conversationId };
    const { [conversationId]: before, ...others } = memory.unsaved ?? {};
    const { typed, changing } = { ...before, ...change };
    if (typed === before?.typed && changing === before?.changing) return;
    const isEmpty = typed === undefined && changing === undefined;
    const own = { ...defined({ typed, changing }) };
    this.save({ ...memory, unsaved: isEmpty ? others : { ...others, [conversationId]: own } });
  }

  private of(conversationId: string): Memory {
    if (this.memory?.conversationId === conversationId) return this.memory;
    return this.keptFor(conversationId);
  }

  /** Returns the state without a position. */
  private keptFor(conversationId: string): Memory {
    const { unsaved, openThinking, asideDrafts } = this.memory ?? {};
    return { conversationId, ...defined({ unsaved, openThinking, asideDrafts }) };
  }

  private save(memory: Memory): void {
    this.memory = memory;
    const { unsaved, asideDrafts, ...others } = memory;
    const stored = Object.entries(unsaved ?? {}).filter(([id]) => !this.notStored.has(id));
    const drafts = asideDrafts?.filter(({ conversationId }) => !this.notStored.has(conversationId));
    this.api.setState({
      ...others,
      ...(unsaved && { unsaved: Object.fromEntries(stored) }),
      ...(drafts && { asideDrafts: drafts }),
    });
  }
}
