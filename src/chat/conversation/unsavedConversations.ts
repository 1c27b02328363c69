/**
 * Conversations in memory only: nothing of them is written to a disk before the user saves them. Their
 * stores are those of the history, in memory.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import { isEmptyDraft } from "../../conversation/draft";
import { toSteps } from "../../conversation/toSteps";
import type { History } from "../../history/history";
import type { Pictures } from "../../history/pictures";
import type { LiveConversation } from "./liveConversation";

export type ConversationPictures = Pick<Pictures, "store" | "read" | "readUrl">;

export class UnsavedConversations implements Disposable {
  /** Stores in memory; undefined until the first conversation that is not saved. */
  private memory: History | undefined;
  /** Ids of removed conversations stay, so that a late write does not reach the disk. */
  private readonly ids = new Set<string>();
  /** Conversation that each view shows. */
  private readonly shownIn = new Map<object, string>();

  constructor(
    private readonly history: History,
    private readonly clock: Clock,
    private readonly log: Log,
    /** Called with a conversation's id when its newest draft is in memory. */
    private readonly draftSaved: (id: string) => void,
  ) {}

  /** Adds a conversation before anything of it is stored. */
  async add(id: string): Promise<void> {
    if (this.memory === undefined) {
      const { openMemoryHistory } = await import("../../history/memoryHistory");
      this.memory ??= openMemoryHistory(this.clock, this.log);
      this.memory.drafts.onSaved(this.draftSaved);
    }
    this.ids.add(id);
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Returns the stores of any conversation. */
  historyOf(id: string): History {
    return (this.has(id) ? this.memory : undefined) ?? this.history;
  }

  /** Saves a conversation with its draft and pictures. */
  async keep(live: LiveConversation): Promise<void> {
    const { id } = live.conversation;
    const { memory, history } = this;
    if (memory === undefined) return;
    // A picture is written before the record that names it. Others may arrive meanwhile.
    const stored = new Set<string>();
    for (;;) {
      const text = JSON.stringify([toSteps(live.conversation), live.draft.current]);
      const hash = hashesOf(text).find((one) => !stored.has(one));
      if (hash === undefined) break;
      stored.add(hash);
      const inMemory = await memory.pictures.read(hash);
      if (inMemory.kind === "found") await history.pictures.store(inMemory.bytes);
    }
    if (!this.has(id)) return;
    const { current } = live.draft;
    this.ids.delete(id);
    if (!isEmptyDraft(current)) history.drafts.save(id, current);
    const steps = live.isWritten ? toSteps(live.conversation) : [];
    const saved = history.journal.append(id, steps);
    live.emitKept();
    await saved;
    await history.drafts.flush();
    await Promise.all([memory.journal.removeForever(id), memory.drafts.removeForever(id)]);
    await memory.removePictures([...stored].map((hash) => ({ hash, storedBeforeMs: 0 })));
  }

  picturesOf(id: string): ConversationPictures {
    return {
      ...this.pictures,
      store: async (bytes) => {
        const owner = this.historyOf(id);
        const stored = await owner.pictures.store(bytes);
        // The conversation may have been saved meanwhile.
        const ownerNow = this.historyOf(id);
        return ownerNow === owner ? stored : ownerNow.pictures.store(bytes);
      },
    };
  }

  /** Reads the pictures of all conversations, also of those in memory. */
  readonly pictures: Pick<Pictures, "read" | "readUrl"> = {
    read: async (hash, maxBytes) => {
      const inMemory = await this.memory?.pictures.read(hash, maxBytes);
      return inMemory === undefined || inMemory.kind === "missing"
        ? this.history.pictures.read(hash, maxBytes)
        : inMemory;
    },
    readUrl: async (hash, mediaType) => {
      const inMemory = await this.memory?.pictures.readUrl(hash, mediaType);
      return inMemory && "url" in inMemory
        ? inMemory
        : this.history.pictures.readUrl(hash, mediaType);
    },
  };

  /** Notes which conversation a view shows; undefined once the view ends. */
  noteShown(view: object, id: string | undefined): void {
    if (id === undefined) this.shownIn.delete(view);
    else this.shownIn.set(view, id);
  }

  /** True if any view shows the conversation. */
  isShown(id: string): boolean {
    return [...this.shownIn.values()].includes(id);
  }

  /** True if the user would lose the conversation when a view shows another one. */
  isLostWithout(view: object, { conversation, draft }: LiveConversation): boolean {
    if (!this.has(conversation.id)) return false;
    const isElsewhere = [...this.shownIn].some(
      ([other, id]) => other !== view && id === conversation.id,
    );
    const isDraftEmpty = isEmptyDraft(draft.current);
    return !isElsewhere && (conversation.messages.size > 0 || !isDraftEmpty);
  }

  dispose(): void {
    this.memory?.dispose();
  }
}

function hashesOf(text: string): string[] {
  return text.match(/\b[0-9a-f]{64}\b/g) ?? [];
}
