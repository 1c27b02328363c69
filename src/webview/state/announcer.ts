import { t } from "@vscode/l10n";
import { signal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { PanelStore, ReplyEnd } from "./store";
import { SpokenText } from "./spokenText";

/** Minimum time between two announcements of a reply, in milliseconds. */
const READING_INTERVAL_MS = 2000;

/** Display time of a toast, in milliseconds. */
const TOAST_MS = 3500;

/** Short message. Its number lets the same text be shown and announced twice. */
export interface Toast {
  readonly number: number;
  readonly text: string;
}

/**
 * Announces toasts at once, and a streaming reply by finished sentences at intervals, so that a
 * screen reader keeps up.
 */
export class Announcer {
  /** Sentences of the reply for the live region. */
  readonly sentences = signal("");
  readonly toast = signal<Toast | undefined>(undefined);
  /** Replies that run, of which several can be asides. */
  private readonly reading = new Map<string, SpokenText>();
  private waiting: string[] = [];
  private pause: Disposable | undefined;
  private toastTimer: Disposable | undefined;
  private toastCount = 0;
  private conversationId: string | undefined;
  private queuedCount = 0;

  constructor(
    store: PanelStore,
    private readonly clock: Clock,
    /** BCP 47 tag for the segmentation into sentences. */
    private readonly language: string,
  ) {
    store.on("toast-shown", ({ text }) => this.showToast(text));
    store.on("turn-delta", ({ messageId, text }) => this.readReply(messageId, text));
    store.on("snapshot", ({ conversationId, queued }) => {
      this.changeConversation(conversationId);
      this.queuedCount = queued.length;
    });
    store.on("queue-changed", ({ queued }) => this.followQueue(queued.length));
    store.onReplyEnded((end) => this.finishReply(end));
  }

  /** Shows and announces a short message. */
  showToast(text: string): void {
    this.toastCount += 1;
    this.toast.value = { number: this.toastCount, text };
    this.toastTimer?.dispose();
    this.toastTimer = this.clock.after(TOAST_MS, () => {
      this.toast.value = undefined;
    });
  }

  /** Announces a sentence without showing it, after those that wait. */
  announce(text: string): void {
    this.speak([text]);
  }

  private changeConversation(conversationId: string): void {
    this.reading.clear();
    if (conversationId === this.conversationId) return;
    this.conversationId = conversationId;
    this.waiting = [];
    this.sentences.value = "";
  }

  private followQueue(count: number): void {
    if (count > this.queuedCount)
      this.announce(t("Queued. It will be sent when the current reply is finished."));
    this.queuedCount = count;
  }

  private readReply(messageId: string, text: string): void {
    const spoken = this.reading.get(messageId) ?? new SpokenText(this.language);
    this.reading.set(messageId, spoken);
    this.speak(spoken.push(text));
  }

  private finishReply({ messageId, notice }: ReplyEnd): void {
    const sentences = this.reading.get(messageId)?.end() ?? [];
    this.reading.delete(messageId);
    this.speak([...sentences, ...endingOf(notice)]);
  }

  private speak(sentences: readonly string[]): void {
    this.waiting.push(...sentences);
    if (this.pause === undefined) this.speakNow();
  }

  private speakNow(): void {
    if (this.waiting.length === 0) {
      this.pause = undefined;
      return;
    }
    this.sentences.value = this.waiting.join(" ");
    this.waiting = [];
    this.pause = this.clock.after(READING_INTERVAL_MS, () => this.speakNow());
  }
}

/** Returns how the reply ended; nothing for an error, which interrupts as an alert. */
function endingOf(notice: ReplyEnd["notice"]): readonly string[] {
  if (notice === undefined) return [t("Reply complete.")];
  return notice.tone === "error" ? [] : [notice.text];
}
