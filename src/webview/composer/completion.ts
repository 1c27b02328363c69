/**
 * What "#" and "/" in the composer complete: finds the word the caret is in, asks the host what
 * fits, and puts what is chosen in its place. The list is completionList.tsx.
 */
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { bestMatches, matchScore } from "../../base/fuzzy";
import type { PromptView, ReferenceView } from "../../protocol/views";
import type { Host } from "../boot/hostClient";
import type { PanelStore, StoreEvent } from "../state/store";
import type { ComposerDraft } from "./draft";

/** How long typing rests before the host is asked, in milliseconds. */
const ASK_AFTER_MS = 60;

/** Prompts that are offered at once. */
const MAX_PROMPTS = 50;

/** Longest text behind "#" that is a name and not a sentence. */
const MAX_TYPED = 100;

/** One line of the list. */
export type CompletionItem =
  | { readonly kind: "reference"; readonly index: number; readonly reference: ReferenceView }
  | { readonly kind: "prompt"; readonly prompt: PromptView };

/** The word that is completed, in UTF-16 units of the composer's text. */
interface Word {
  readonly mark: "#" | "/";
  readonly start: number;
  readonly end: number;
  /** What stands behind the mark. */
  readonly typed: string;
}

/** One per page. */
export class CompletionController {
  private readonly word = signal<Word | undefined>(undefined);
  private readonly found = signal<{ query: number; items: readonly ReferenceView[] }>({
    query: 0,
    items: [],
  });
  private readonly activeIndex = signal(0);
  private query = 0;
  private timer: Disposable | undefined;
  /** The word that was left by Escape, by its start. */
  private dismissedStart: number | undefined;

  /** What can be chosen now; empty when there is nothing to show. */
  readonly items: ReadonlySignal<readonly CompletionItem[]> = computed(() => this.fitting());
  /** The line that Enter takes. */
  readonly active: ReadonlySignal<number> = computed(() =>
    Math.min(this.activeIndex.value, Math.max(0, this.items.value.length - 1)),
  );

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly draft: ComposerDraft,
    private readonly clock: Clock,
  ) {
    store.onEvent((event) => this.take(event));
  }

  /** The composer says this, with the caret here and nothing selected. */
  follow(text: string, caret: number): void {
    const word = wordAt(text, caret);
    if (word?.start !== this.dismissedStart) this.dismissedStart = undefined;
    if (word === undefined || this.dismissedStart !== undefined) {
      this.leave();
      return;
    }
    const before = this.word.peek();
    if (before?.mark === word.mark && before.typed === word.typed && before.start === word.start) {
      return;
    }
    if (before?.start !== word.start || before.mark !== word.mark) {
      this.found.value = { query: 0, items: [] };
    }
    this.word.value = word;
    this.activeIndex.value = 0;
    this.timer?.dispose();
    if (word.mark === "#") this.timer = this.clock.after(ASK_AFTER_MS, () => this.ask(word.typed));
  }

  /** Up or down, around the ends. */
  move(step: -1 | 1): void {
    const { length } = this.items.peek();
    if (length > 0) this.activeIndex.value = (this.active.peek() + step + length) % length;
  }

  /** Replaces the word by a prompt's text, or by the name of what is attached. */
  choose(item: CompletionItem): void {
    const word = this.word.peek();
    if (word === undefined) return;
    const text = this.draft.text.peek();
    const rest = text.slice(word.end);
    const put = item.kind === "prompt" ? item.prompt.text : nameBefore(rest, item.reference);
    this.leave();
    this.draft.type(text.slice(0, word.start) + put + rest);
    if (item.kind === "reference") {
      const { query } = this.found.peek();
      this.host.send({ type: "reference-picked", query, index: item.index });
    }
    this.draft.focus();
  }

  /** Away with the list; it stays away until another word is begun. */
  dismiss(): void {
    this.dismissedStart = this.word.peek()?.start;
    this.leave();
  }

  /** Nothing is being completed any more. */
  leave(): void {
    this.timer?.dispose();
    const { mark } = this.word.peek() ?? {};
    if (mark === undefined) return;
    this.word.value = undefined;
    if (mark === "#") this.host.send({ type: "references-left" });
  }

  private ask(text: string): void {
    this.query += 1;
    this.host.send({ type: "references-asked", query: this.query, text });
  }

  private take(event: StoreEvent): void {
    if (event.kind === "references-found" && event.query === this.query && this.word.peek()) {
      this.found.value = { query: event.query, items: event.items };
    } else if (event.kind === "conversation-shown") this.leave();
  }

  /** What is shown still fits what was typed since it was asked for. */
  private fitting(): readonly CompletionItem[] {
    const word = this.word.value;
    if (word === undefined) return [];
    const typed = word.typed.toLowerCase();
    if (word.mark === "/") {
      const prompts = this.store.panel.value?.prompts ?? [];
      const fits = bestMatches(
        prompts,
        ({ name }) => matchScore(typed, name.toLowerCase()),
        MAX_PROMPTS,
      );
      return fits.map((prompt) => ({ kind: "prompt", prompt }));
    }
    return this.found.value.items.flatMap((reference, index) => {
      const { kind, label, detail } = reference;
      // The others go by more names than the one that is shown.
      const isNamed = ["file", "picture", "folder", "symbol"].includes(kind);
      if (isNamed && matchScore(typed, `${detail}/${label}`.toLowerCase()) === 0) return [];
      return [{ kind: "reference" as const, index, reference }];
    });
  }
}

/** A name as it stands in a sentence: which file is which can be read there. */
function nameBefore(rest: string, { label }: ReferenceView): string {
  return /^[\s.,;:!?)\]}'"、，。；：！？）」』]/.test(rest) ? label : `${label} `;
}

/** "#" behind anything but a Latin letter, a digit or another sign of an address; "/" first of all. */
function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(Math.max(0, caret - MAX_TYPED - 1), caret);
  const slash = /^\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  if (slash) return { mark: "/", start: 0, end: caret, typed: slash[1] ?? "" };
  const hash = /(?<![\p{Script=Latin}\p{N}_#/&])#([^\s#]*)$/u.exec(before);
  if (hash === null) return undefined;
  const typed = hash[1] ?? "";
  return { mark: "#", start: caret - typed.length - 1, end: caret, typed };
}
