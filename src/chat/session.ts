/**
 * One view's side of the panel's mind: takes what the person did and passes it on in a line or two.
 * What the view is told in return is viewUpdater.ts; all that lasts is elsewhere.
 */
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";
import type { Event } from "../base/event";
import type { Log } from "../base/log";
import type { HostReply, ToHost, ToView } from "../protocol/messages";
import type { Step } from "../conversation/conversation";
import { Composing, isComposing } from "./composing";
import { UnreadableConversation, type Conversations } from "./conversations";
import { DraftSync, isAboutDraft } from "./draftSync";
import { HistoryList } from "./historyList";
import type { AskResult, LiveConversation } from "./liveConversation";
import { isAboutMessages, MessageActions, noticeOf } from "./messageActions";
import { isAboutPictures, ImageAttachments, type PictureFile } from "./imageAttachments";
import { ReplyDecorations } from "./replyDecorations";
import type { SessionHost, SessionStore } from "./sessionOptions";
import { ViewUpdater } from "./viewUpdater";
import type { Messages } from "./messages";

/** One view looking at one conversation. */
export class ChatSession implements Disposable {
  private readonly owned = new Disposables();
  private readonly feed: ViewUpdater;
  private readonly history: HistoryList;
  /** Settles when the conversation asked for last is shown. */
  private switching: Promise<void> = Promise.resolve();
  private readonly pictures: ImageAttachments;
  private readonly aids: ReplyDecorations;
  private readonly composing: Composing;
  private readonly messages: MessageActions;
  private readonly draft: DraftSync;

  constructor(
    private readonly store: SessionStore,
    private readonly conversations: Conversations,
    private readonly host: SessionHost,
    private readonly words: Messages,
    private readonly clock: Clock,
    log: Log,
    send: (message: ToView) => void,
  ) {
    const { attachments } = conversations;
    const feed = this.owned.add(new ViewUpdater(host, attachments, words, clock, send));
    this.feed = feed;
    this.draft = this.owned.add(new DraftSync(conversations, words, feed));
    this.pictures = new ImageAttachments(
      conversations.history.pictures,
      attachments,
      host.pictures,
      words,
      clock,
      () => this.live,
      (message) => feed.post(message),
    );
    this.composing = this.owned.add(
      new Composing({
        attachments,
        context: host.context,
        log,
        live: () => this.live,
        post: (found) => feed.post(found),
        draftText: (id) => conversations.history.drafts.current(id),
        draftReplaced: (id) => this.draft.replaced(id),
        attachPictures: (id, files) => this.pictures.attachFiles(id, files),
      }),
    );
    this.messages = new MessageActions(
      host,
      words,
      () => this.live,
      () => this.draft.swap(),
      (said) => feed.post(said),
    );
    this.history = this.owned.add(
      new HistoryList(
        conversations,
        words,
        log,
        () => this.live?.conversation.id,
        (shown) => feed.post(shown),
      ),
    );
    const replyText = (id: string) => {
      const message = this.live?.message(id);
      return message?.role === "assistant" ? message.text : undefined;
    };
    this.aids = this.owned.add(new ReplyDecorations(host, replyText, (read) => feed.post(read)));
  }

  /** Tells that the page is up and has its snapshot. */
  get onConnected(): Event<void> {
    return this.feed.onConnected;
  }

  /** True while there is a page that hears what is sent. */
  get isConnected(): boolean {
    return this.feed.isConnected;
  }

  /** The conversation shown now, once there is one. */
  get live(): LiveConversation | undefined {
    return this.feed.live;
  }

  /** Takes one parsed message of the view; a reply is given where the view waits for one. */
  async handle(message: ToHost): Promise<HostReply | undefined> {
    if (isAboutPictures(message)) return this.pictures.handle(message);
    if (isComposing(message)) {
      await this.composing.handle(message);
      return undefined;
    }
    if (isAboutMessages(message)) {
      await this.messages.handle(message);
      return undefined;
    }
    if (isAboutDraft(message)) {
      await this.draft.handle(message);
      return undefined;
    }
    switch (message.type) {
      case "view-ready":
        await this.sendSnapshot();
        this.pictures.resend();
        return undefined;
      case "snapshot-asked":
        await this.sendSnapshot();
        return undefined;
      case "question-asked":
        return this.askQuestion(message);
      case "stop-asked":
        await this.live?.stop();
        return undefined;
      case "conversation-asked":
        await this.startNew();
        return undefined;
      case "model-chosen":
        await this.chooseModel(message);
        return undefined;
      case "parameters-chosen":
        if (message.conversationId === this.live?.conversation.id) {
          const { parameters } = message;
          await this.live.choose({ kind: "parameters-chosen", parameters });
        }
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
        await this.conversations.delete(message.conversationId);
        if (this.live?.conversation.id === message.conversationId) {
          await this.switchTo(() => this.store.startNew(), false);
        }
        return undefined;
      case "conversation-restored":
        await this.change(message.conversationId, { kind: "restored", atMs: this.clock.nowMs() });
        return undefined;
      case "link-opened":
        this.host.openLink(message.url);
        return undefined;
      case "theme-shown":
      case "files-named":
      case "file-opened":
        return this.aids.handle(message);
      case "notice-dismissed":
        this.host.dismissNotice(message.text);
        return undefined;
      case "view-failed":
        this.host.viewFailed(message.where);
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** Shows another conversation; a reply that runs in the one before goes on. */
  open(conversationId: string): Promise<void> {
    return this.switchTo(() => this.store.open(conversationId));
  }

  /** Shows the list of conversations instead. */
  showHistory(): void {
    this.feed.post({ type: "history-opened" });
  }

  /** Shows a new conversation; a reply that runs in the old one goes on. */
  startNew(): Promise<void> {
    return this.switchTo(() => this.store.startNew());
  }

  /** Attaches pictures to the question being written here. */
  async attachPictures(
    files: readonly PictureFile[],
    addresses: readonly string[] = [],
  ): Promise<void> {
    const { id } = (this.live ?? (await this.store.current())).conversation;
    this.focus();
    await this.conversations.attachments.add(
      id,
      addresses.map((url) => ({ kind: "image-address" as const, url })),
    );
    await this.pictures.attachFiles(id, files);
  }

  /** Has the page attach what picture is on the clipboard. */
  attachClipboardPicture(): void {
    this.focus();
    this.feed.post({ type: "clipboard-picture-asked" });
  }

  /** Puts the caret into the composer. */
  focus(): void {
    this.feed.post({ type: "focus-asked" });
  }

  /** The view is gone for now; it says `view-ready` when it is back. */
  disconnect(): void {
    this.feed.disconnect();
    this.aids.disconnect();
    this.history.leave();
    this.composing.leave();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async askQuestion(
    asked: Extract<ToHost, { type: "question-asked" }>,
  ): Promise<HostReply> {
    const live = this.live ?? (await this.store.current());
    const question = await this.composing.compose(live, asked);
    if (question.unfinishedName !== undefined) {
      await question.settle(false);
      this.draft.type(live.conversation.id, asked.text);
      const notice = this.words.pictureRefused(question.unfinishedName, "unfinished");
      return { isAccepted: false, notice };
    }
    const result = await live.askQuestion(question.parts, asked.replacesId);
    await question.settle(result.isTaken);
    return this.answer(live.conversation.id, asked, result);
  }

  private answer(
    conversationId: string,
    { text, replacesId }: Extract<ToHost, { type: "question-asked" }>,
    result: AskResult,
  ): HostReply {
    if (!result.isTaken) this.draft.type(conversationId, text);
    else if (replacesId === undefined) this.draft.sent(conversationId, text);
    else this.draft.replaced(conversationId);
    if (result.isTaken) return { isAccepted: true };
    return { isAccepted: false, notice: noticeOf(result, this.words) };
  }

  private async chooseModel({
    model,
    profile,
  }: Extract<ToHost, { type: "model-chosen" }>): Promise<void> {
    this.host.chooseModel(model, profile);
    const live = this.live ?? (await this.store.current());
    const chosen = [live.choose({ kind: "model-chosen", model })];
    if (profile !== undefined) chosen.push(live.choose({ kind: "profile-chosen", profile }));
    await Promise.all(chosen);
  }

  private change(conversationId: string, step: Step): Promise<void> {
    return this.conversations.change(conversationId, [step]);
  }

  /** One after the other, so that the conversation asked for last is the one that is shown. */
  private switchTo(find: () => Promise<LiveConversation>, takesFocus = true): Promise<void> {
    const switched = this.switching.then(async () => {
      try {
        this.follow(await find());
        await this.sendSnapshot();
        if (takesFocus) this.focus();
      } catch (error) {
        if (!(error instanceof UnreadableConversation)) throw error;
        this.feed.showNotice(this.words.fileNotice("unreadable"));
      }
    });
    this.switching = switched.catch(() => undefined);
    return switched;
  }

  private follow(live: LiveConversation): void {
    const state = this.conversations.fileState(live.conversation.id);
    if (this.store.isStandIn) this.feed.follow(live, this.words.fileNotice("unreadable"));
    else this.feed.follow(live, state === "whole" ? undefined : this.words.fileNotice(state));
  }

  private async sendSnapshot(): Promise<void> {
    const live = this.live ?? (await this.store.current());
    if (this.live === undefined) this.follow(live);
    const draft = await this.draft.load(live.conversation.id);
    if (live !== this.live) return;
    this.feed.sendSnapshot(draft);
    void this.aids.sendTheme(); // What was said of it may be what the page missed.
  }
}
