/**
 * State of the page as signals. Only the host client writes to the store; components read.
 */
import { batch, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { Emitter } from "../../base/event";
import type { ToView } from "../../protocol/messages";
import type {
  AttachmentView,
  MessageView,
  MeterView,
  NoticeView,
  PanelView,
  QueuedView,
  ReplyView,
  ScrollView,
  TokenTheme,
  UserView,
} from "../../protocol/views";
import { ReplyText } from "./replyText";

export interface UserModel {
  readonly role: "user";
  readonly id: string;
  readonly view: Signal<UserView>;
}

/** A reply. The texts of `view` are the initial texts; the current ones are in `text` and `thinking`. */
export interface ReplyModel {
  readonly role: "assistant";
  readonly id: string;
  readonly view: Signal<ReplyView>;
  readonly text: ReplyText;
  readonly thinking: ReplyText;
}

export type MessageModel = UserModel | ReplyModel;

/** Status under a running reply; `%s` in `text` is replaced by the seconds until `untilMs`. */
export interface ShownTurnStatus {
  readonly messageId: string;
  readonly text: string;
  readonly untilMs: number | undefined;
  /** True for repeated progress, which screen readers announce once. */
  readonly isProgress: boolean;
}

export type HistoryShown = Extract<ToView, { type: "history-shown" }>;

/** A picture that the page draws for the host. */
export type PictureJob = Extract<ToView, { type: "picture-job" }>;

/** Messages that happen once and leave no state in the store, and the snapshot. */
type EventMessage = Extract<
  ToView,
  {
    type:
      | "snapshot"
      | "turn-delta"
      | "references-found"
      | "draft-restored"
      | "draft-taken"
      | "draft-shown"
      | "draft-saved"
      | "focus-asked"
      | "history-opened"
      | "history-shown"
      | "picture-job"
      | "picture-editor-opened"
      | "clipboard-picture-asked"
      | "notice-shown"
      | "said";
  }
>;

/** Fired after the store has applied the message. */
export type StoreEvent =
  | EventMessage
  | {
      readonly type: "reply-ended";
      readonly messageId: string;
      /** The ending, unless complete. */
      readonly notice: NoticeView | undefined;
    };

/** Longest thinking in the page, and the end of it that stays, in UTF-16 units. */
const MAX_THINKING = 1_000_000;
const KEPT_THINKING = 500_000;

export class PanelStore {
  private readonly messageList = signal<readonly MessageModel[]>([]);
  private readonly panelView = signal<PanelView | undefined>(undefined);
  private readonly status = signal<ShownTurnStatus | undefined>(undefined);
  private readonly shownId = signal<string | undefined>(undefined);
  private readonly titleText = signal("");
  private readonly queuedViews = signal<readonly QueuedView[]>([]);
  private readonly attachmentViews = signal<readonly AttachmentView[]>([]);
  private readonly meterView = signal<MeterView | undefined>(undefined);
  private readonly theme = signal<TokenTheme | undefined | "unknown">("unknown");
  private readonly events = new Emitter<StoreEvent>();
  private byId = new Map<string, MessageModel>();

  /** Messages on the shown path, oldest first. */
  readonly messages: ReadonlySignal<readonly MessageModel[]> = this.messageList;
  /** Undefined until the first snapshot. */
  readonly panel: ReadonlySignal<PanelView | undefined> = this.panelView;
  readonly turnStatus: ReadonlySignal<ShownTurnStatus | undefined> = this.status;
  /** Undefined until the first snapshot. */
  readonly conversationId: ReadonlySignal<string | undefined> = this.shownId;
  readonly title: ReadonlySignal<string> = this.titleText;
  /** Questions that wait for the end of the running reply, in their order. */
  readonly queued: ReadonlySignal<readonly QueuedView[]> = this.queuedViews;
  /** Attachments of the draft. */
  readonly attachments: ReadonlySignal<readonly AttachmentView[]> = this.attachmentViews;
  /** Undefined until the host sends it. */
  readonly meter: ReadonlySignal<MeterView | undefined> = this.meterView;
  /** Colours of code; undefined if the theme cannot be read, "unknown" until it was read. */
  readonly tokenTheme: ReadonlySignal<TokenTheme | undefined | "unknown"> = this.theme;
  /** Scroll position that the snapshot had; undefined for the end. */
  hostScroll: ScrollView | undefined;
  readonly onEvent = this.events.event;

  /** Applies a message of the host; false if the message does not fit the current state. */
  apply(message: ToView): boolean {
    switch (message.type) {
      case "snapshot":
        this.showSnapshot(message);
        return true;
      case "messages-shown":
        return this.showMessages(message);
      case "turn-delta":
        return this.appendText(message);
      case "thinking-delta":
        return this.appendThinking(message);
      case "message-changed":
        this.changeMessage(message.message);
        return true;
      case "turn-status": {
        const { messageId, text, untilMs, isProgress = false } = message;
        this.status.value = text === "" ? undefined : { messageId, text, untilMs, isProgress };
        return true;
      }
      case "panel-changed":
        this.panelView.value = message.panel;
        return true;
      case "attachments-changed":
        this.attachmentViews.value = message.attachments;
        return true;
      case "queue-changed":
        this.queuedViews.value = message.queued;
        return true;
      case "meter-changed":
        this.meterView.value = message.meter;
        return true;
      case "title-changed":
        this.titleText.value = message.title;
        return true;
      case "theme-read":
        this.theme.value = message.theme;
        return true;
      case "references-found":
      case "draft-restored":
      case "draft-taken":
      case "draft-shown":
      case "draft-saved":
      case "focus-asked":
      case "history-opened":
      case "history-shown":
      case "picture-job":
      case "picture-editor-opened":
      case "clipboard-picture-asked":
      case "notice-shown":
      case "said":
        this.events.fire(message);
        return true;
      default:
        return message satisfies never;
    }
  }

  private showSnapshot(message: Extract<ToView, { type: "snapshot" }>): void {
    batch(() => {
      this.setMessages(message.messages.map((view) => this.modelOf(view)));
      this.panelView.value = message.panel;
      this.status.value = undefined;
      this.titleText.value = message.title;
      this.queuedViews.value = message.queued;
      this.attachmentViews.value = message.attachments;
      this.hostScroll = message.scroll;
      if (message.conversationId !== this.shownId.value) this.meterView.value = undefined;
      this.shownId.value = message.conversationId;
      this.events.fire(message);
    });
  }

  private showMessages(message: Extract<ToView, { type: "messages-shown" }>): boolean {
    let kept = this.messageList.value;
    if (message.removedFromId !== undefined) {
      const index = kept.findIndex(({ id }) => id === message.removedFromId);
      if (index < 0) return false;
      kept = kept.slice(0, index);
    }
    const keptIds = new Set(kept.map(({ id }) => id));
    if (message.messages.some(({ id }) => keptIds.has(id))) return false;
    batch(() => {
      this.setMessages([...kept, ...message.messages.map((view) => this.modelOf(view))]);
    });
    return true;
  }

  private appendText(delta: Extract<ToView, { type: "turn-delta" }>): boolean {
    const model = this.byId.get(delta.messageId);
    if (model?.role !== "assistant" || !model.text.appendAt(delta.offset, delta.text)) return false;
    this.events.fire(delta);
    return true;
  }

  private appendThinking(delta: Extract<ToView, { type: "thinking-delta" }>): boolean {
    const model = this.byId.get(delta.messageId);
    if (model?.role !== "assistant") return false;
    const { thinking } = model;
    thinking.append(delta.text);
    if (thinking.whole.length > MAX_THINKING)
      thinking.setText(thinking.whole.slice(-KEPT_THINKING));
    return true;
  }

  private changeMessage(view: MessageView): void {
    const model = this.byId.get(view.id);
    if (model === undefined) return;
    if (model.role === "user" && view.role === "user") model.view.value = view;
    if (model.role === "assistant" && view.role === "assistant") this.changeReply(model, view);
  }

  private changeReply(model: ReplyModel, view: ReplyView): void {
    const hasEnded = model.view.value.isStreaming && !view.isStreaming;
    model.view.value = view;
    if (!hasEnded) return;
    if (this.status.value?.messageId === model.id) this.status.value = undefined;
    const { id: messageId } = model;
    this.events.fire({ type: "reply-ended", messageId, notice: view.notice });
  }

  private setMessages(models: readonly MessageModel[]): void {
    this.messageList.value = models;
    this.byId = new Map(models.map((model) => [model.id, model]));
  }

  /** Returns the updated model of this id, or a new model. */
  private modelOf(view: MessageView): MessageModel {
    const known = this.byId.get(view.id);
    if (view.role === "user") {
      if (known?.role !== "user") return { role: "user", id: view.id, view: signal(view) };
      known.view.value = view;
      return known;
    }
    if (known?.role !== "assistant") {
      const text = new ReplyText(view.text);
      const thinking = new ReplyText(view.thinking?.text ?? "");
      return { role: "assistant", id: view.id, view: signal(view), text, thinking };
    }
    known.text.setText(view.text);
    known.thinking.setText(view.thinking?.text ?? "");
    this.changeReply(known, view);
    return known;
  }
}
