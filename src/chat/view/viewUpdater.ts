/**
 * Sends a snapshot and then changes to a view; text of a running reply when the page asks for it.
 * Sends nothing while there is no page.
 */
import { chooseModel } from "../../ask/ask";
import type { Clock } from "../../base/clock";
import { coalesce, type Coalescer } from "../../base/coalesce";
import { defined } from "../../base/defined";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter, type Event } from "../../base/event";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import type { ToView } from "../../protocol/toView";
import { allowedParameters } from "../../protocol/parameters";
import type {
  AttachmentView,
  MessageView,
  NoticeView,
  PanelView,
  PromptView,
  ReplyView,
} from "../../protocol/views";
import { withoutListed } from "../../context/overlap";
import { titleOf } from "../../conversation/title";
import {
  wasNeverSent,
  isWithdrawn,
  partsOf,
  textOf,
  type ExcerptPart,
  type Message,
  type ModelKind,
  type Part,
  type Reply,
  type UserMessage,
} from "../../conversation/message";
import type { Draft } from "../../conversation/draft";
import { withoutUnsentPictures } from "../../conversation/sending";
import type { ConversationChange } from "../conversation/conversationChange";
import type { LiveConversation } from "../conversation/liveConversation";
import { meterView, type MeterSettings } from "./meter";
import type { EditorContext, ProjectRules } from "./editorContext";
import { contextParts, isAttached, shownDefinitions } from "./questionContext";
import {
  asideReplyView,
  asideViews,
  attachmentView,
  automaticView,
  definitionsView,
  editingView,
  messageViews,
  replyView,
  rulesView,
  userView,
} from "./toView";
import type { Messages } from "./messages";
import { sendingShown, type NextRequest } from "./sendingView";

/** Shortest time between two updates of what is sent, in milliseconds; a summary grows meanwhile. */
const SENDING_INTERVAL_MS = 50;

/**
 * State of the panel without the conversation; `model` applies to conversations without their own
 * choice.
 */
export type PanelStatus = Omit<
  PanelView,
  "isRunning" | "parameters" | "automatic" | "definitions" | "rules" | "systemPrompt"
>;

/** Port for the state around the conversation, and its changes. */
export interface ViewUpdaterState {
  /** @param profile profile of the shown conversation */
  panelStatus(profile: string | undefined): PanelStatus;
  meterSettings(profile: string | undefined, modelKind: ModelKind): MeterSettings;
  /**
   * Returns the notice of a failed reply whose cause was fixed since; undefined for other replies.
   */
  settledNotice(reply: Reply, profile: string | undefined): NoticeView | undefined;
  readonly onPanelStatusChanged: Event<void>;
  readonly context: EditorContext;
}

/** Code of a reply that a review does not use: a line below the reply, and its button. */
export interface UnusedCode {
  readonly notice: NoticeView;
  readonly show: () => Promise<void>;
}

type UpdatesAhead = NonNullable<MessageOf<ToHost, "text-asked">["ahead"]>;

export class ViewUpdater implements Disposable {
  private readonly owned = new Disposables();
  private following = new Disposables();
  private shown: LiveConversation | undefined;
  private shownTitle = "";
  private notice: NoticeView | undefined;
  private offered: NoticeView | undefined;
  private hasPage = false;
  /** Latest text of the composer. */
  private draftText = "";
  private readonly connected = this.owned.add(new Emitter<void>());
  /** Text for the next update, by reply: replies to questions asked aside run at the same time. */
  private readonly waiting = new Map<
    string,
    { thinking: string; text?: { offset: number; added: string } }
  >();
  /** Code that the last review of a reply does not use, by reply. */
  readonly unused = new Map<string, UnusedCode>();
  /** True if the page shows asides. */
  private hasAsides = false;
  /** Updates that the page can take now. */
  private wantedUpdates = 0;
  /** Updates that the page takes before it asks again, as it asked last, and the time between two. */
  private ahead: UpdatesAhead = { count: 1, everyMs: 0 };
  private sentMs = -Infinity;
  private nextUpdate: Disposable | undefined;
  private readonly sendings: Coalescer;
  private readonly isChanged = (part: ExcerptPart) => this.state.context.isChanged(part);

  constructor(
    private readonly state: ViewUpdaterState,
    private readonly texts: Messages,
    private readonly clock: Clock,
    private readonly send: (message: ToView) => void,
  ) {
    this.sendings = this.owned.add(
      coalesce(clock, SENDING_INTERVAL_MS, () => {
        if (this.shown) this.post(sendingShown(this.shown, this.texts));
        this.sendMeter();
      }),
    );
    this.owned.add(
      state.onPanelStatusChanged(() => {
        this.sendPanel();
        this.sendMeter();
        this.sendSettled();
      }),
    );
    const { context } = state;
    this.owned.add(context.onAutomaticChanged(() => this.sendAutomatic()));
    this.owned.add(context.onChangedSince((uri) => this.sendChangedSince(uri)));
  }

  /** Fires when the page has loaded and has its snapshot. */
  readonly onConnected = this.connected.event;

  /** True while there is a page that receives messages. */
  get isConnected(): boolean {
    return this.hasPage;
  }

  /** Shown conversation; undefined until the first conversation is loaded. */
  get live(): LiveConversation | undefined {
    return this.shown;
  }

  /**
   * Follows another conversation; the next snapshot shows it in the page.
   * @param notice shown above the composer with this conversation
   */
  follow(live: LiveConversation, notice?: NoticeView): void {
    this.notice = notice;
    this.offered = undefined;
    this.following.dispose();
    this.following = new Disposables();
    this.shown = live;
    this.waiting.clear();
    this.following.add(live.onChanged((change) => this.sendChange(live, change)));
    this.following.add(
      live.draft.onChanged(({ kind }) => {
        if (kind === "attachments") this.sendAttachments(live);
      }),
    );
  }

  /** Shows a line below a reply about its code that a review does not use, or removes the line. */
  showUnused(messageId: string, unused: UnusedCode | undefined): void {
    if (unused === undefined) this.unused.delete(messageId);
    else this.unused.set(messageId, unused);
    if (this.shown) this.sendReply(this.shown, messageId);
  }

  /** Shows a notice above the composer until another conversation is shown. */
  showNotice(notice: NoticeView): void {
    this.notice = notice;
    this.sendPanel();
  }

  /** Shows or removes an offer above the composer. */
  offer(offered: NoticeView | undefined): void {
    if (JSON.stringify(offered) === JSON.stringify(this.offered)) return;
    this.offered = offered;
    this.sendPanel();
  }

  /** Sends the whole state. */
  sendSnapshot(written: Draft): void {
    const { text: draft, fields } = written;
    const editing = editingView(written);
    const live = this.shown;
    if (live === undefined) return;
    const isNew = !this.hasPage;
    this.hasPage = true;
    this.wantedUpdates = this.ahead.count;
    this.waiting.clear();
    const { conversation } = live;
    this.shownTitle = this.titleOf(live);
    this.post({
      type: "snapshot",
      conversationId: conversation.id,
      title: this.shownTitle,
      messages: this.messageViews(live, live.path()),
      draft,
      ...defined({ editing, fields }),
      attachments: this.attachmentViews(live),
      queued: this.queuedViews(live),
      panel: this.panelView(),
    });
    this.hasAsides = false;
    this.sendAsides(live);
    this.draftChanged(draft);
    this.post(sendingShown(live, this.texts));
    if (isNew) this.connected.fire();
  }

  /** Sends the text since the last update, or the next text as soon as there is some. */
  textAsked(ahead: UpdatesAhead = { count: 1, everyMs: 0 }): void {
    this.ahead = ahead;
    this.wantedUpdates = ahead.count;
    this.sendDue();
  }

  /** Sends pending text if the page wants it, not before the time between two updates is over. */
  private sendDue(): void {
    if (this.waiting.size === 0 || this.wantedUpdates === 0) return;
    this.nextUpdate?.dispose();
    const waitMs = this.sentMs + this.ahead.everyMs - this.clock.elapsedMs();
    if (waitMs <= 0) this.sendWaiting();
    else this.nextUpdate = this.clock.after(waitMs, () => this.sendDue());
  }

  /** Updates the composer's text and the meter. */
  draftChanged(text: string): void {
    this.draftText = text;
    this.sendMeter();
  }

  /** Sends a message, if there is a page. */
  post(message: ToView): void {
    if (this.hasPage) this.send(message);
  }

  /** Returns the rules that apply to the question in the composer. */
  rules(): ProjectRules | undefined {
    return (
      this.shown && this.state.context.rules(contextParts(this.state.context, this.shown.draft))
    );
  }

  /** Stops sending until the next snapshot. */
  disconnect(): void {
    this.hasPage = false;
    this.waiting.clear();
  }

  dispose(): void {
    this.disconnect();
    this.nextUpdate?.dispose();
    this.following.dispose();
    this.owned.dispose();
  }

  private sendChange(live: LiveConversation, change: ConversationChange): void {
    if (!this.hasPage) return;
    if (change.kind === "text" || change.kind === "thinking") {
      const { replyId } = change;
      const waiting = this.waiting.get(replyId) ?? { thinking: "" };
      this.waiting.set(replyId, waiting);
      if (change.kind === "thinking") waiting.thinking += change.text;
      else if (waiting.text) waiting.text.added += change.text;
      else waiting.text = { offset: change.offset, added: change.text };
      this.sendDue();
      return;
    }
    this.sendWaiting();
    switch (change.kind) {
      case "path": {
        const messages = live.path().slice(change.keptCount);
        const { removedFromId } = change;
        this.post({
          type: "messages-shown",
          ...(removedFromId !== undefined && { removedFromId }),
          messages: this.messageViews(live, messages),
        });
        this.sendTitle(live);
        if (live.conversation.sending) this.sendings.push();
        this.sendPanel();
        return;
      }
      case "reply":
        this.sendReply(live, change.replyId);
        this.sendPanel();
        return;
      case "queue":
        this.post({ type: "queue-changed", queued: this.queuedViews(live) });
        return;
      case "title":
        this.sendTitle(live);
        return;
      case "choice":
        this.sendPanel();
        this.sendMeter();
        return;
      case "sending":
        this.sendings.push();
        return;
      case "asides":
        this.sendAsides(live);
        return;
      case "aside": {
        const reply = live.message(change.replyId);
        if (reply?.role !== "assistant" || reply.isAside !== true) return;
        if (isWithdrawn(reply)) this.sendAsides(live);
        const message = withoutTexts(asideReplyView(live, reply, this.texts));
        this.post({ type: "message-changed", message });
        return;
      }
      case "forks":
        return; // See forkLinks.ts.
      case "status": {
        const { status, replyId: messageId } = change;
        const shownStatus = status && this.texts.status(status, this.clock.nowMs());
        this.post({ type: "turn-status", messageId, ...(shownStatus ?? { text: "" }) });
        return;
      }
      default:
        change satisfies never;
    }
  }

  private sendAsides(live: LiveConversation): void {
    const asides = asideViews(live, this.texts);
    if (asides.length === 0 && !this.hasAsides) return;
    this.hasAsides = asides.length > 0;
    this.post({ type: "asides-shown", asides });
  }

  /** Sends the reply without its texts, which the view has, and the question. */
  private sendReply(live: LiveConversation, replyId: string): void {
    const reply = live.message(replyId);
    if (reply?.role !== "assistant") return;
    const isRunning = live.runningReplyId === replyId;
    const message = this.settledView(
      live,
      replyView(live.conversation, reply, isRunning, this.texts),
    );
    if (isWithdrawn(reply)) {
      this.post({ type: "messages-shown", removedFromId: replyId, messages: [message] });
    } else this.post({ type: "message-changed", message: withoutTexts(message) });
    const question = reply.parentId === null ? undefined : live.message(reply.parentId);
    if (!isRunning) this.sendMeter();
    if (question?.role !== "user") return;
    this.sendQuestion(question, reply);
    if (!isRunning && wasNeverSent(reply)) {
      this.post({ type: "draft-restored", text: textOf(question.parts) });
    }
  }

  /** Sends the failed replies that can be retried now. */
  private sendSettled(): void {
    const { shown } = this;
    if (shown === undefined || !this.hasPage) return;
    const { conversation, runningReplyId } = shown;
    for (const reply of shown.path()) {
      if (reply.role !== "assistant" || reply.id === runningReplyId) continue;
      const view = replyView(conversation, reply, false, this.texts);
      const message = this.settledView(shown, view);
      if (message !== view) {
        this.post({ type: "message-changed", message: withoutTexts(message) });
      }
    }
  }

  /** Returns the view with the notices of a fixed failure and of unused code. */
  private settledView<T extends MessageView>(live: LiveConversation, view: T): T {
    const reply = live.message(view.id);
    if (reply?.role !== "assistant" || live.runningReplyId === reply.id) return view;
    const notice = this.state.settledNotice(reply, live.conversation.profile);
    const unused = this.unused.get(reply.id)?.notice;
    return notice || unused ? { ...view, ...defined({ notice, unused }) } : view;
  }

  private sendAttachments(live: LiveConversation): void {
    this.post({ type: "attachments-changed", attachments: this.attachmentViews(live) });
    // An attachment may have the automatic context, and rules may apply to its file.
    const { context } = this.state;
    if (context.automatic() !== undefined || context.rules([]) !== undefined) this.sendPanel();
    this.sendMeter();
  }

  private sendAutomatic(): void {
    this.sendPanel();
    this.sendMeter();
  }

  /** Sends the questions with excerpts of this file again. */
  private sendChangedSince(uri: string): void {
    const path = this.hasPage ? (this.shown?.path() ?? []) : [];
    for (const [index, message] of path.entries()) {
      const holds = (part: Part) => part.kind === "excerpt" && part.uri === uri;
      if (message.role !== "user" || !message.parts.some(holds)) continue;
      const next = path[index + 1];
      this.sendQuestion(message, next?.role === "assistant" ? next : undefined);
    }
  }

  private sendQuestion(question: UserMessage, reply: Reply | undefined): void {
    if (this.shown === undefined) return;
    const { conversation } = this.shown;
    const message = userView(conversation, question, reply, this.texts, this.isChanged);
    this.post({ type: "message-changed", message });
  }

  private attachmentViews(live: LiveConversation): AttachmentView[] {
    const { attachments } = live.draft;
    const parts = attachments.map(({ part }) => part);
    return attachments.flatMap((attachment) => {
      const part = withoutListed(attachment.part, parts);
      return attachmentView({ ...attachment, part }, this.texts);
    });
  }

  /** Returns the next request; undefined until a conversation is shown. */
  nextRequest(): NextRequest | undefined {
    if (this.shown === undefined) return undefined;
    const { conversation, draft } = this.shown;
    const { editedId } = draft;
    const path = this.shown.path();
    const editedAt = path.findIndex(({ id }) => id === editedId);
    const contexts = contextParts(this.state.context, draft);
    const rules = this.state.context.rules(contexts);
    const parts = [
      ...(rules?.isOn === true ? [rules.part] : []),
      { kind: "text" as const, text: this.draftText },
      ...contexts,
    ];
    const { profile, model = this.state.panelStatus(profile).model, parameters } = conversation;
    const question: UserMessage = { role: "user", id: "draft", parentId: null, parts, sentAtMs: 0 };
    const before = editedAt === -1 ? path : path.slice(0, editedAt);
    const { sending } = conversation;
    const modelKind = chooseModel(model, withoutUnsentPictures([...path, question], sending));
    const settings = this.state.meterSettings(profile, modelKind);
    const { systemPrompt = settings.systemPrompt } = parameters ?? {};
    const choice = { ...settings, systemPrompt, takesPictures: model !== "llm", sending };
    return { before, question, choice };
  }

  /** Sends the estimate of the next request. */
  private sendMeter(): void {
    if (!this.hasPage) return;
    const next = this.nextRequest();
    if (next === undefined) return;
    const { before, question, choice } = next;
    const meter = meterView(before, partsOf(question), choice, this.texts);
    this.post({ type: "meter-changed", meter });
  }

  private messageViews(live: LiveConversation, messages: readonly Message[]) {
    const { conversation, runningReplyId } = live;
    const views = messageViews(conversation, messages, runningReplyId, this.texts, this.isChanged);
    return views.map((view) => this.settledView(live, view));
  }

  /** Sends the title if it has changed: the first question gives a conversation its title. */
  private sendTitle(live: LiveConversation): void {
    const title = this.titleOf(live);
    if (title === this.shownTitle) return;
    this.shownTitle = title;
    this.post({ type: "title-changed", title });
  }

  private titleOf(live: LiveConversation): string {
    // VS Code writes the titles of tabs to its storage.
    if (live.isUnsaved) return this.texts.notSaved();
    return titleOf(live.conversation) ?? this.texts.untitled();
  }

  private queuedViews(live: LiveConversation) {
    return live.queue.map(({ id, parts }) => ({ id, text: textOf(parts) }));
  }

  private sendPanel(): void {
    this.post({ type: "panel-changed", panel: this.panelView() });
  }

  private panelView(): PanelView {
    const status = this.state.panelStatus(this.shown?.conversation.profile);
    const isRunning = this.shown?.runningReplyId !== undefined;
    const { model = status.model, parameters = {} } = this.shown?.conversation ?? {};
    const { context } = this.state;
    const draft = this.shown?.draft;
    const excerpt = context.automatic();
    const automatic =
      excerpt && !isAttached(excerpt, draft) ? automaticView(excerpt, this.texts) : undefined;
    const rules = this.rules();
    const promptFiles = context.promptFiles();
    const definitions = shownDefinitions(context, draft);
    const { systemPrompt } = this.state.meterSettings(undefined, "llm");
    return {
      ...status,
      ...(systemPrompt.trim() !== "" && { systemPrompt }),
      model,
      ...(promptFiles === undefined
        ? { isListingPrompts: true }
        : { prompts: withFiles(status.prompts ?? [], promptFiles) }),
      parameters: allowedParameters(parameters),
      notices: [status.notices, this.notice ?? [], this.offered ?? []].flat(),
      ...defined({
        automatic,
        openFile: excerpt === undefined ? context.openFile() : undefined,
        rules: rules && rulesView(rules),
        definitions: definitions && definitionsView(definitions, this.texts),
      }),
      isRunning,
      ...(this.shown?.isUnsaved && { unsaved: this.texts.unsavedNotice() }),
    };
  }

  /** Sends pending text before any later message. */
  private sendWaiting(): void {
    if (this.waiting.size === 0) return;
    const all = [...this.waiting];
    this.waiting.clear();
    this.wantedUpdates = Math.max(0, this.wantedUpdates - 1);
    this.sentMs = this.clock.elapsedMs();
    for (const [messageId, { thinking, text }] of all) {
      if (thinking !== "") this.post({ type: "thinking-delta", messageId, text: thinking });
      if (text) this.post({ type: "turn-delta", messageId, offset: text.offset, text: text.added });
    }
  }
}

/** Returns the prompts of the settings, then those of files with other names. */
function withFiles(prompts: readonly PromptView[], files: readonly PromptView[]): PromptView[] {
  const names = new Set(prompts.map(({ name }) => name));
  return [...prompts, ...files.filter(({ name }) => !names.has(name))];
}

/** Returns the view without the texts that a running reply sends as deltas. */
function withoutTexts(view: ReplyView): ReplyView {
  const { thinking } = view;
  return { ...view, text: "", ...(thinking && { thinking: { ...thinking, text: "" } }) };
}
