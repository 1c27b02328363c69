/**
 * The text being written in one view: remembers it, keeps it the same in every view of this window
 * that shows the conversation, and offers what another window wrote there.
 */
import { Disposables, type Disposable } from "../base/disposables";
import type { ToHost } from "../bridge/messages";
import type { Draft } from "../history/draft";
import type { Conversations } from "./conversations";
import type { ViewFeed } from "./viewFeed";
import type { Words } from "./words";

type DraftMessage = Extract<ToHost, { type: "draft-changed" | "scrolled" | "focus-moved" }>;

/** True for what is handled here. */
export function isAboutDraft(message: ToHost): message is DraftMessage {
  const { type } = message;
  return type === "draft-changed" || type === "scrolled" || type === "focus-moved";
}

/** One for each view. */
export class DraftDesk implements Disposable {
  private readonly owned = new Disposables();

  constructor(
    private readonly conversations: Conversations,
    private readonly words: Words,
    private readonly feed: ViewFeed,
  ) {
    this.owned.add(
      conversations.onDraftTaken(({ conversationId, text }) => {
        if (conversationId === this.shownId) feed.post({ type: "draft-taken", text });
      }),
    );
    this.owned.add(
      conversations.onDraftTyped(({ conversationId, by }) => {
        if (conversationId === this.shownId && by !== this) this.show(conversationId);
      }),
    );
  }

  async handle(message: DraftMessage): Promise<void> {
    switch (message.type) {
      case "draft-changed":
        this.type(message.conversationId, message.text);
        return;
      case "scrolled":
        this.drafts.saveDraft(message.conversationId, { scroll: message.scroll });
        return;
      case "focus-moved":
        if (message.isInside && this.shownId !== undefined) await this.lookAgain(this.shownId);
        return;
      default:
        message satisfies never;
    }
  }

  /** This is the whole text now, in every view of the conversation. */
  type(conversationId: string, text: string): void {
    this.drafts.saveDraft(conversationId, { text });
    this.conversations.tellDraftTyped(conversationId, this);
    if (conversationId !== this.shownId) return;
    this.feed.draftChanged(text);
    this.offerOther(conversationId);
  }

  /** Puts the other text in place of this one, which is then the other. */
  swap(): void {
    const { shownId } = this;
    if (shownId === undefined) return;
    this.drafts.swapText(shownId);
    this.conversations.tellDraftTyped(shownId, this);
    this.show(shownId);
  }

  /** What is to be shown in a view that opens, with what other windows wrote. */
  async load(conversationId: string): Promise<Draft> {
    await this.lookAgain(conversationId);
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

  private async lookAgain(conversationId: string): Promise<void> {
    const isTheirs = await this.conversations.lookForDrafts(conversationId);
    if (conversationId !== this.shownId) return;
    if (isTheirs) {
      this.conversations.tellDraftTyped(conversationId, this);
      this.show(conversationId);
    } else this.offerOther(conversationId);
  }

  private show(conversationId: string): void {
    const text = this.drafts.current(conversationId);
    this.feed.post({ type: "draft-shown", text });
    this.feed.draftChanged(text);
    this.offerOther(conversationId);
  }

  private offerOther(conversationId: string): void {
    const [other] = this.drafts.others(conversationId);
    this.feed.offer(other === undefined ? undefined : this.words.otherDraft(other));
  }
}
