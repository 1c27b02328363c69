/** State of the page as signals. Only the host client writes to the store; components read. */
import { batch, computed, signal, type Signal } from "@preact/signals";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { Handlers, MessageOf } from "../../protocol/handlers";
import type { ToView } from "../../protocol/toView";
import type {
  AsideView,
  AttachmentView,
  HistoryRow,
  MessageView,
  MeterView,
  NoticeView,
  PanelView,
  QueuedView,
  ReplyView,
  TokenTheme,
  UserView,
} from "../../protocol/views";
import { ReplyText } from "./replyText";

export interface UserModel {
  readonly role: "user";
  readonly id: string;
  readonly view: Signal<UserView>;
  /** 1-based number among the questions of the shown path. */
  readonly number: Signal<number>;
}

/** A reply. The texts of `view` are the initial texts; the current ones are in `text` and `thinking`. */
export interface ReplyModel {
  readonly role: "assistant";
  readonly id: string;
  readonly view: Signal<ReplyView>;
  readonly text: ReplyText;
  readonly thinking: ReplyText;
  /** The question before the reply; undefined if it could not be read. */
  readonly question: Signal<UserModel | undefined>;
}

export type MessageModel = UserModel | ReplyModel;

/** Status under a running reply; `%s` in `text` is replaced by the seconds until `untilMs`. */
interface ShownTurnStatus {
  readonly text: string;
  readonly untilMs: number | undefined;
  /** True for repeated progress, which screen readers announce once. */
  readonly isProgress: boolean;
}

export type HistoryShown = MessageOf<ToView, "history-shown">;

export type SendingShown = MessageOf<ToView, "sending-shown">;

/** A question that was asked aside. */
export interface AsideModel {
  readonly view: AsideView;
  readonly reply: ReplyModel | undefined;
}

export type ForksShown = MessageOf<ToView, "forks-shown">;

/** A picture that the page draws for the host. */
export type PictureJob = MessageOf<ToView, "picture-job">;

/** A reply that is no longer streaming. */
export interface ReplyEnd {
  readonly messageId: string;
  /** The ending, unless complete. */
  readonly notice: NoticeView | undefined;
}

/** Longest thinking in the page, and the end of it that stays, in UTF-16 units. */
const MAX_THINKING = 1_000_000;
const KEPT_THINKING = 500_000;

export class PanelStore {
  /** Messages on the shown path, oldest first. */
  readonly messages = signal<readonly MessageModel[]>([]);
  /** Number of messages before them that the host has not sent yet. */
  readonly earlierCount = signal(0);
  /** Undefined until the first snapshot. */
  readonly panel = signal<PanelView | undefined>(undefined);
  /** Number of questions on the shown path. */
  readonly questionCount = signal(0);
  /** True if the question of the reply being read stays visible; the title says a single one. */
  readonly isQuestionSticky = computed(
    () => this.panel.value?.settings.stickyQuestion === true && this.questionCount.value > 1,
  );
  /** By the ids of running replies, of which several can be asides. */
  readonly turnStatus = signal<ReadonlyMap<string, ShownTurnStatus>>(new Map());
  /** Undefined until the first snapshot. */
  readonly conversationId = signal<string | undefined>(undefined);
  readonly title = signal("");
  /** Questions that wait for the end of the running reply, in their order. */
  readonly queued = signal<readonly QueuedView[]>([]);
  readonly attachments = signal<readonly AttachmentView[]>([]);
  /** Context of the next request; undefined until the host sends the first meter. */
  readonly meter = signal<MeterView | undefined>(undefined);
  /** The user's choices of what is sent, and summaries; undefined until the first choice is known. */
  readonly sending = signal<SendingShown | undefined>(undefined);
  /** Questions that were asked aside, with their replies. */
  readonly asides = signal<readonly AsideModel[]>([]);
  /** Links to forks and of a fork; undefined without any. */
  readonly forks = signal<ForksShown | undefined>(undefined);
  /** Latest other conversations, while an empty conversation is shown. */
  readonly recent = signal<readonly HistoryRow[]>([]);
  /** Colors of code; undefined if the theme cannot be read, "unknown" until it was read. */
  readonly tokenTheme = signal<TokenTheme | undefined | "unknown">("unknown");
  private readonly applied = new Emitter<ToView>();
  private readonly replyEnds = new Emitter<ReplyEnd>();
  private byId = new Map<string, MessageModel>();

  /**
   * Return false if the message does not fit the current state. Messages without a handler leave no state
   * here; see the subscriptions with `on`.
   */
  private readonly handlers: Partial<Handlers<ToView, ToView["type"], boolean>> = {
    snapshot: (message) => this.showSnapshot(message),
    "earlier-shown": (message) => this.showEarlier(message),
    "messages-shown": (message) => this.showMessages(message),
    "turn-delta": (message) => this.appendText(message),
    "thinking-delta": (message) => this.appendThinking(message),
    "message-changed": ({ message }) => this.changeMessage(message),
    "turn-status": (message) => this.showStatus(message),
    "panel-changed": ({ panel }) => set(this.panel, panel),
    "attachments-changed": ({ attachments }) => set(this.attachments, attachments),
    "queue-changed": ({ queued }) => set(this.queued, queued),
    "meter-changed": ({ meter }) => set(this.meter, meter),
    "title-changed": ({ title }) => set(this.title, title),
    "recent-shown": ({ rows }) => set(this.recent, rows),
    "sending-shown": (message) => set(this.sending, message),
    "asides-shown": ({ asides }) => this.showAsides(asides),
    "forks-shown": (message) => set(this.forks, message),
    "theme-read": ({ theme }) => set(this.tokenTheme, theme),
  };

  /** Fires when a reply is no longer streaming. */
  readonly onReplyEnded = this.replyEnds.event;

  /** Applies a message of the host; false if the message does not fit the current state. */
  apply(message: ToView): boolean {
    return batch(() => {
      const handle = this.handlers[message.type] as ((message: ToView) => boolean) | undefined;
      const isApplied = handle?.(message) ?? true;
      if (isApplied) this.applied.fire(message);
      return isApplied;
    });
  }

  /** Returns the reply with this id, if it is on the shown path. */
  reply(id: string): ReplyModel | undefined {
    const model = this.byId.get(id);
    return model?.role === "assistant" ? model : undefined;
  }

  /** Resolves to the id of the shown conversation, once a conversation is shown. */
  async shownId(): Promise<string> {
    const id = this.conversationId.peek();
    if (id !== undefined) return id;
    return new Promise((resolve) => {
      const shown = this.on("snapshot", ({ conversationId }) => {
        shown.dispose();
        resolve(conversationId);
      });
    });
  }

  /** Subscribes to the messages of a type; called after the store has applied the message. */
  on<Type extends ToView["type"]>(
    type: Type,
    listener: (message: MessageOf<ToView, Type>) => void,
  ): Disposable {
    return this.applied.event((message) => {
      if (message.type === type) listener(message as MessageOf<ToView, Type>);
    });
  }

  private showSnapshot(message: MessageOf<ToView, "snapshot">): boolean {
    this.earlierCount.value = message.earlierCount;
    this.setMessages(message.messages.map((view) => this.modelOf(view)));
    this.panel.value = message.panel;
    this.turnStatus.value = new Map();
    this.title.value = message.title;
    this.queued.value = message.queued;
    this.attachments.value = message.attachments;
    if (message.conversationId !== this.conversationId.value) {
      this.meter.value = undefined;
      this.sending.value = undefined;
      this.forks.value = undefined;
      this.showAsides([]);
      this.recent.value = [];
    }
    this.conversationId.value = message.conversationId;
    return true;
  }

  private showEarlier(message: MessageOf<ToView, "earlier-shown">): boolean {
    const messages = this.messages.peek();
    if (messages[0]?.id !== message.beforeId) return false;
    this.earlierCount.value -= message.messages.length;
    this.setMessages([...message.messages.map((view) => this.modelOf(view)), ...messages]);
    return true;
  }

  private showMessages(message: MessageOf<ToView, "messages-shown">): boolean {
    let messages = this.messages.value;
    if (message.removedFromId !== undefined) {
      const index = messages.findIndex(({ id }) => id === message.removedFromId);
      if (index < 0) return false;
      messages = messages.slice(0, index);
    }
    const keptIds = new Set(messages.map(({ id }) => id));
    if (message.messages.some(({ id }) => keptIds.has(id))) return false;
    this.setMessages([...messages, ...message.messages.map((view) => this.modelOf(view))]);
    return true;
  }

  private appendText(delta: MessageOf<ToView, "turn-delta">): boolean {
    const model = this.byId.get(delta.messageId);
    return model?.role === "assistant" && model.text.appendAt(delta.offset, delta.text);
  }

  private showStatus(message: MessageOf<ToView, "turn-status">): boolean {
    const { messageId, text, untilMs, isProgress = false } = message;
    this.setStatus(messageId, text === "" ? undefined : { text, untilMs, isProgress });
    return true;
  }

  private setStatus(messageId: string, status: ShownTurnStatus | undefined): void {
    const all = new Map(this.turnStatus.peek());
    if (status) all.set(messageId, status);
    else if (!all.delete(messageId)) return;
    this.turnStatus.value = all;
  }

  private appendThinking(delta: MessageOf<ToView, "thinking-delta">): boolean {
    const model = this.byId.get(delta.messageId);
    if (model?.role !== "assistant") return false;
    const { thinking } = model;
    thinking.append(delta.text);
    if (thinking.whole.length > MAX_THINKING)
      thinking.setText(thinking.whole.slice(-KEPT_THINKING));
    return true;
  }

  private changeMessage(view: MessageView): boolean {
    const model = this.byId.get(view.id);
    if (model?.role === "user" && view.role === "user") model.view.value = view;
    if (model?.role === "assistant" && view.role === "assistant") this.changeReply(model, view);
    return true;
  }

  private changeReply(model: ReplyModel, view: ReplyView): void {
    const hasEnded = model.view.value.isStreaming && !view.isStreaming;
    model.view.value = view;
    if (!hasEnded) return;
    this.setStatus(model.id, undefined);
    this.replyEnds.fire({ messageId: model.id, notice: view.notice });
  }

  private showAsides(views: readonly AsideView[]): boolean {
    this.asides.value = views.map((view) => {
      const reply = view.reply && this.modelOf(view.reply);
      return { view, reply: reply?.role === "assistant" ? reply : undefined };
    });
    this.indexModels();
    return true;
  }

  private indexModels(): void {
    const replies = this.asides.peek().flatMap(({ reply }) => reply ?? []);
    const all = [...this.messages.peek(), ...replies];
    this.byId = new Map(all.map((model) => [model.id, model]));
  }

  private setMessages(models: readonly MessageModel[]): void {
    this.messages.value = models;
    this.indexModels();
    let count = 0;
    let question: UserModel | undefined;
    for (const model of models) {
      if (model.role === "user") {
        set(model.number, ++count);
        question = model;
      } else set(model.question, question);
    }
    this.questionCount.value = count;
  }

  private modelOf(view: MessageView): MessageModel {
    const stored = this.byId.get(view.id);
    if (view.role === "user") {
      if (stored?.role !== "user") {
        return { role: "user", id: view.id, view: signal(view), number: signal(0) };
      }
      stored.view.value = view;
      return stored;
    }
    if (stored?.role !== "assistant") {
      const text = new ReplyText(view.text);
      const thinking = new ReplyText(view.thinking?.text ?? "");
      const question = signal<UserModel | undefined>(undefined);
      const shown = signal(view);
      return { role: "assistant", id: view.id, view: shown, text, thinking, question };
    }
    stored.text.setText(view.text);
    stored.thinking.setText(view.thinking?.text ?? "");
    this.changeReply(stored, view);
    return stored;
  }
}

function set<T>(target: Signal<T>, value: T): true {
  target.value = value;
  return true;
}
