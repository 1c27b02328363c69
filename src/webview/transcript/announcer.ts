/**
 * What screen readers are told: short words at once, and a reply by whole sentences, politely and
 * at most once in a while, so that listening stays possible while text streams.
 */
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { StoreEvent } from "../state/store";
import { SpokenText } from "./spokenText";

/** Shortest time between two announcements of a reply, in milliseconds. */
const READING_INTERVAL_MS = 2000;

/** How long a word is shown, in milliseconds. */
const TOAST_MS = 3500;

/** A short word; numbered, so that the same word said twice is shown and heard twice. */
export interface Toast {
  readonly number: number;
  readonly text: string;
}

/** One per page. */
export class Announcer {
  private readonly readAloud = signal("");
  private readonly shownToast = signal<Toast | undefined>(undefined);
  private reading: { readonly messageId: string; readonly spoken: SpokenText } | undefined;
  private waiting: string[] = [];
  private pause: Disposable | undefined;
  private toastTimer: Disposable | undefined;
  private toastCount = 0;
  private conversationId: string | undefined;

  /** The sentences of a reply that are read now. */
  readonly sentences: ReadonlySignal<string> = this.readAloud;
  /** A short word that is shown for a moment. */
  readonly toast: ReadonlySignal<Toast | undefined> = this.shownToast;

  constructor(
    private readonly clock: Clock,
    /** BCP 47 tag of the language replies are cut into sentences by. */
    private readonly language: string,
  ) {}

  /** Says and shows a short word. */
  say(text: string): void {
    this.toastCount += 1;
    this.shownToast.value = { number: this.toastCount, text };
    this.toastTimer?.dispose();
    this.toastTimer = this.clock.after(TOAST_MS, () => {
      this.shownToast.value = undefined;
    });
  }

  /** Reads a sentence without showing it, after what is waiting to be read. */
  read(text: string): void {
    this.speak([text]);
  }

  /** Listens to what the store tells. */
  take(event: StoreEvent): void {
    if (event.kind === "said") this.say(event.text);
    else if (event.kind === "text-arrived") this.hear(event.messageId, event.text);
    else if (event.kind === "reply-ended" && event.messageId === this.reading?.messageId) {
      this.speak(this.reading.spoken.end());
      this.reading = undefined;
    } else if (event.kind === "conversation-shown") this.turnTo(event.conversationId);
  }

  /** What was being read of another conversation is neither read on nor left to be found. */
  private turnTo(conversationId: string): void {
    this.reading = undefined;
    if (conversationId === this.conversationId) return;
    this.conversationId = conversationId;
    this.waiting = [];
    this.readAloud.value = "";
  }

  private hear(messageId: string, text: string): void {
    if (this.reading?.messageId !== messageId) {
      this.reading = { messageId, spoken: new SpokenText(this.language) };
    }
    this.speak(this.reading.spoken.push(text));
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
    this.readAloud.value = this.waiting.join(" ");
    this.waiting = [];
    this.pause = this.clock.after(READING_INTERVAL_MS, () => this.speakNow());
  }
}
