/**
 * Draft text of a view: saves the text, syncs it with the window's other views of the conversation,
 * and offers drafts from other windows.
 */
import { Disposables, type Disposable } from "../base/disposables";
import type { ToHost } from "../protocol/messages";
import { otherTexts, type Draft } from "../history/draft";
import type { Conversations } from "./conversations";
import type { ViewUpdater } from "./viewUpdater";
import { editingView } from "./toView";
import type { Messages } from "./messages";

type DraftMessage = Extract<ToHost, { type: "draft-changed" | "scrolled" | "focus-moved" }>;

export function isAboutDraft(message: ToHost): message is DraftMessage {
  const { type } = message;
  return type === "draft-changed" || type === "scrolled" || type === "focus-moved";
}

export class DraftSync implements Disposable {
  private readonly owned = new Disposables();
  /** Number of the newest change from the page, by conversation. */
  private readonly edits = new Map<string, number>();

  constructor(
    private readonly conversations: Conversations,
    private readonly words: Messages,
    private readonly feed: ViewUpdater,
  ) {
    this.owned.add(
      conversations.onDraftTaken(({ conversationId, text }) => {
        if (conversationId === this.shownId) feed.post({ type: "draft-taken", text });
      }),
    );
    this.owned.add(conversations.history.drafts.onSaved((id) => this.confirmSaved(id)));
    this.owned.add(
      conversations.onDraftTyped(({ conversationId, by }) => {
        if (conversationId === this.shownId && by !== this) this.showDraft(conversationId);
      }),
    );
  }

  /** Confirms to the page that its latest text is on disk. */
  private confirmSaved(conversationId: string): void {
    const edit = this.edits.get(conversationId);
    if (edit === undefined) return;
    this.edits.delete(conversationId);
    this.feed.post({ type: "draft-saved", conversationId, edit });
  }

  async handle(message: DraftMessage): Promise<void> {
    switch (message.type) {
      case "draft-changed": {
        const { conversationId, text, edit, isRestored = false } = message;
        if (edit !== undefined) this.edits.set(conversationId, edit);
        this.replaceText(conversationId, text, isRestored);
        return;
      }
      case "scrolled":
        this.drafts.saveDraft(message.conversationId, { scroll: message.scroll });
        return;
      case "focus-moved":
        if (message.isInside && this.shownId !== undefined) await this.refreshDraft(this.shownId);
        return;
      default:
        message satisfies never;
    }
  }

  /** Replaces the draft text in all views of the conversation. */
  replaceText(conversationId: string, text: string, keepsOther = false): void {
    const { text: before, others = [] } = this.drafts.currentDraft(conversationId);
    const kept = keepsOther ? otherTexts(text, [...others, before]) : [];
    this.drafts.saveDraft(conversationId, { text, ...(kept.length > 0 && { others: kept }) });
    this.notifyReplaced(conversationId);
  }

  /** Clears the draft of an accepted question, unless different text was typed since. */
  clearSent(conversationId: string, text: string): void {
    const now = this.drafts.current(conversationId);
    this.replaceText(conversationId, now.startsWith(text) ? "" : now);
    void this.drafts.flush(); // At once: the user may already go to another window.
  }

  /** Notifies other views of the new draft; this view already shows it. */
  notifyReplaced(conversationId: string): void {
    this.conversations.notifyDraftTyped(conversationId, this);
    if (conversationId !== this.shownId) return;
    this.feed.draftChanged(this.drafts.current(conversationId));
    this.offerOther(conversationId);
  }

  /** Swaps the draft with the draft of another window. */
  swap(): void {
    const { shownId } = this;
    if (shownId === undefined) return;
    this.drafts.swapText(shownId);
    this.conversations.notifyDraftTyped(shownId, this);
    this.showDraft(shownId);
  }

  /** Loads the draft of a view that opens, with drafts from other windows. */
  async load(conversationId: string): Promise<Draft> {
    await this.refreshDraft(conversationId);
    return this.drafts.currentDraft(conversationId);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private get drafts() {
    return this.conversations.history.drafts;
  }

  private get shownId(): string | undefined {
    return this.feed.live?.conversation.id;
  }

  private async refreshDraft(conversationId: string): Promise<void> {
    const isTheirs = await this.conversations.refreshDrafts(conversationId);
    if (conversationId !== this.shownId) return;
    if (isTheirs) {
      this.conversations.notifyDraftTyped(conversationId, this);
      this.showDraft(conversationId);
    } else this.offerOther(conversationId);
  }

  private showDraft(conversationId: string): void {
    const draft = this.drafts.currentDraft(conversationId);
    const { text } = draft;
    const editing = editingView(draft);
    this.feed.post({ type: "draft-shown", text, ...(editing && { editing }) });
    this.feed.draftChanged(text);
    this.offerOther(conversationId);
  }

  private offerOther(conversationId: string): void {
    const [other] = this.drafts.others(conversationId);
    this.feed.offer(other === undefined ? undefined : this.words.otherDraft(other));
  }
}
