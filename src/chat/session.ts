/**
 * One view's side of the panel's mind: takes what the person did, passes it on in a line or two,
 * and keeps the view up to date with one snapshot and then numbered, coalesced deltas. The view
 * may come, go and come back at any moment; all that lasts is elsewhere.
 */
import type { Clock } from "../base/clock";
import { coalesce, type Coalescer } from "../base/coalesce";
import { Disposables, type Disposable } from "../base/disposables";
import { Emitter, type Event } from "../base/event";
import type { Log } from "../base/log";
import type { HostReply, ToHost, ToView } from "../bridge/messages";
import type { ModelChoice, NoticeAction, PanelView } from "../bridge/views";
import { titleOf, type Step } from "../conversation/conversation";
import { isWithdrawn, textOf, type Part, type Reply } from "../conversation/message";
import type { Draft } from "../history/drafts";
import type { Conversations } from "./conversations";
import { HistoryList } from "./historyList";
import type { AskResult, ConversationChange, LiveConversation } from "./liveConversation";
import { messageViews, replyView, userView } from "./toView";
import type { Words } from "./words";

/** Shortest time between two deltas, in milliseconds: about 30 a second. */
const DELTA_INTERVAL_MS = 33;

/** The panel's state beside the conversation. */
export type PanelFacts = Omit<PanelView, "isRunning">;

/** What a session asks of the editor around it. */
export interface SessionHost {
  panelFacts(): PanelFacts;
  readonly onPanelFactsChanged: Event<void>;
  chooseModel(model: ModelChoice): void;
  copy(text: string): Promise<void>;
  /** Does something with one code block of a reply; `block` is 0-based. */
  useCode(
    action: Extract<ToHost, { type: "code-asked" }>["action"],
    text: string,
    block: number,
  ): Promise<void>;
  openLink(url: string): void;
  /** Everything a notice can ask for that is not about a message. */
  runAction(action: NoticeAction): void;
  viewFailed(where: string): void;
}

/** Which conversation a view shows, and what is typed in it. */
export interface SessionStore {
  /** The conversation this view shows now. */
  current(): Promise<LiveConversation>;
  /** Shows a new, empty conversation instead. */
  startNew(): Promise<LiveConversation>;
  /** Shows another conversation. */
  open(conversationId: string): Promise<LiveConversation>;
  loadDraft(conversationId: string): Promise<Draft>;
  /** Remembers what is given; what is not given stays as it was. */
  saveDraft(conversationId: string, change: Partial<Draft>): void;
}

type Unnumbered<T> = T extends unknown ? Omit<T, "seq"> : never;

/** One view looking at one conversation. */
export class ChatSession implements Disposable {
  private readonly owned = new Disposables();
  private shown = new Disposables();
  private live: LiveConversation | undefined;
  private seq = 0;
  private hasPage = false;
  private readonly connected = this.owned.add(new Emitter<void>());
  /** Text that waits for the next delta. */
  private waiting: { replyId: string; offset: number; text: string } | undefined;
  private readonly deltas: Coalescer;
  private readonly history: HistoryList;

  constructor(
    private readonly store: SessionStore,
    private readonly conversations: Conversations,
    private readonly host: SessionHost,
    private readonly words: Words,
    private readonly clock: Clock,
    log: Log,
    private readonly send: (message: ToView) => void,
  ) {
    this.deltas = this.owned.add(coalesce(clock, DELTA_INTERVAL_MS, () => this.sendWaiting()));
    this.owned.add(host.onPanelFactsChanged(() => this.sendPanel()));
    this.history = this.owned.add(
      new HistoryList(
        conversations,
        words,
        log,
        () => this.live?.conversation.id,
        (shown) => this.post(shown),
      ),
    );
  }

  /** Tells that the page is up and has its snapshot. */
  readonly onConnected = this.connected.event;

  /** True while there is a page that hears what is sent. */
  get isConnected(): boolean {
    return this.hasPage;
  }

  /** Takes one parsed message of the view; a reply is given where the view waits for one. */
  async handle(message: ToHost): Promise<HostReply | undefined> {
    switch (message.type) {
      case "view-ready":
      case "snapshot-asked":
        await this.sendSnapshot();
        return undefined;
      case "question-asked":
        return this.askQuestion(message.text, message.replacesId);
      case "stop-asked":
        await this.live?.stop();
        return undefined;
      case "conversation-asked":
        await this.startNew();
        return undefined;
      case "model-chosen":
        this.host.chooseModel(message.model);
        return undefined;
      case "draft-changed":
        this.saveDraft({ text: message.text });
        return undefined;
      case "scrolled":
        this.saveDraft({ scroll: message.scroll });
        return undefined;
      case "history-asked":
        this.history.ask(message);
        return undefined;
      case "history-left":
        this.history.leave();
        return undefined;
      case "conversation-opened":
        await this.open(message.conversationId);
        return undefined;
      case "conversation-renamed":
        await this.change(message.conversationId, { kind: "titled", title: message.title.trim() });
        return undefined;
      case "conversation-pinned":
        await this.change(message.conversationId, {
          kind: "pinned",
          isPinned: message.isPinned,
        });
        return undefined;
      case "conversation-deleted":
        await this.change(message.conversationId, { kind: "deleted", atMs: this.clock.nowMs() });
        if (this.live?.conversation.id === message.conversationId) await this.startNew();
        return undefined;
      case "conversation-restored":
        await this.change(message.conversationId, { kind: "restored", atMs: this.clock.nowMs() });
        return undefined;
      case "queued-changed":
        this.live?.changeQueued(message.queuedId, [{ kind: "text", text: message.text }]);
        return undefined;
      case "queued-removed":
        this.live?.changeQueued(message.queuedId, undefined);
        return undefined;
      case "queued-sent":
        this.say(await this.live?.askQueued(message.queuedId));
        return undefined;
      case "copy-asked":
        await this.copy(message.messageId);
        return undefined;
      case "code-asked":
        await this.useCode(message);
        return undefined;
      case "regenerate-asked":
        this.say(await this.live?.regenerate(message.messageId));
        return undefined;
      case "version-chosen":
        await this.live?.chooseVersion(message.messageId, message.step);
        return undefined;
      case "action-asked":
        await this.runAction(message.action, message.messageId);
        return undefined;
      case "link-opened":
        this.host.openLink(message.url);
        return undefined;
      case "view-failed":
        this.host.viewFailed(message.where);
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** Shows another conversation; a reply that runs in the one before goes on. */
  async open(conversationId: string): Promise<void> {
    this.show(await this.store.open(conversationId));
    await this.sendSnapshot();
    this.focus();
  }

  /** The conversation shown now, once there is one. */
  get shownConversation(): LiveConversation | undefined {
    return this.live;
  }

  /** Shows the list of conversations instead. */
  showHistory(): void {
    this.post({ type: "history-opened" });
  }

  /** Shows a new conversation; a reply that runs in the old one goes on. */
  async startNew(): Promise<void> {
    this.show(await this.store.startNew());
    await this.sendSnapshot();
    this.focus();
  }

  /** Puts the caret into the composer. */
  focus(): void {
    this.post({ type: "focus-asked" });
  }

  /** The view is gone for now; it says `view-ready` when it is back. */
  disconnect(): void {
    this.hasPage = false;
    this.waiting = undefined;
  }

  dispose(): void {
    this.disconnect();
    this.shown.dispose();
    this.owned.dispose();
  }

  private async askQuestion(text: string, replacesId: string | undefined): Promise<HostReply> {
    const live = this.live ?? (await this.store.current());
    const parts: Part[] = [{ kind: "text", text }];
    const result = await live.askQuestion(parts, replacesId);
    if (result.isTaken) {
      this.store.saveDraft(live.conversation.id, { text: "" });
      return { isAccepted: true };
    }
    this.store.saveDraft(live.conversation.id, { text });
    return { isAccepted: false, notice: this.noticeOf(result) };
  }

  private noticeOf(result: Extract<AskResult, { isTaken: false }>) {
    return result.failure === "busy"
      ? this.words.busy()
      : this.words.failure(result.failure, false);
  }

  /** Says in a word why something the person asked for did not begin. */
  private say(result: AskResult | undefined): void {
    if (result === undefined || result.isTaken) return;
    this.post({ type: "said", text: this.noticeOf(result).text });
  }

  private async copy(messageId: string): Promise<void> {
    const message = this.live?.message(messageId);
    if (message === undefined) return;
    await this.host.copy(message.role === "user" ? textOf(message.parts) : message.text);
    this.post({ type: "said", text: this.words.copied() });
  }

  private async useCode(asked: Extract<ToHost, { type: "code-asked" }>): Promise<void> {
    const message = this.live?.message(asked.messageId);
    if (message?.role !== "assistant") return;
    await this.host.useCode(asked.action, message.text, asked.block);
    if (asked.action === "copy") this.post({ type: "said", text: this.words.copied() });
  }

  private async runAction(action: NoticeAction, messageId: string | undefined): Promise<void> {
    if (action === "stop") await this.live?.stop();
    else if (action === "try-again" && messageId !== undefined) {
      this.say(await this.live?.regenerate(messageId));
    } else if (action === "continue" && messageId !== undefined) {
      this.say(await this.live?.continueReply(messageId));
    } else this.host.runAction(action);
  }

  private saveDraft(change: Partial<Draft>): void {
    if (this.live) this.store.saveDraft(this.live.conversation.id, change);
  }

  private change(conversationId: string, step: Step): Promise<void> {
    return this.conversations.change(conversationId, [step]);
  }

  private show(live: LiveConversation): void {
    this.shown.dispose();
    this.shown = new Disposables();
    this.live = live;
    this.waiting = undefined;
    this.shown.add(live.onChanged((change) => this.tell(live, change)));
  }

  private tell(live: LiveConversation, change: ConversationChange): void {
    if (!this.hasPage) return;
    if (change.kind === "text") {
      const { replyId, offset, text } = change;
      if (this.waiting?.replyId === replyId) this.waiting.text += text;
      else this.waiting = { replyId, offset, text };
      this.deltas.push();
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
          messages: messageViews(live.conversation, messages, live.runningReplyId, this.words),
        });
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
        this.post({ type: "title-changed", title: this.titleOf(live) });
        return;
      case "status": {
        const { status, replyId: messageId } = change;
        const words = status && this.words.status(status, this.clock.nowMs());
        this.post({ type: "turn-status", messageId, ...(words ?? { text: "" }) });
        return;
      }
      default:
        change satisfies never;
    }
  }

  /** The reply without its text (the view has it), and the question it answers. */
  private sendReply(live: LiveConversation, replyId: string): void {
    const reply = live.message(replyId);
    if (reply?.role !== "assistant") return;
    const isRunning = live.runningReplyId === replyId;
    const message = replyView(live.conversation, reply, isRunning, this.words);
    if (isWithdrawn(reply)) {
      this.post({ type: "messages-shown", removedFromId: replyId, messages: [message] });
    } else this.post({ type: "message-changed", message: { ...message, text: "" } });
    const question = reply.parentId === null ? undefined : live.message(reply.parentId);
    if (question?.role !== "user") return;
    const view = userView(live.conversation, question, reply, this.words);
    this.post({ type: "message-changed", message: view });
    if (!isRunning && hasNotLeft(reply)) {
      const text = textOf(question.parts);
      this.saveDraft({ text });
      this.post({ type: "draft-restored", text });
    }
  }

  private async sendSnapshot(): Promise<void> {
    if (this.live === undefined) this.show(await this.store.current());
    const { live } = this;
    if (live === undefined) return;
    const { text: draft, scroll } = await this.store.loadDraft(live.conversation.id);
    if (live !== this.live) return;
    const isNew = !this.hasPage;
    this.hasPage = true;
    this.waiting = undefined;
    this.seq = 0;
    const { conversation } = live;
    this.post({
      type: "snapshot",
      conversationId: conversation.id,
      title: this.titleOf(live),
      messages: messageViews(conversation, live.path(), live.runningReplyId, this.words),
      draft,
      queued: this.queuedViews(live),
      ...(scroll && { scroll }),
      panel: this.panelView(),
    });
    if (isNew) this.connected.fire();
  }

  private titleOf(live: LiveConversation): string {
    return titleOf(live.conversation) ?? this.words.untitled();
  }

  private queuedViews(live: LiveConversation) {
    return live.queue.map(({ id, parts }) => ({ id, text: textOf(parts) }));
  }

  private sendPanel(): void {
    this.post({ type: "panel-changed", panel: this.panelView() });
  }

  private panelView(): PanelView {
    return { ...this.host.panelFacts(), isRunning: this.live?.runningReplyId !== undefined };
  }

  /** Text that waited goes out before anything that comes after it. */
  private sendWaiting(): void {
    const { waiting } = this;
    if (waiting === undefined) return;
    this.waiting = undefined;
    const { replyId: messageId, offset, text } = waiting;
    this.post({ type: "turn-delta", messageId, offset, text });
  }

  private post(message: Unnumbered<ToView>): void {
    if (this.hasPage) this.send({ ...message, seq: this.seq++ });
  }
}

/** True for a reply that failed before the question reached the service: it can be sent again. */
function hasNotLeft(reply: Reply): boolean {
  if (reply.ending?.kind !== "failed" || reply.text !== "") return false;
  const { kind } = reply.ending.failure;
  return kind === "unreachable" || kind === "bad-url" || kind === "bad-request";
}
