/**
 * Syncs the draft of a view: applies the page's changes, shows the page what other views and windows
 * changed, and offers the drafts of other windows.
 */
import { defined } from "../base/defined";
import { Disposables, type Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import type { Draft } from "../conversation/draft";
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/toHost";
import { attachedParts, type ConversationDraft } from "./conversation/conversationDraft";
import type { Conversations } from "./conversation/conversations";
import type { Messages } from "./view/messages";
import { editingView } from "./view/toView";
import type { ViewUpdater } from "./view/viewUpdater";

export class DraftSync implements Disposable {
  private readonly owned = new Disposables();
  private following: Disposable | undefined;
  private readonly edits = new Map<string, number>();
  /** Number of the page's newest change in any conversation. */
  private lastEdit = 0;
  private readonly focusMoves = this.owned.add(new Emitter<boolean>());

  /** Fires true when the page gets the focus, false when the page loses the focus. */
  readonly onFocusMoved = this.focusMoves.event;

  readonly handlers = {
    "draft-changed": ({ conversationId, text, edit, isRestored, fields }) => {
      if (edit !== undefined) this.edits.set(conversationId, (this.lastEdit = edit));
      this.replaceText(conversationId, text, isRestored, fields);
    },
    "editing-changed": (message) => this.changeEditing(message),
    "attachment-removed": ({ conversationId, attachmentId }) =>
      this.conversations.draft(conversationId).removeAttachment(attachmentId),
    "focus-moved": async ({ isInside }) => {
      this.focusMoves.fire(isInside);
      if (isInside && this.shownId !== undefined) await this.refresh(this.shownId);
    },
  } satisfies Partial<HostHandlers>;

  constructor(
    private readonly conversations: Conversations,
    private readonly texts: Messages,
    private readonly view: ViewUpdater,
  ) {
    this.owned.add(conversations.onDraftSaved((id) => this.confirmSaved(id)));
  }

  /** Shows the page the changes of this draft instead of the previous draft. */
  follow(draft: ConversationDraft): void {
    this.following?.dispose();
    this.following = draft.onChanged((change) => {
      if (change.kind === "text" && change.by !== this) this.showText(draft);
    });
  }

  replaceText(
    conversationId: string,
    text: string,
    keepsOther = false,
    fields?: Draft["fields"],
  ): void {
    this.conversations.draft(conversationId).replaceText(text, keepsOther, fields);
    this.notifyReplaced(conversationId);
  }

  /** Clears the draft of an accepted question, unless different text was typed since. */
  clearSent(conversationId: string, text: string): void {
    const now = this.conversations.draft(conversationId).current.text;
    this.replaceText(conversationId, now.startsWith(text) ? "" : now);
    void this.conversations.draft(conversationId).flush(); // The user may already go to another window.
  }

  /** Notifies other views of the new draft; this view already shows it. */
  notifyReplaced(conversationId: string): void {
    const draft = this.conversations.draft(conversationId);
    draft.notifyTextChanged(this);
    if (conversationId !== this.shownId) return;
    this.view.draftChanged(draft.current.text);
    this.offerOther(draft);
  }

  /** Swaps the draft with the draft of another window. */
  swap(): void {
    const { live } = this.view;
    if (live === undefined) return;
    live.draft.swapText();
    live.draft.notifyTextChanged(this);
    this.showText(live.draft);
  }

  /** Loads the draft of a view that opens, with drafts from other windows. */
  async load(conversationId: string): Promise<Draft> {
    await this.refresh(conversationId);
    return this.conversations.draft(conversationId).current;
  }

  dispose(): void {
    this.following?.dispose();
    this.owned.dispose();
  }

  private get shownId(): string | undefined {
    return this.view.live?.conversation.id;
  }

  /** Attaches the parts of an earlier question while the user edits it. */
  private async changeEditing(changed: MessageOf<ToHost, "editing-changed">): Promise<void> {
    const { conversationId, messageId, text } = changed;
    const { live } = this.view;
    const draft = this.conversations.draft(conversationId);
    const message = messageId === undefined ? undefined : live?.message(messageId);
    if (message?.role === "user" && live?.conversation.id === conversationId) {
      await draft.beginEditing(message.id, attachedParts(message.parts), changed);
    } else await draft.endEditing(text, changed.keepsOther);
    this.notifyReplaced(conversationId);
  }

  /** Confirms to the page that its latest text is on disk. */
  private confirmSaved(conversationId: string): void {
    const edit = this.edits.get(conversationId);
    if (edit === undefined) return;
    this.edits.delete(conversationId);
    this.view.post({ type: "draft-saved", conversationId, edit });
  }

  private async refresh(conversationId: string): Promise<void> {
    const isReplaced = await this.conversations.refreshDraft(conversationId);
    if (conversationId !== this.shownId) return;
    const draft = this.conversations.draft(conversationId);
    if (isReplaced) {
      draft.notifyTextChanged(this);
      this.showText(draft);
    } else this.offerOther(draft);
  }

  private showText(draft: ConversationDraft): void {
    const { current } = draft;
    const { text, fields } = current;
    const editing = editingView(current);
    this.view.post({
      type: "draft-shown",
      text,
      edit: this.lastEdit,
      ...defined({ editing, fields }),
    });
    this.view.draftChanged(text);
    this.offerOther(draft);
  }

  private offerOther(draft: ConversationDraft): void {
    const { other } = draft.current;
    this.view.offer(other === undefined ? undefined : this.texts.otherDraft(other));
  }
}
