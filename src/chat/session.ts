/**
 * Handles the messages of a chat view. viewUpdater.ts sends updates back; conversations.ts keeps
 * the state.
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

/** A chat view, showing a single conversation at a time. */
export class ChatSession implements Disposable {
  private readonly owned = new Disposables();
  private readonly updater: ViewUpdater;
  private readonly history: HistoryList;
  /** Settles once the conversation requested last is shown. */
  private switching: Promise<void> = Promise.resolve();
  private readonly pictures: ImageAttachments;
  private readonly decorations: ReplyDecorations;
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
    this.updater = feed;
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
        draftReplaced: (id) => this.draft.notifyReplaced(id),
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
    this.decorations = this.owned.add(
      new ReplyDecorations(host, replyText, (read) => feed.post(read)),
    );
  }

  /** Fires when the page has loaded and has its snapshot. */
  get onConnected(): Event<void> {
    return this.updater.onConnected;
  }

  /** True while there is a page that receives messages. */
  get isConnected(): boolean {
    return this.updater.isConnected;
  }

  /** Shown conversation; undefined until the first conversation is loaded. */
  get live(): LiveConversation | undefined {
    return this.updater.live;
  }

  /** Handles a parsed message; returns the reply if the view waits for a reply. */
  async handle(message: ToHost): Promise<HostReply | undefined> {
    if (isAboutPictures(message)) return this.pictures.handle(message);
    if (isComposing(message)) return this.composing.handle(message);
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
        this.history.stop();
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
        return this.decorations.handle(message);
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

  /** Shows another conversation; a running reply continues. */
  open(conversationId: string): Promise<void> {
    return this.switchTo(() => this.store.open(conversationId));
  }

  /** Shows the list of conversations. */
  showHistory(): void {
    this.updater.post({ type: "history-opened" });
  }

  /** Shows a new conversation; a running reply continues. */
  startNew(): Promise<void> {
    return this.switchTo(() => this.store.startNew());
  }

  /** Attaches images to the question in the composer. */
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

  /** Asks the page to attach the image on the clipboard. */
  attachClipboardPicture(): void {
    this.focus();
    this.updater.post({ type: "clipboard-picture-asked" });
  }

  /** Opens the editor of an attached picture. */
  openPictureEditor(attachmentId: string): void {
    this.updater.post({ type: "picture-editor-opened", attachmentId });
  }

  /** Focuses the composer. */
  focus(): void {
    this.updater.post({ type: "focus-asked" });
  }

  /** Stops updates until the view sends `view-ready` again. */
  disconnect(): void {
    this.updater.disconnect();
    this.decorations.disconnect();
    this.history.stop();
    this.composing.cancelSearch();
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
      this.draft.replaceText(live.conversation.id, asked.text);
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
    if (!result.isTaken) this.draft.replaceText(conversationId, text);
    else if (replacesId === undefined) this.draft.clearSent(conversationId, text);
    else this.draft.notifyReplaced(conversationId);
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

  /** Runs switches in sequence, so that the conversation requested last is shown. */
  private switchTo(find: () => Promise<LiveConversation>, takesFocus = true): Promise<void> {
    const switched = this.switching.then(async () => {
      try {
        this.showConversation(await find());
        await this.sendSnapshot();
        if (takesFocus) this.focus();
      } catch (error) {
        if (!(error instanceof UnreadableConversation)) throw error;
        this.updater.showNotice(this.words.fileNotice("unreadable"));
      }
    });
    this.switching = switched.catch(() => undefined);
    return switched;
  }

  private showConversation(live: LiveConversation): void {
    const state = this.conversations.fileState(live.conversation.id);
    if (this.store.isStandIn) this.updater.follow(live, this.words.fileNotice("unreadable"));
    else this.updater.follow(live, state === "whole" ? undefined : this.words.fileNotice(state));
  }

  private async sendSnapshot(): Promise<void> {
    const live = this.live ?? (await this.store.current());
    if (this.live === undefined) this.showConversation(live);
    const draft = await this.draft.load(live.conversation.id);
    if (live !== this.live) return;
    this.updater.sendSnapshot(draft);
    void this.decorations.sendTheme(); // The page may have missed the theme sent before the snapshot.
  }
}
