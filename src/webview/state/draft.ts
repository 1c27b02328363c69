import { t } from "@vscode/l10n";
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { traceIn } from "../../markdown/tracePlaces";
import type { MessageOf } from "../../protocol/handlers";
import { MAX_QUESTION_LENGTH } from "../../protocol/actions";
import type { HostReply, ToView } from "../../protocol/toView";
import type { ToHost } from "../../protocol/toHost";
import { MAX_FIELDS } from "../../protocol/views";
import type {
  AutomaticView,
  DefinitionsView,
  EditingView,
  NoticeAction,
  NoticeView,
  PanelView,
  QueuedView,
  ReferenceView,
  SetupStepView,
} from "../../protocol/views";
import type { Host } from "./host";
import type { PanelStore, UserModel } from "./store";
import type { ViewMemory } from "./viewMemory";
import { defined } from "../../base/defined";

/** Delay before unsaved text is sent to the host, in milliseconds. */
const DRAFT_DELAY_MS = 300;

/** Action of a refusal that asks for each setup step. */
const SETUP_ACTIONS: Readonly<Record<SetupStepView["id"], NoticeAction>> = {
  service: "set-base-url",
  key: "set-api-key",
};

/** Start and end of selected text, in UTF-16 units. */
type TextSelection = readonly [start: number, end: number];

/** Request to attach the picked items. The host itself reports those that it refuses. */
type AttachRequest = MessageOf<ToHost, "reference-picked" | "files-asked" | "files-dropped">;

/** Request for what a suggested question is about, without the conversation. */
type SuggestedRequest =
  | Pick<MessageOf<ToHost, "files-asked">, "type" | "source">
  | Pick<MessageOf<ToHost, "files-dropped">, "type" | "uris">;

interface Suggestion {
  /** Text and attachments right after the suggestion. */
  readonly state: string;
  /** Attachments that came with it. */
  readonly addedIds: readonly string[];
}

/** Line of code that the host found for a trace; its index among all of them. */
export type PlaceView = ReferenceView & { readonly index: number };

export interface Attaching {
  readonly isAttaching: ReadonlySignal<boolean>;
  /** Resolves when nothing is in preparation; false if something was not attached. */
  settled(): Promise<boolean>;
  /** Lets a question that is sent meanwhile wait; `attached` never rejects. */
  track(attached: Promise<boolean>, isPicture: boolean): Promise<void>;
}

/**
 * Draft of the shown conversation: its text, the earlier question that it replaces, and sending. A
 * refused text is put back.
 */
export class ComposerDraft {
  readonly text = signal("");
  /** Earlier question that is being edited, with the draft set aside for the edit. */
  readonly editing = signal<EditingView | undefined>(undefined);
  /** Fields that prompts put into the draft, as written. Other text that looks like a field is text. */
  readonly fields = signal<readonly string[]>([]);
  /** Reasons why something was not sent or attached, until the next input. */
  readonly refusals = signal<readonly NoticeView[]>([]);
  private readonly tracedPlaces = signal<readonly PlaceView[]>([]);
  /** True if the trace is in a reply about a picture; else in an attachment of this question. */
  private readonly isTraceOfReply = signal(false);
  /** Lines that a trace names and that can be attached, as long as the trace is there. */
  readonly places = computed(() => {
    const isTraceHere = this.store.attachments.value.length > 0 || this.isTraceOfReply.value;
    return isTraceHere ? this.tracedPlaces.value : [];
  });
  private readonly focusRequests = new Emitter<TextSelection | undefined>();
  private timer: Disposable | undefined;
  /** True while sending waits for attachments. */
  readonly isWaiting = signal(false);
  /** Text sent before a conversation was shown. */
  private earlyText: string | undefined;
  private conversationId: string | undefined;
  /** Number of questions that the host has not answered yet. */
  private askedCount = 0;
  /** Number of the last change sent to the host. */
  private edits = 0;

  /** True if there is text or an attachment to send. */
  readonly hasQuestion: ReadonlySignal<boolean> = computed(
    () =>
      this.text.value.trim() !== "" ||
      this.store.attachments.value.length > 0 ||
      this.attaching.isAttaching.value,
  );
  /** Questions that can be recalled, oldest first. */
  private readonly questions: ReadonlySignal<readonly UserModel[]> = computed(() =>
    this.store.messages.value.flatMap((message) =>
      message.role === "user" && message.view.value.isForgotten !== true ? [message] : [],
    ),
  );
  /** 0-based index of the recalled question among all; undefined once its text was changed. */
  readonly recalled = computed(() => {
    const { messageId, isRecalled } = this.editing.value ?? {};
    if (isRecalled !== true) return undefined;
    const questions = this.questions.value;
    const index = questions.findIndex(({ id }) => id === messageId);
    if (questions[index]?.view.value.text !== this.text.value) return undefined;
    return { index, count: questions.length };
  });
  /** Automatic attachment; none for an earlier question, which has its own attachments. */
  readonly automatic: ReadonlySignal<AutomaticView | undefined> = computed(() =>
    this.editing.value === undefined ? this.store.panel.value?.automatic : undefined,
  );
  /** Definitions for the selected code; none for an earlier question. */
  readonly definitions: ReadonlySignal<DefinitionsView | undefined> = computed(() =>
    this.editing.value === undefined ? this.store.panel.value?.definitions : undefined,
  );
  /** Last suggestion, once its attachments are there. */
  private suggested = Promise.resolve<Suggestion | undefined>(undefined);
  /** Checks the text before it is sent; false keeps the text. */
  checkText: (() => boolean) | undefined;
  readonly onFocusAsked = this.focusRequests.event;

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly memory: ViewMemory,
    private readonly attaching: Attaching,
    private readonly clock: Clock,
  ) {
    store.on("snapshot", ({ conversationId, draft, editing, fields = [] }) =>
      this.showConversation(conversationId, draft, editing, fields),
    );
    store.on("draft-restored", ({ text }) => {
      if (this.text.peek() === "") this.setText(text);
    });
    store.on("draft-shown", (shown) => this.applyDraft(shown));
    store.on("draft-saved", ({ conversationId, edit }) => {
      if (edit === this.edits) this.memory.saveTyped(conversationId, undefined);
    });
    store.on("notice-shown", ({ notice }) => this.addRefusal(notice));
    store.on("panel-changed", ({ panel }) => this.removeSettled(panel.setup));
    store.on("focus-asked", () => this.focus());
    store.onReplyEnded(({ messageId }) => {
      const reply = store.messages.peek().find(({ id }) => id === messageId);
      if (reply?.role !== "assistant") return;
      const { chips = [] } = reply.question.peek()?.view.peek() ?? {};
      const isAboutPicture = chips.some(({ kind }) => kind === "picture");
      const text = reply.text.whole;
      const isFree = this.places.peek().length === 0;
      if (isAboutPicture && isFree && traceIn(text)) void this.offerPlaces(text, true);
    });
  }

  /** Sets the whole text as typed by the user. */
  setText(text: string): void {
    this.text.value = text;
    this.refusals.value = [];
    // Later keys do not restart the timer, so continuous typing is saved as well.
    this.timer ??= this.clock.after(DRAFT_DELAY_MS, () => this.sendDraft());
  }

  /**
   * Sets the whole text after a prompt was inserted.
   * @param fields those of the prompt, as written
   */
  insertPrompt(text: string, fields: readonly string[]): void {
    this.fields.value = [...new Set([...this.fields.peek(), ...fields])].slice(-MAX_FIELDS);
    this.setText(text);
    this.flush(); // Another view of the draft, or the next one, has the fields too.
  }

  /** Sends unsaved text to the host now. */
  flush(): void {
    if (this.timer !== undefined) this.sendDraft();
  }

  /**
   * Fills an empty composer and focuses it. Replaces text and attachments of the suggestion before, if
   * neither was changed since.
   */
  suggest(text: string, picked?: SuggestedRequest): void {
    const attachmentIds = () => this.store.attachments.peek().map(({ id }) => id);
    const state = () => [this.text.peek(), ...attachmentIds()].join("\0");
    this.suggested = this.suggested.then(async (before) => {
      const { conversationId } = this;
      const idsBefore = attachmentIds();
      const isUnchanged = before?.state === state();
      if (isUnchanged || this.text.peek() === "") this.setText(text);
      this.focus();
      if (conversationId === undefined) return undefined;
      for (const attachmentId of isUnchanged ? before.addedIds : [])
        this.host.send({ type: "attachment-removed", conversationId, attachmentId });
      if (picked) await this.track({ conversationId, ...picked });
      const addedIds = attachmentIds().filter((id) => !idsBefore.includes(id));
      return this.text.peek() === text ? { state: state(), addedIds } : undefined;
    });
  }

  /** Shows a warning above the composer until the next input. */
  showWarning(text: string): void {
    this.addRefusal(warning(text));
  }

  /** Attaches the picked item; a question that is sent before the end of this call waits. */
  attach(picked: AttachRequest): void {
    void this.track(picked);
  }

  private track(picked: AttachRequest): Promise<void> {
    return this.attaching.track(
      this.host.request(picked).then(
        ({ isAccepted }) => isAccepted,
        () => {
          this.showWarning(t("Nothing was attached. Try again."));
          return false;
        },
      ),
      false,
    );
  }

  /**
   * Offers the lines of the workspace that a trace names, or that have texts of a mark with this label;
   * false if another conversation is shown by then.
   */
  async offerPlaces(trace: string, isOfReply = false, label?: string): Promise<boolean> {
    const { conversationId } = this;
    const text = trace.slice(0, MAX_QUESTION_LENGTH);
    const answer = this.host.request({ type: "places-asked", text, ...defined({ label }) });
    const { references = [] } = await answer.catch(() => ({ references: [] }));
    if (conversationId !== this.conversationId) return false;
    this.isTraceOfReply.value = isOfReply;
    this.tracedPlaces.value = references.map((reference, index) => ({ ...reference, index }));
    return true;
  }

  /** Prepares the question for the code of a mark, whose part of the picture is attached already. */
  findCode(label: string, reply: string): void {
    const { conversationId } = this;
    if (conversationId === undefined) return;
    const question =
      label === ""
        ? t("Which code causes what this picture shows?")
        : t("Which code causes this: “{0}”?", label);
    const typed = this.text.peek();
    if (!typed.includes(question))
      this.setText(typed === "" ? question : `${typed}\n\n${question}`);
    this.host.send({ type: "show-where-switched", conversationId, isOn: true });
    const offered = this.offerPlaces(reply, true, label).then((isShown) => {
      const places = this.places.peek();
      if (isShown && places.length > 0) this.addPlaces(places);
      else if (isShown)
        this.showWarning(t("No code was found for this mark. You can still ask with the picture."));
      return true;
    });
    void this.attaching.track(offered, false);
  }

  /** Attaches some of the offered lines. */
  addPlaces(places: readonly PlaceView[]): void {
    this.tracedPlaces.value = this.places.peek().filter((place) => !places.includes(place));
    for (const { index } of places) this.attach({ type: "reference-picked", query: 0, index });
    this.focus();
  }

  /** Attaches the code of a built-in prompt, if the host finds that nothing else is sent. */
  attachCode(prompt: string): void {
    const asked = this.host.request({ type: "prompt-asked", name: prompt, isAboutCode: true });
    // The host reports a failure.
    void this.attaching.track(
      asked.then(Boolean, () => false),
      false,
    );
  }

  dismissRefusals(): void {
    this.refusals.value = [];
  }

  dismissRefusal(notice: NoticeView): void {
    this.refusals.value = this.refusals.peek().filter((other) => other !== notice);
  }

  /** @param selection text to select; the caret stays without it */
  focus(selection?: TextSelection): void {
    this.focusRequests.fire(selection);
  }

  /** Loads an earlier question into the composer; sending adds a version of that question. */
  edit(messageId: string): void {
    const message = this.store.messages.peek().find(({ id }) => id === messageId);
    if (message?.role !== "user") return;
    const parkedText = this.editing.peek()?.parkedText ?? this.text.peek();
    this.editing.value = { messageId, parkedText };
    this.replaceText(message.view.peek().text);
    this.focus();
  }

  /**
   * Edits the last question: a queued question, or a sent question unless a reply is running. False
   * if there is none.
   */
  editLast(): boolean {
    const queued = this.store.queued.peek().at(-1);
    if (queued !== undefined) {
      this.editQueued(queued);
      return true;
    }
    if (this.store.panel.peek()?.isRunning === true) return false;
    const last = this.store.messages.peek().findLast(({ role }) => role === "user");
    if (last !== undefined) this.edit(last.id);
    return last !== undefined;
  }

  /** Moves a queued question into the composer, before the text that is there. */
  editQueued({ id: queuedId, text }: QueuedView): void {
    if (this.recalled.peek() !== undefined) this.cancelEditing();
    const typed = this.text.peek();
    // A second click comes before the host has removed the question.
    if (!typed.startsWith(text)) this.setText(typed === "" ? text : `${text}\n\n${typed}`);
    this.flush(); // The host has the text before it removes the question.
    this.host.send({ type: "queued-edited", queuedId });
    this.focus();
  }

  /**
   * Ends the edit without a change and restores the draft that was set aside. A recalled question that
   * was changed stays.
   */
  cancelEditing(): void {
    const editing = this.editing.peek();
    const isChanged = editing?.isRecalled === true && this.recalled.peek() === undefined;
    if (editing === undefined || isChanged) return;
    this.endEditing(editing, false);
  }

  /** Restores the draft that was set aside; the changed text is kept as another draft. */
  restoreParked(): void {
    const editing = this.editing.peek();
    if (editing === undefined) return;
    this.flush();
    this.endEditing(editing, true);
  }

  /**
   * Shows the question before or after the recalled one; the draft is set aside with the first and
   * comes back after the last. False if there is none in this direction.
   */
  recall(step: -1 | 1): boolean {
    const questions = this.questions.peek();
    const recalled = this.recalled.peek();
    const editing = this.editing.peek();
    if (editing !== undefined && editing.isRecalled !== true) return false;
    if (recalled === undefined && step === 1) return false;
    const at = (recalled?.index ?? questions.length) + step;
    if (at === questions.length) {
      this.cancelEditing();
      return true;
    }
    const question = questions[at];
    if (question === undefined) return false;
    this.flush(); // The host has the draft before another text replaces it.
    const parkedText = recalled === undefined ? this.text.peek() : (editing?.parkedText ?? "");
    this.editing.value = { messageId: question.id, parkedText, isRecalled: true };
    this.replaceText(question.view.peek().text, true);
    return true;
  }

  /**
   * Sends the draft. Resolves when the host has accepted the draft or the text is back. Before a
   * conversation is shown, sending waits for a conversation; see `sendEarly`.
   */
  async send(): Promise<void> {
    if (this.conversationId === undefined) {
      this.earlyText = this.text.peek();
      return;
    }
    if (this.checkText?.() === false) return;
    await this.sendTyped(true);
  }

  /** Returns true while a question is on its way to the host and nothing was typed since. */
  isAsking(): boolean {
    return this.askedCount > 0 && this.text.peek().trim() === "";
  }

  /** @param withAutomatic false leaves out the automatic attachment */
  private async sendTyped(withAutomatic: boolean): Promise<void> {
    if (!(await this.waitForAttachments()) || !this.hasQuestion.peek()) return;
    const text = this.text.peek();
    if (text.length > MAX_QUESTION_LENGTH) {
      this.refusals.value = [
        warning(t("This question is too long to send. Shorten it and try again.")),
      ];
      return;
    }
    const editing = this.editing.peek();
    const conversationId = this.conversationId;
    const automatic = withAutomatic ? this.automatic.peek() : undefined;
    const automaticId = automatic?.isOn === true ? automatic.id : undefined;
    const definitions = withAutomatic ? this.definitions.peek() : undefined;
    const definitionsId = definitions?.isOn === true ? definitions.id : undefined;
    this.flush(); // Without an answer the host still has the text as draft.
    this.refusals.value = [];
    this.editing.value = undefined;
    this.text.value = editing?.parkedText ?? "";
    this.tracedPlaces.value = [];
    if (this.text.peek() === "") this.fields.value = [];
    const reply = await this.ask({
      text,
      ...(editing !== undefined && !editing.isRecalled && { replacesId: editing.messageId }),
      ...defined({ automaticId, definitionsId }),
    });
    if (reply.isAccepted && conversationId !== undefined) {
      this.memory.saveTyped(conversationId, undefined);
    }
    if (conversationId !== this.conversationId) return; // The host keeps the text as the draft of its conversation.
    if (!reply.isAccepted) this.restoreRefused(text, editing, reply);
    if (this.text.peek() !== "") this.sendDraft();
  }

  /** Waits for attachments in preparation; false if the question must not be sent. */
  private async waitForAttachments(): Promise<boolean> {
    if (!this.attaching.isAttaching.peek()) return true;
    if (this.isWaiting.peek()) return false; // An earlier Enter is waiting.
    this.isWaiting.value = true;
    const { conversationId } = this;
    const isComplete = await this.attaching.settled();
    this.isWaiting.value = false;
    return isComplete && conversationId === this.conversationId;
  }

  private async ask(
    question: Omit<MessageOf<ToHost, "question-asked">, "type">,
  ): Promise<HostReply> {
    this.askedCount += 1;
    try {
      return await this.host.request({ type: "question-asked", ...question });
    } catch {
      return {
        isAccepted: false,
        notice: warning(t("Your question was not sent. The text is back; try again.")),
      };
    } finally {
      this.askedCount -= 1;
    }
  }

  /** Puts a refused text back, before any text typed since. */
  private restoreRefused(text: string, editing: EditingView | undefined, reply: HostReply): void {
    const newer = this.text.peek();
    const hasNewer = newer !== "" && newer !== editing?.parkedText;
    this.text.value = hasNewer ? `${text}\n\n${newer}` : text;
    if (this.editing.peek() === undefined) this.editing.value = editing;
    // A standing notice with the same text is not repeated.
    const standing = this.store.panel.peek()?.notices ?? [];
    const isShown = standing.some((notice) => notice.text === reply.notice?.text);
    this.refusals.value = isShown || reply.notice === undefined ? [] : [reply.notice];
  }

  /** Adds a refusal to the others, as several files can be refused in turn. */
  private addRefusal(notice: NoticeView): void {
    const otherRefusals = this.refusals.peek().filter(({ text }) => text !== notice.text);
    this.refusals.value = [...otherRefusals, notice];
  }

  /** Removes the refusals for a missing service or key that is set now, as the text can be sent. */
  private removeSettled(setup: PanelView["setup"]): void {
    const done = new Set(setup.flatMap(({ id, isDone }) => (isDone ? [SETUP_ACTIONS[id]] : [])));
    this.refusals.value = this.refusals
      .peek()
      .filter(({ action }) => !action || !done.has(action.id));
  }

  /** Applies the draft of another view, or offers that text if something was typed here since. */
  private applyDraft(shown: MessageOf<ToView, "draft-shown">): void {
    const { text, edit, editing, fields = [] } = shown;
    if (this.timer !== undefined || edit < this.edits) {
      this.sendDraft(true);
      return;
    }
    this.fields.value = fields;
    this.text.value = text;
    this.editing.value = this.isShownMessage(editing) ? editing : undefined;
  }

  /**
   * Shows the draft of another conversation. Unsaved text is sent for the conversation where it was
   * typed; text typed before any conversation belongs to the first.
   */
  private showConversation(
    conversationId: string,
    draft: string,
    editing: EditingView | undefined,
    fields: readonly string[],
  ): void {
    if (conversationId === this.conversationId) return;
    const isFirst = this.conversationId === undefined;
    if (!isFirst) this.flush();
    this.clearTimer();
    this.conversationId = conversationId;
    this.tracedPlaces.value = [];
    this.refusals.value = [];
    const early = isFirst ? this.text.peek() : "";
    this.fields.value = isFirst ? [...this.fields.peek(), ...fields] : fields;
    // The page's unsaved text is newer, unless the draft continues that text.
    const unsaved = this.memory.typedIn(conversationId);
    const restored = unsaved === undefined || draft.startsWith(unsaved) ? draft : unsaved;
    const isKnown = early === "" || early === restored;
    this.text.value = isKnown ? restored : restored === "" ? early : `${restored}\n\n${early}`;
    this.editing.value = this.isShownMessage(editing) ? editing : undefined;
    if (editing !== undefined && this.editing.peek() === undefined) this.sendEditing();
    if (this.text.peek() !== draft) this.sendDraft(restored !== draft);
    if (isFirst) this.sendEarly();
  }

  private isShownMessage(editing: EditingView | undefined): boolean {
    return this.store.messages.peek().some(({ id }) => id === editing?.messageId);
  }

  /** Sends the early text, without attachments that the user had not seen. */
  private sendEarly(): void {
    const text = this.earlyText;
    this.earlyText = undefined;
    const hasNoAttachments = this.store.attachments.peek().length === 0;
    if (this.editing.peek() !== undefined) return;
    if (hasNoAttachments && text === this.text.peek()) void this.sendTyped(false);
  }

  private endEditing({ parkedText }: EditingView, keepsOther: boolean): void {
    this.editing.value = undefined;
    this.replaceText(parkedText, false, keepsOther);
    this.focus();
  }

  /**
   * Replaces the text and the edited question in a single message.
   * @param isUnsaved true if text that the host has not confirmed must survive a crash
   */
  private replaceText(text: string, isUnsaved = false, keepsOther = false): void {
    this.clearTimer();
    this.text.value = text;
    this.refusals.value = [];
    this.sendEditing(text, keepsOther);
    if (this.conversationId !== undefined && !isUnsaved)
      this.memory.saveTyped(this.conversationId, undefined);
  }

  /** Reports the edited question; the host changes the attachments accordingly. */
  private sendEditing(text?: string, keepsOther = false): void {
    const { conversationId } = this;
    const editing = this.editing.peek();
    if (conversationId === undefined) return;
    this.host.send({
      type: "editing-changed",
      conversationId,
      ...editing,
      ...(keepsOther && { keepsOther }),
      ...(text !== undefined && { text }),
    });
  }

  private sendDraft(isRestored = false): void {
    this.clearTimer();
    const { conversationId } = this;
    if (conversationId === undefined) return;
    // Until the host has saved the text to disk.
    this.memory.saveTyped(conversationId, this.text.peek());
    this.host.send({
      type: "draft-changed",
      conversationId,
      text: this.text.peek().slice(0, MAX_QUESTION_LENGTH),
      edit: ++this.edits,
      ...(this.fields.peek().length > 0 && { fields: [...this.fields.peek()] }),
      ...(isRestored && { isRestored }),
    });
  }

  private clearTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}

function warning(text: string): NoticeView {
  return { tone: "warning", text };
}
