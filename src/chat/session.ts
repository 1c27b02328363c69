/**
 * Handles the messages of a chat view. viewUpdater.ts sends updates back; conversations.ts keeps
 * the state.
 */
import { separatedReply } from "../ask/separatedReply";
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";
import { Emitter, type Event } from "../base/event";
import { lazily } from "../base/lazily";
import type { Log } from "../base/log";
import { partsOf } from "../conversation/message";
import { dispatch, lateHandlers, type MessageOf } from "../protocol/handlers";
import { historyToHostSchemas, type HostHandlers, type ToHost } from "../protocol/toHost";
import type { HostReply, ToView } from "../protocol/toView";
import { pictureToHostSchemas } from "../protocol/pictureMessages";
import { sendingToHostSchemas } from "../protocol/sendingMessages";
import { askAsideOfEnd, AsideActions, askedAside } from "./asideActions";
import { ComposerContext } from "./composerContext";
import { questionParts } from "./conversation/conversationDraft";
import { UnreadableConversation, type Conversations } from "./conversation/conversations";
import { DraftSync } from "./draftSync";
import type { PictureFile } from "./view/editorContext";
import { ForkLinks } from "./view/forkLinks";
import type { HistoryList } from "./view/historyList";
import type { LiveConversation } from "./conversation/liveConversation";
import { MessageActions } from "./messageActions";
import type { ImageAttachments } from "./pictures/imageAttachments";
import { Pointing } from "./pictures/pointing";
import { ReplyDecorations } from "./view/replyDecorations";
import type { SessionHost } from "./sessionHost";
import { ShownConversation, type ShownMemory } from "./conversation/shownConversation";
import { withAutomatic } from "./view/questionContext";
import { ViewUpdater } from "./view/viewUpdater";
import { refusalNotice, type Messages } from "./view/messages";

type HandlerResult = ReturnType<HostHandlers[ToHost["type"]]>;

/** A chat view, showing a single conversation at a time. */
export class ChatSession implements Disposable {
  private readonly owned = new Disposables();
  private readonly shown: ShownConversation;
  private readonly updater: ViewUpdater;
  /** Undefined until the page asks for the list. */
  private history: HistoryList | undefined;
  /** Settles once the conversation requested last is shown. */
  private switching: Promise<void> = Promise.resolve();
  /** Undefined until the first message about a picture. */
  private pictures: ImageAttachments | undefined;
  private readonly loadPictures: () => Promise<ImageAttachments>;
  private readonly decorations: ReplyDecorations;
  private readonly context: ComposerContext;
  private readonly messages: MessageActions;
  private readonly draft: DraftSync;
  private readonly pointing: Pointing;
  private readonly links: ForkLinks;
  private readonly handlers: HostHandlers;
  private isForking = false;

  private readonly editorClosed = this.owned.add(new Emitter<void>());
  /** Fires when the editor of `openPictureEditor` was closed. */
  readonly onPictureEditorClosed = this.editorClosed.event;

  /** Handlers of the messages about the view itself and the shown conversation. */
  private readonly ownHandlers = {
    "view-ready": async () => {
      await this.sendSnapshot();
      this.pictures?.resend();
    },
    "snapshot-asked": () => this.sendSnapshot(),
    "earlier-asked": () => this.updater.earlierAsked(),
    "text-asked": ({ ahead }) => this.updater.deltas.textAsked(ahead),
    "question-asked": (question) => this.askQuestion(question),
    "stop-asked": () => this.live?.stop(),
    "conversation-asked": () => this.startNew(),
    "conversation-opened": ({ conversationId }) => this.open(conversationId),
    "conversation-deleted": ({ conversationId }) => this.deleteConversation(conversationId),
    "conversation-removed": ({ conversationId, title }) =>
      this.host.deletePermanently(conversationId, title),
    "conversations-exported": ({ conversationIds }) =>
      this.host.exportConversations(conversationIds),
    "bin-emptied": () => this.host.emptyBin(),
    "model-chosen": (choice) => this.chooseModel(choice),
    "parameters-chosen": (choice) => this.chooseParameters(choice),
    "connect-asked": async ({ address }) => {
      const notice = await this.host.connect(address);
      return { isAccepted: notice !== undefined, ...(notice && { notice }) };
    },
    "link-opened": ({ url }) => this.host.openLink(url),
    "composer-focus-moved": ({ isInside }) => this.host.composerFocusMoved(isInside),
    "notice-dismissed": ({ text }) => this.host.dismissNotice(text),
    "view-failed": ({ where }) => this.host.viewFailed(where),
    "picture-editor-closed": () => this.editorClosed.fire(),
  } satisfies Partial<HostHandlers>;

  constructor(
    memory: ShownMemory,
    private readonly conversations: Conversations,
    private readonly host: SessionHost,
    private readonly texts: Messages,
    private readonly clock: Clock,
    log: Log,
    send: (message: ToView) => void,
  ) {
    this.shown = new ShownConversation(conversations, memory);
    this.updater = this.owned.add(new ViewUpdater(host, texts, clock, send));
    this.draft = this.owned.add(new DraftSync(conversations, texts, this.updater));
    this.loadPictures = lazily(async () => {
      const { imageAttachments } = await import("./pictures/imageAttachments");
      this.pictures = imageAttachments(conversations, host.pictures, texts, this.updater, clock);
      return this.owned.add(this.pictures);
    });
    this.pointing = new Pointing(conversations, host.pointing, texts, this.updater);
    this.links = this.owned.add(
      new ForkLinks(conversations, texts, (message) => this.updater.post(message)),
    );
    this.owned.add(conversations.onRemoved((id) => void this.leaveRemoved(id)));
    this.context = this.owned.add(
      new ComposerContext(host.context, conversations, this.loadPictures, this.updater, texts, log),
    );
    const keep = () => this.keepConversation();
    this.messages = new MessageActions(host, texts, this.updater, this.draft, keep);
    const loadHistory = lazily(async () => {
      const [{ HistoryList }, index] = await Promise.all([
        import("./view/historyList"),
        conversations.index.list(),
      ]);
      this.history = new HistoryList(conversations, index, texts, log, this.updater);
      return this.owned.add(this.history);
    });
    const loadSending = lazily(async () => {
      const { SendingActions } = await import("./sendingActions");
      return new SendingActions(this.updater, texts, clock);
    });
    const replyText = (id: string) => {
      const message = this.live?.message(id);
      return message?.role === "assistant" ? separatedReply(message).text : undefined;
    };
    this.decorations = this.owned.add(
      new ReplyDecorations(host, replyText, (read) => this.updater.post(read)),
    );
    this.handlers = {
      ...this.ownHandlers,
      ...this.context.handlers,
      ...this.draft.handlers,
      ...lateHandlers(pictureToHostSchemas, this.loadPictures),
      ...this.pointing.handlers,
      ...this.messages.handlers,
      ...lateHandlers(historyToHostSchemas, loadHistory),
      ...lateHandlers(sendingToHostSchemas, loadSending),
      ...this.decorations.handlers,
      ...new AsideActions(conversations, host, texts, this.updater).handlers,
    };
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

  /** Fires true when the page gets the focus, false when the page loses the focus. */
  get onFocusMoved(): Event<boolean> {
    return this.draft.onFocusMoved;
  }

  /** Handles a parsed message; returns the reply to a request. */
  async handle(message: ToHost): Promise<HostReply | undefined> {
    const reply = await dispatch<ToHost, HandlerResult>(this.handlers, message);
    return reply ?? undefined;
  }

  /** Shows another conversation; a running reply continues. */
  open(conversationId: string): Promise<void> {
    return this.switchTo(() => this.shown.open(conversationId), true, conversationId);
  }

  /**
   * Shows a new conversation; a running reply continues.
   * @param isUnsaved true for a conversation in memory only
   */
  startNew(isUnsaved = false): Promise<void> {
    return this.switchTo(() => this.shown.startNew(isUnsaved));
  }

  /** Saves the shown conversation if that is in memory only. */
  private async keepConversation(): Promise<void> {
    const { live } = this;
    if (live === undefined) return;
    await this.conversations.keep(live.conversation.id);
    if (live === this.live) await this.shown.open(live.conversation.id);
  }

  /**
   * Shows a new conversation with the messages up to a reply, or up to before a question, which is then in
   * the composer. Ignores a second call meanwhile.
   */
  async fork(messageId: string): Promise<void> {
    const { live } = this;
    if (live === undefined || this.isForking) return;
    this.isForking = true;
    try {
      const { title } = live.conversation;
      const forkTitle = title === undefined ? undefined : this.texts.forkTitle(title);
      const id = await this.conversations.fork(live, messageId, forkTitle);
      if (id !== undefined) {
        await this.open(id);
        this.updater.post({ type: "toast-shown", text: this.texts.forked() });
      } else this.updater.post({ type: "toast-shown", text: this.texts.stillInProgress() });
    } finally {
      this.isForking = false;
    }
  }

  /** Sends a message of a command to the page. */
  post(message: ToView): void {
    this.updater.post(message);
  }

  /** Attaches images to the question in the composer. */
  async attachPictures(
    files: readonly PictureFile[],
    addresses: readonly string[] = [],
  ): Promise<void> {
    const { id } = (this.live ?? (await this.shown.current())).conversation;
    this.focus();
    await this.conversations
      .draft(id)
      .attach(addresses.map((url) => ({ kind: "image-address" as const, url })));
    await (await this.loadPictures()).attachFiles(id, files);
  }

  /** Shows a conversation, attaches pictures and puts a text into an empty composer. */
  async suggestQuestion(
    conversationId: string,
    text: string,
    pictures: readonly PictureFile[],
  ): Promise<void> {
    if (this.live?.conversation.id !== conversationId) await this.open(conversationId);
    if (text !== "") this.updater.post({ type: "draft-restored", text });
    await this.attachPictures(pictures);
  }

  focus(): void {
    this.post({ type: "focus-asked" });
  }

  regenerate(messageId = ""): Promise<void> {
    return this.messages.regenerate(messageId);
  }

  /** Reviews all changes of the last reply. */
  applyAll(): Promise<void> {
    return this.messages.applyAll();
  }

  /** Stops updates until the view sends `view-ready` again. */
  disconnect(): void {
    this.updater.disconnect();
    this.decorations.disconnect();
    this.history?.stop();
    this.context.cancelSearch();
  }

  dispose(): void {
    this.conversations.noteShown(this, undefined);
    this.owned.dispose();
  }

  /** Sends the composer's text with the content of the draft, or in place of an earlier question. */
  private async askQuestion({
    text,
    replacesId,
    automaticId,
    definitionsId,
  }: MessageOf<ToHost, "question-asked">): Promise<HostReply> {
    const live = this.live ?? (await this.shown.current());
    const { draft, conversation } = live;
    const aside = replacesId === undefined ? askedAside(text) : undefined;
    if (aside?.trim() === "" || (aside !== undefined && live.path().length === 0))
      return { isAccepted: false, notice: this.texts.asideNeeds(live.path().length > 0) };
    // The definitions that were shown; others may be found while attachments are prepared.
    const definitions = this.context.definitionsPart(definitionsId);
    const claimed =
      replacesId === undefined
        ? await draft.claim(text)
        : await draft.claimEdited(text, replacesId, partsOf(live.message(replacesId)));
    if (claimed.unfinishedName !== undefined) {
      await draft.settle(claimed, false);
      this.draft.replaceText(conversation.id, text);
      const notice = this.texts.pictureRefused(claimed.unfinishedName, "unfinished");
      return { isAccepted: false, notice };
    }
    const automatic =
      claimed.isEdited || aside !== undefined ? undefined : this.context.automaticPart(automaticId);
    const parts = questionParts(
      aside ?? text,
      withAutomatic(claimed, aside === undefined ? [automatic, definitions] : []),
    );
    const removeOriginals = await this.conversations
      .historyOf(conversation.id)
      .recordUnneeded(claimed.originals);
    const result =
      aside === undefined
        ? await live.askQuestion(parts, replacesId)
        : await askAsideOfEnd(live, parts, this.clock);
    await draft.settle(claimed, result.isAccepted);
    void removeOriginals(result.isAccepted);
    if (!result.isAccepted) {
      this.draft.replaceText(conversation.id, text);
      if (await this.conversations.isRemoved(conversation.id)) {
        await this.leaveRemoved(conversation.id);
        this.updater.post({ type: "draft-restored", text });
      }
      return { isAccepted: false, notice: refusalNotice(result, this.texts) };
    }
    if (claimed.isEdited) this.draft.notifyReplaced(conversation.id);
    else this.draft.clearSent(conversation.id, text);
    return { isAccepted: true };
  }

  private async chooseModel({ model, profile }: MessageOf<ToHost, "model-chosen">): Promise<void> {
    this.host.chooseModel(model, profile);
    const live = this.live ?? (await this.shown.current());
    const chosen = [live.choose({ kind: "model-chosen", model })];
    if (profile !== undefined) chosen.push(live.choose({ kind: "profile-chosen", profile }));
    await Promise.all(chosen);
  }

  private async chooseParameters({
    conversationId,
    parameters,
  }: MessageOf<ToHost, "parameters-chosen">): Promise<void> {
    if (conversationId !== this.live?.conversation.id) return;
    await this.live.choose({ kind: "parameters-chosen", parameters });
  }

  private async deleteConversation(conversationId: string): Promise<void> {
    await this.conversations.delete(conversationId);
    if (this.live?.conversation.id !== conversationId) return;
    await this.switchTo(() => this.shown.startNew(false), false);
  }

  private async leaveRemoved(conversationId: string): Promise<void> {
    if (this.live?.conversation.id !== conversationId) return;
    await this.switchTo(() => this.shown.replaceRemoved(), false);
  }

  /**
   * Runs switches in sequence, so that the conversation requested last is shown.
   * @param nextId conversation to show, if that is known
   */
  private switchTo(
    find: () => Promise<LiveConversation>,
    takesFocus = true,
    nextId?: string,
  ): Promise<void> {
    const switched = this.switching.then(async () => {
      try {
        const { live } = this;
        const isLeft = live !== undefined && live.conversation.id !== nextId;
        if (isLeft && !(await this.mayLeave(live))) return;
        this.showConversation(await find());
        await this.sendSnapshot();
        if (takesFocus) this.focus();
        if (isLeft && live !== this.live) await this.conversations.discardUnsaved(live);
      } catch (error) {
        if (!(error instanceof UnreadableConversation)) throw error;
        this.updater.showNotice(this.texts.fileNotice("unreadable"));
      }
    });
    this.switching = switched.catch(() => undefined);
    return switched;
  }

  /** Asks before a conversation in memory is lost; false if it stays. */
  private async mayLeave(live: LiveConversation): Promise<boolean> {
    if (!this.conversations.unsaved.isLostWithout(this, live)) return true;
    const answer = await this.host.askToSave();
    if (answer === "save") await this.conversations.keep(live.conversation.id);
    return answer !== "cancel";
  }

  private showConversation(live: LiveConversation): void {
    this.conversations.noteShown(this, live.conversation.id);
    if (live !== this.live) this.decorations.clearMarks();
    const state = this.shown.isStandIn
      ? "unreadable"
      : this.conversations.fileState(live.conversation.id);
    this.updater.follow(live, state === "whole" ? undefined : this.texts.fileNotice(state));
    this.draft.follow(live.draft);
    this.links.follow(live);
  }

  private async sendSnapshot(): Promise<void> {
    const live = this.live ?? (await this.shown.current());
    if (this.live === undefined) this.showConversation(live);
    const draft = await this.draft.load(live.conversation.id);
    if (live !== this.live) return;
    this.updater.sendSnapshot(draft);
    this.links.send(live);
    void this.decorations.sendTheme(); // The page may have missed the theme sent before the snapshot.
  }
}
