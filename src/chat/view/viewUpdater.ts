/**
 * Sends a snapshot and then changes to a view; text of a running reply when the page asks for it.
 * Sends nothing while there is no page.
 */
import type { Clock } from "../../base/clock";
import { coalesce, type Coalescer } from "../../base/coalesce";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { ToView } from "../../protocol/toView";
import {
  MESSAGE_GROUP,
  type NoticeView,
  type PanelView,
  type ReplyView,
} from "../../protocol/views";
import { withoutListed } from "../../context/overlap";
import { isUntitledFork, titleOf } from "../../conversation/title";
import {
  isWithdrawn,
  textOf,
  type ExcerptPart,
  type Reply,
  type UserMessage,
} from "../../conversation/message";
import type { Draft } from "../../conversation/draft";
import type { ConversationChange } from "../conversation/conversationChange";
import type { LiveConversation } from "../conversation/liveConversation";
import { meterView } from "./meter";
import { nextRequest, type NextRequest } from "./nextRequest";
import { panelView } from "./panelView";
import { ReplyDeltas } from "./replyDeltas";
import {
  asideReplyView,
  asideViews,
  attachmentView,
  editingView,
  messageViews,
  replyView,
  userView,
} from "./toView";
import type { Messages } from "./messages";
import { sendingShown } from "./sendingView";
import type { ViewState } from "./viewState";

/** Shortest time between two updates of what is sent, in milliseconds; a summary grows meanwhile. */
const SENDING_INTERVAL_MS = 50;

/** Number of messages at the end of a conversation that are sent first, at least; several screens. */
const FIRST_COUNT = 5 * MESSAGE_GROUP;

/** Number of messages before them that are sent at once; about 30 ms of work. */
const EARLIER_COUNT = 40 * MESSAGE_GROUP;

/** Code of a reply that a review does not use: a line below the reply, and its button. */
export interface UnusedCode {
  readonly notice: NoticeView;
  readonly show: () => Promise<void>;
}

export class ViewUpdater implements Disposable {
  private readonly owned = new Disposables();
  private following = new Disposables();
  /** Shown conversation; undefined until the first conversation is loaded. */
  live: LiveConversation | undefined;
  private shownTitle = "";
  private notice: NoticeView | undefined;
  private offered: NoticeView | undefined;
  private hasPage = false;
  private draftText = "";
  private readonly connected = this.owned.add(new Emitter<void>());
  /** Text of running replies. */
  readonly deltas: ReplyDeltas;
  /** Code that the last review of a reply does not use, by reply. */
  readonly unused = new Map<string, UnusedCode>();
  private hasAsides = false;
  /** Number of messages at the start of the conversation that the page does not have yet. */
  private earlierCount = 0;
  private readonly sendings: Coalescer;
  private readonly isChanged = (part: ExcerptPart) => this.state.context.isChanged(part);

  constructor(
    private readonly state: ViewState,
    private readonly texts: Messages,
    private readonly clock: Clock,
    private readonly send: (message: ToView) => void,
  ) {
    this.deltas = this.owned.add(new ReplyDeltas(clock, (message) => this.post(message)));
    this.sendings = this.owned.add(
      coalesce(clock, SENDING_INTERVAL_MS, () => {
        if (this.live) this.post(sendingShown(this.live, this.texts));
        this.sendMeter();
      }),
    );
    this.owned.add(
      state.onPanelStatusChanged(() => {
        this.sendPanelAndMeter();
        this.sendSettled();
      }),
    );
    const { context } = state;
    this.owned.add(context.onAutomaticChanged(() => this.sendPanelAndMeter()));
    this.owned.add(context.onChangedSince((uri) => this.sendChangedSince(uri)));
  }

  /** Fires when the page has loaded and has its snapshot. */
  readonly onConnected = this.connected.event;

  /** True while there is a page that receives messages. */
  get isConnected(): boolean {
    return this.hasPage;
  }

  /**
   * Follows another conversation; the next snapshot shows it in the page.
   * @param notice shown above the composer with this conversation
   */
  follow(live: LiveConversation, notice?: NoticeView): void {
    this.notice = notice;
    this.offered = undefined;
    this.earlierCount = 0;
    this.following.dispose();
    this.following = new Disposables();
    this.live = live;
    this.deltas.restart();
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
    if (this.live) this.sendReply(this.live, messageId);
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

  sendSnapshot(written: Draft): void {
    const { text: draft, fields } = written;
    const editing = editingView(written);
    const live = this.live;
    if (live === undefined) return;
    const isNew = !this.hasPage;
    this.hasPage = true;
    this.deltas.restart();
    const { conversation } = live;
    const { length } = live.path();
    this.earlierCount = Math.max(0, length - (length % MESSAGE_GROUP) - FIRST_COUNT);
    this.shownTitle = this.titleOf(live);
    this.post({
      type: "snapshot",
      conversationId: conversation.id,
      title: this.shownTitle,
      earlierCount: this.earlierCount,
      messages: this.messageViews(live, this.earlierCount),
      draft,
      editing,
      fields,
      attachments: this.attachmentViews(live),
      queued: this.queuedViews(live),
      panel: this.panelView(),
    });
    this.hasAsides = false;
    this.sendAsides(live);
    this.post(sendingShown(live, this.texts));
    this.draftText = draft;
    if (this.earlierCount === 0) this.sendMeter();
    if (isNew) this.connected.fire();
  }

  /**
   * Sends the messages before those that the page has drawn, the latest first. The meter follows, because
   * it reads all of them.
   */
  earlierAsked(): void {
    const { live, earlierCount: end } = this;
    if (live === undefined || end === 0) return;
    this.earlierCount = Math.max(0, end - EARLIER_COUNT);
    const beforeId = live.path()[end]?.id ?? "";
    const messages = this.messageViews(live, this.earlierCount, end);
    this.post({ type: "earlier-shown", beforeId, messages });
    if (this.earlierCount === 0) this.sendMeter();
  }

  /** Updates the composer's text and the meter. */
  draftChanged(text: string): void {
    this.draftText = text;
    this.sendMeter();
  }

  post(message: ToView): void {
    if (this.hasPage) this.send(message);
  }

  /** Stops sending until the next snapshot. */
  disconnect(): void {
    this.hasPage = false;
    this.deltas.restart();
  }

  dispose(): void {
    this.disconnect();
    this.following.dispose();
    this.owned.dispose();
  }

  private sendChange(live: LiveConversation, change: ConversationChange): void {
    if (!this.hasPage) return;
    if (change.kind === "text" || change.kind === "thinking") {
      this.deltas.add(change);
      return;
    }
    this.deltas.flush();
    switch (change.kind) {
      case "path": {
        const messages = this.messageViews(live, change.keptCount);
        const { removedFromId } = change;
        this.post({ type: "messages-shown", removedFromId, messages });
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
        this.sendPanelAndMeter();
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
    const view = replyView(live.conversation, reply, isRunning, this.texts);
    const message = this.settledView(live, reply, view);
    if (isWithdrawn(reply)) {
      this.post({ type: "messages-shown", removedFromId: replyId, messages: [message] });
    } else this.post({ type: "message-changed", message: withoutTexts(message) });
    const question = reply.parentId === null ? undefined : live.message(reply.parentId);
    if (!isRunning) this.sendMeter();
    if (question?.role !== "user") return;
    this.sendQuestion(question, reply);
  }

  /** Sends the failed replies that can be retried now. */
  private sendSettled(): void {
    const { live } = this;
    if (live === undefined || !this.hasPage) return;
    for (const reply of live.path()) {
      if (reply.role !== "assistant" || reply.id === live.runningReplyId) continue;
      const view = replyView(live.conversation, reply, false, this.texts);
      const message = this.settledView(live, reply, view);
      if (message !== view) this.post({ type: "message-changed", message: withoutTexts(message) });
    }
  }

  /** Returns the view with the notices of a fixed failure and of unused code. */
  private settledView(live: LiveConversation, reply: Reply, view: ReplyView): ReplyView {
    if (view.isStreaming) return view;
    const notice = this.state.settledNotice(reply, live.conversation.profile);
    const unused = this.unused.get(reply.id)?.notice;
    return notice || unused ? { ...view, notice: notice ?? view.notice, unused } : view;
  }

  private sendAttachments(live: LiveConversation): void {
    this.post({ type: "attachments-changed", attachments: this.attachmentViews(live) });
    // An attachment may have the automatic context, and rules may apply to its file.
    const { context } = this.state;
    if (context.automatic() !== undefined || context.rules([]) !== undefined) this.sendPanel();
    this.sendMeter();
  }

  private sendPanelAndMeter(): void {
    this.sendPanel();
    this.sendMeter();
  }

  /** Sends the questions with excerpts of this file again. */
  private sendChangedSince(uri: string): void {
    const path = this.hasPage ? (this.live?.path() ?? []) : [];
    for (const [index, message] of path.entries()) {
      if (message.role !== "user") continue;
      if (!message.parts.some((part) => part.kind === "excerpt" && part.uri === uri)) continue;
      const next = path[index + 1];
      this.sendQuestion(message, next?.role === "assistant" ? next : undefined);
    }
  }

  private sendQuestion(question: UserMessage, reply: Reply | undefined): void {
    if (this.live === undefined) return;
    const { conversation } = this.live;
    const message = userView(conversation, question, reply, this.texts, this.isChanged);
    this.post({ type: "message-changed", message });
  }

  private attachmentViews(live: LiveConversation) {
    const { attachments } = live.draft;
    const parts = attachments.map(({ part }) => part);
    return attachments.flatMap((attachment) => {
      const part = withoutListed(attachment.part, parts);
      return attachmentView({ ...attachment, part }, this.texts);
    });
  }

  /** Returns the next request; undefined until a conversation is shown. */
  nextRequest(): NextRequest | undefined {
    return this.live && nextRequest(this.live, this.draftText, this.state);
  }

  private sendMeter(): void {
    const next = this.hasPage && this.nextRequest();
    if (next) this.post({ type: "meter-changed", meter: meterView(next, this.texts) });
  }

  private messageViews(live: LiveConversation, from: number, end = live.path().length) {
    const { conversation, runningReplyId } = live;
    const range = [from, end] as const;
    const views = messageViews(
      conversation,
      live.path(),
      runningReplyId,
      this.texts,
      this.isChanged,
      range,
    );
    return views.map((view) => {
      const message = live.message(view.id);
      const isReply = view.role === "assistant" && message?.role === "assistant";
      return isReply ? this.settledView(live, message, view) : view;
    });
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
    const title = titleOf(live.conversation);
    if (title === undefined) return this.texts.untitled();
    return isUntitledFork(live.conversation) ? this.texts.forkTitle(title) : title;
  }

  private queuedViews(live: LiveConversation) {
    return live.queue.map(({ id, parts }) => ({ id, text: textOf(parts) }));
  }

  private sendPanel(): void {
    this.post({ type: "panel-changed", panel: this.panelView() });
  }

  private panelView(): PanelView {
    const notices = [this.notice, this.offered].filter((notice) => notice !== undefined);
    return panelView(this.live, this.state, this.texts, notices);
  }
}

/** Returns the view without the texts that a running reply sends as deltas. */
function withoutTexts(view: ReplyView): ReplyView {
  const { thinking } = view;
  return { ...view, text: "", ...(thinking && { thinking: { ...thinking, text: "" } }) };
}
