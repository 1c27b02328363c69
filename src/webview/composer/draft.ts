/**
 * The question being written: what is typed, which earlier question it replaces, and what becomes
 * of it when it is sent. Nothing typed is lost: a text that was refused comes back.
 */
import { t } from "@vscode/l10n";
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { MAX_QUESTION_LENGTH, type HostReply } from "../../protocol/messages";
import type { AutomaticView, EditingView, NoticeView } from "../../protocol/views";
import type { Host } from "../boot/hostClient";
import type { PanelStore, StoreEvent } from "../state/store";
import type { ViewMemory } from "../state/viewMemory";

/** How long the first key that the host does not know waits, in milliseconds. */
const DRAFT_DELAY_MS = 300;

/** What is still on its way to being attached. */
export interface Attaching {
  readonly preparingCount: ReadonlySignal<number>;
  /** False when something was not attached after all. */
  settled(): Promise<boolean>;
}

/** One per page. */
export class ComposerDraft {
  private readonly typed = signal("");
  private readonly edited = signal<EditingView | undefined>(undefined);
  private readonly refused = signal<readonly NoticeView[]>([]);
  private readonly focusRequests = new Emitter<void>();
  private readonly queuedEdits = new Emitter<string>();
  private timer: Disposable | undefined;
  private isWaiting = false;
  /** What was asked before a conversation was shown. */
  private askedEarly: string | undefined;
  private conversationId: string | undefined;
  /** Number of the last change that the host was sent. */
  private edits = 0;

  /** What stands in the composer. */
  readonly text: ReadonlySignal<string> = this.typed;
  /** The earlier question that is being edited, and the words put aside for it. */
  readonly editing: ReadonlySignal<EditingView | undefined> = this.edited;
  /** True when there is something to send: words or something attached. */
  readonly hasQuestion: ReadonlySignal<boolean> = computed(
    () =>
      this.typed.value.trim() !== "" ||
      this.store.attachments.value.length > 0 ||
      this.attaching.preparingCount.value > 0,
  );
  /** What the editor adds by itself; nothing to an earlier question, which has its own. */
  readonly automatic: ReadonlySignal<AutomaticView | undefined> = computed(() =>
    this.edited.value === undefined ? this.store.panel.value?.automatic : undefined,
  );
  /** Why something was not sent or not attached, until the user goes on. */
  readonly refusals: ReadonlySignal<readonly NoticeView[]> = this.refused;
  /** The caret should be in the composer now. */
  readonly onFocusAsked = this.focusRequests.event;
  /** The waiting question with this id should be changed, where it stands. */
  readonly onQueuedEditAsked = this.queuedEdits.event;

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly memory: ViewMemory,
    private readonly attaching: Attaching,
    private readonly clock: Clock,
  ) {
    store.onEvent((event) => this.take(event));
  }

  /** The person typed: this is the whole text now. */
  type(text: string): void {
    this.typed.value = text;
    this.refused.value = [];
    // Not moved on by later keys: whoever types without a pause is saved as well.
    this.timer ??= this.clock.after(DRAFT_DELAY_MS, () => this.tellHost());
  }

  /** Tells the host now what it has not been told yet. */
  flush(): void {
    if (this.timer !== undefined) this.tellHost();
  }

  /** Puts a text into an empty composer and the caret behind it. */
  suggest(text: string): void {
    if (this.typed.peek() === "") this.type(text);
    this.focus();
  }

  /** Says above the composer what did not work, until the person goes on. */
  tell(text: string): void {
    this.refused.value = [warning(text)];
  }

  /** Something else is attached or tried again: earlier refusals no longer matter. */
  dismissRefusals(): void {
    this.refused.value = [];
  }

  /** Hides one refusal that the user has read. */
  dismissRefusal(notice: NoticeView): void {
    this.refused.value = this.refused.peek().filter((other) => other !== notice);
  }

  /** Puts the caret into the composer. */
  focus(): void {
    this.focusRequests.fire();
  }

  /** Takes an earlier question into the composer, to be asked in other words. */
  edit(messageId: string): void {
    const message = this.store.messages.peek().find(({ id }) => id === messageId);
    if (message?.role !== "user") return;
    const parkedText = this.edited.peek()?.parkedText ?? this.typed.peek();
    this.edited.value = { messageId, parkedText };
    this.replaceText(message.view.peek().text);
    this.focus();
  }

  /**
   * Edits the last question, also one that waits; an asked one not while a reply is coming. False
   * when there is none.
   */
  editLast(): boolean {
    const queued = this.store.queued.peek().at(-1);
    if (queued !== undefined) {
      this.queuedEdits.fire(queued.id);
      return true;
    }
    if (this.store.panel.peek()?.isRunning === true) return false;
    const last = this.store.messages.peek().findLast(({ role }) => role === "user");
    if (last !== undefined) this.edit(last.id);
    return last !== undefined;
  }

  /** Leaves the earlier question as it is; the words put aside come back. */
  cancelEditing(): void {
    const editing = this.edited.peek();
    if (editing === undefined) return;
    this.edited.value = undefined;
    this.replaceText(editing.parkedText);
    this.focus();
  }

  /**
   * Asks what is typed. Resolves when the host has taken it or the text is back. Where no
   * conversation is shown yet it is asked when one is, unless it was changed; see `askEarly`.
   */
  async send(): Promise<void> {
    if (this.conversationId === undefined) {
      this.askedEarly = this.typed.peek();
      return;
    }
    await this.sendTyped(true);
  }

  /** @param withAutomatic whether what the editor adds by itself goes along */
  private async sendTyped(withAutomatic: boolean): Promise<void> {
    if (!(await this.isAllAttached()) || !this.hasQuestion.peek()) return;
    const text = this.typed.peek();
    if (text.length > MAX_QUESTION_LENGTH) {
      this.refused.value = [warning(t("This question is too long to send. Shorten it."))];
      return;
    }
    const editing = this.edited.peek();
    const conversationId = this.conversationId;
    const automatic = withAutomatic ? this.automatic.peek() : undefined;
    const automaticId = automatic?.isOn === true ? automatic.id : undefined;
    this.flush(); // Should the answer never come, the host has the text as the draft.
    this.refused.value = [];
    this.edited.value = undefined;
    this.typed.value = editing?.parkedText ?? "";
    const reply = await this.ask(text, editing?.messageId, automaticId);
    if (reply.isAccepted && conversationId !== undefined) {
      this.memory.saveTyped(conversationId, undefined);
    }
    if (conversationId !== this.conversationId) return; // The host kept it as that one's draft.
    if (!reply.isAccepted) this.comeBack(text, editing, reply);
    if (this.typed.peek() !== "") this.tellHost();
  }

  /** Waits for what is being attached: a question never goes without it unnoticed. */
  private async isAllAttached(): Promise<boolean> {
    if (this.attaching.preparingCount.peek() === 0) return true;
    if (this.isWaiting) return false; // The first press is on its way.
    this.isWaiting = true;
    const { conversationId } = this;
    const isAllWell = await this.attaching.settled();
    this.isWaiting = false;
    return isAllWell && conversationId === this.conversationId;
  }

  private async ask(
    text: string,
    replacesId: string | undefined,
    automaticId: string | undefined,
  ): Promise<HostReply> {
    try {
      return await this.host.request({
        type: "question-asked",
        text,
        ...(replacesId !== undefined && { replacesId }),
        ...(automaticId !== undefined && { automaticId }),
      });
    } catch {
      return {
        isAccepted: false,
        notice: warning(t("The question was not taken. Your text is back; send it again.")),
      };
    }
  }

  /** Puts a refused text back, in front of whatever was typed since. */
  private comeBack(text: string, editing: EditingView | undefined, reply: HostReply): void {
    const newer = this.typed.peek();
    const hasNewer = newer !== "" && newer !== editing?.parkedText;
    this.typed.value = hasNewer ? `${text}\n\n${newer}` : text;
    if (this.edited.peek() === undefined) this.edited.value = editing;
    // What stands there already is not said a second time.
    const standing = this.store.panel.peek()?.notices ?? [];
    const isSaid = standing.some((notice) => notice.text === reply.notice?.text);
    this.refused.value = isSaid || reply.notice === undefined ? [] : [reply.notice];
  }

  /** Several files may be refused one after the other, and each of them is named. */
  private addRefusal(notice: NoticeView): void {
    const others = this.refused.peek().filter(({ text }) => text !== notice.text);
    this.refused.value = [...others, notice];
  }

  private take(event: StoreEvent): void {
    if (event.kind === "conversation-shown") {
      this.show(event.conversationId, event.draft, event.editing);
    } else if (event.kind === "draft-restored") {
      if (this.typed.peek() === "") this.type(event.text);
    } else if (event.kind === "draft-taken") this.giveUp(event.text);
    else if (event.kind === "draft-shown") this.goOn(event.text, event.editing);
    else if (event.kind === "draft-saved" && event.edit === this.edits) {
      this.memory.saveTyped(event.conversationId, undefined);
    } else if (event.kind === "notice-shown") this.addRefusal(event.notice);
    else if (event.kind === "focus-asked") this.focus();
  }

  /** A text that is being asked again is no draft any more; anything else the host hears of anew. */
  private giveUp(text: string): void {
    if (this.typed.peek() === text && this.edited.peek() === undefined) {
      this.typed.value = "";
      this.refused.value = [];
    }
    this.tellHost();
  }

  /** Another view went on with the text; words the host has not seen yet stay, and it is told. */
  private goOn(text: string, editing: EditingView | undefined): void {
    if (this.timer !== undefined) {
      this.tellHost();
      return;
    }
    this.typed.value = text;
    this.edited.value = this.isThere(editing) ? editing : undefined;
  }

  /**
   * Shows the draft of another conversation. Words that the host has not seen yet go to the
   * conversation they were typed in; those typed before there was any go to the first one.
   */
  private show(conversationId: string, draft: string, editing: EditingView | undefined): void {
    if (conversationId === this.conversationId) return;
    const isFirst = this.conversationId === undefined;
    if (!isFirst) this.flush();
    this.forgetTimer();
    this.conversationId = conversationId;
    this.refused.value = [];
    const early = isFirst ? this.typed.peek() : "";
    // What the page kept is newer than the draft, unless that goes on where it ends.
    const unsaved = this.memory.typedIn(conversationId);
    const restored = unsaved === undefined || draft.startsWith(unsaved) ? draft : unsaved;
    const isKnown = early === "" || early === restored;
    this.typed.value = isKnown ? restored : restored === "" ? early : `${restored}\n\n${early}`;
    this.edited.value = this.isThere(editing) ? editing : undefined;
    if (editing !== undefined && this.edited.peek() === undefined) this.tellEditing();
    if (this.typed.peek() !== draft) this.tellHost(restored !== draft);
    if (isFirst) this.askEarly();
  }

  private isThere(editing: EditingView | undefined): boolean {
    return this.store.messages.peek().some(({ id }) => id === editing?.messageId);
  }

  /** Asks what was asked before, with nothing that was not seen then. */
  private askEarly(): void {
    const asked = this.askedEarly;
    this.askedEarly = undefined;
    const goesAlone = this.store.attachments.peek().length === 0;
    if (this.edited.peek() !== undefined) return;
    if (goesAlone && asked === this.typed.peek()) void this.sendTyped(false);
  }

  /** Puts a whole text into the composer together with what is being edited, as one change. */
  private replaceText(text: string): void {
    this.forgetTimer();
    this.typed.value = text;
    this.refused.value = [];
    this.tellEditing(text);
    if (this.conversationId !== undefined) this.memory.saveTyped(this.conversationId, undefined);
  }

  /** What is attached follows which question is being written. */
  private tellEditing(text?: string): void {
    const { conversationId } = this;
    const editing = this.edited.peek();
    if (conversationId === undefined) return;
    this.host.send({
      type: "editing-changed",
      conversationId,
      ...(editing && { messageId: editing.messageId, parkedText: editing.parkedText }),
      ...(text !== undefined && { text }),
    });
  }

  private tellHost(isRestored = false): void {
    this.forgetTimer();
    const { conversationId } = this;
    if (conversationId === undefined) return;
    this.rememberTyped();
    this.host.send({
      type: "draft-changed",
      conversationId,
      text: this.typed.peek().slice(0, MAX_QUESTION_LENGTH),
      edit: ++this.edits,
      ...(isRestored && { isRestored }),
    });
  }

  /** Keeps the text in the page too, which outlives the host, until the host has it on disk. */
  private rememberTyped(): void {
    if (this.conversationId === undefined) return;
    this.memory.saveTyped(this.conversationId, this.typed.peek());
  }

  private forgetTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}

function warning(text: string): NoticeView {
  return { tone: "warning", text };
}
