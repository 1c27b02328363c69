import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { bestMatches, matchScore } from "../../base/fuzzy";
import type { PromptView, ReferenceView } from "../../protocol/views";
import type { Host } from "../state/host";
import type { PanelStore } from "../state/store";
import type { ComposerDraft } from "../state/draft";

/** Debounce of requests to the host, in milliseconds. */
const ASK_AFTER_MS = 60;

/** Upper limit of listed prompts. */
const MAX_PROMPTS = 50;

/** Upper limit of the text after "#", in UTF-16 units. */
const MAX_TYPED = 100;

export type CompletionItem =
  | { readonly kind: "reference"; readonly index: number; readonly reference: ReferenceView }
  | { readonly kind: "prompt"; readonly prompt: PromptView };

/** Word at the caret. Offsets are in UTF-16 units of the composer's text. */
interface Word {
  readonly mark: "#" | "/";
  readonly start: number;
  readonly end: number;
  /** Text after the mark. */
  readonly typed: string;
}

/** Completes "#" references through the host and "/" prompts; shown by completionList.tsx. */
export class CompletionController {
  private readonly word = signal<Word | undefined>(undefined);
  private readonly found = signal<{ query: number; items: readonly ReferenceView[] }>({
    query: 0,
    items: [],
  });
  private readonly activeIndex = signal(0);
  private query = 0;
  private timer: Disposable | undefined;
  /** Start of the word whose list was closed with Escape. */
  private dismissedStart: number | undefined;

  /** Items to choose from; empty closes the list. */
  readonly items: ReadonlySignal<readonly CompletionItem[]> = computed(() => this.filterItems());
  /** Index of the item that Enter chooses. */
  readonly active: ReadonlySignal<number> = computed(() =>
    Math.min(this.activeIndex.value, Math.max(0, this.items.value.length - 1)),
  );

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly draft: ComposerDraft,
    private readonly clock: Clock,
  ) {
    store.on("references-found", ({ query, items }) => this.showFound(query, items));
    store.on("snapshot", () => this.close());
  }

  /** Updates the list for a text and a caret without a selection. */
  update(text: string, caret: number): void {
    const word = wordAt(text, caret);
    if (word?.start !== this.dismissedStart) this.dismissedStart = undefined;
    if (word === undefined || this.dismissedStart !== undefined) {
      this.close();
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

  /** Changes the active item; wraps at the ends. */
  moveActive(step: -1 | 1): void {
    const { length } = this.items.peek();
    if (length > 0) this.activeIndex.value = (this.active.peek() + step + length) % length;
  }

  /** Replaces the word by the prompt's text or by the reference's name. */
  chooseItem(item: CompletionItem): void {
    const word = this.word.peek();
    if (word === undefined) return;
    const text = this.draft.text.peek();
    const rest = text.slice(word.end);
    if (item.kind === "prompt" && item.prompt.path !== undefined) {
      this.close();
      void this.insertPromptFile(item.prompt.name, text, rest);
      return;
    }
    if (item.kind === "prompt" && item.prompt.isAboutCode === true) {
      // The page has the text; the host attaches the code and reports a failure.
      void this.host
        .request({ type: "prompt-asked", name: item.prompt.name, isAboutCode: true })
        .catch(() => undefined);
    }
    const replacement =
      item.kind === "prompt" ? item.prompt.text : nameBefore(rest, item.reference);
    this.close();
    this.draft.setText(text.slice(0, word.start) + replacement + rest);
    if (item.kind === "reference") {
      const { query } = this.found.peek();
      this.host.send({ type: "reference-picked", query, index: item.index });
    }
    this.draft.focus();
  }

  /** Closes the list until the caret is in another word. */
  dismiss(): void {
    this.dismissedStart = this.word.peek()?.start;
    this.close();
  }

  /** Closes the list. */
  close(): void {
    this.timer?.dispose();
    const { mark } = this.word.peek() ?? {};
    if (mark === undefined) return;
    this.word.value = undefined;
    if (mark === "#") this.host.send({ type: "references-left" });
  }

  /** Replaces "/name" by the text of the prompt's file, unless the user typed since. */
  private async insertPromptFile(name: string, typed: string, rest: string): Promise<void> {
    try {
      const { text } = await this.host.request({ type: "prompt-asked", name });
      if (text === undefined || this.draft.text.peek() !== typed) return;
      this.draft.setText(text + rest);
      // The first value to enter is selected, so that typing replaces it.
      const input = /\$\{input:[^}\n]{1,200}\}/.exec(text);
      this.draft.focus(input ? [input.index, input.index + input[0].length] : undefined);
    } catch {
      // The host showed why there is no text.
      this.draft.focus();
    }
  }

  private ask(text: string): void {
    this.query += 1;
    this.host.send({ type: "references-asked", query: this.query, text });
  }

  private showFound(query: number, items: readonly ReferenceView[]): void {
    if (query === this.query && this.word.peek()) this.found.value = { query, items };
  }

  /** Filters the last answer by the text typed since its request. */
  private filterItems(): readonly CompletionItem[] {
    const word = this.word.value;
    if (word === undefined) return [];
    const typed = word.typed.toLowerCase();
    if (word.mark === "/") {
      const prompts = this.store.panel.value?.prompts ?? [];
      const matching = bestMatches(
        prompts,
        ({ name }) => matchScore(typed, name.toLowerCase()),
        MAX_PROMPTS,
      );
      return matching.map((prompt) => ({ kind: "prompt", prompt }));
    }
    return this.found.value.items.flatMap((reference, index) => {
      const { kind, label, detail } = reference;
      // The host matches the other kinds by more names than the label.
      const isNamed = ["file", "picture", "folder", "symbol"].includes(kind);
      if (isNamed && matchScore(typed, `${detail}/${label}`.toLowerCase()) === 0) return [];
      return [{ kind: "reference" as const, index, reference }];
    });
  }
}

/** Returns the label, with a space unless punctuation or space follows. */
function nameBefore(rest: string, { label }: ReferenceView): string {
  return /^[\s.,;:!?)\]}'"、，。；：！？）」』]/.test(rest) ? label : `${label} `;
}

/** Finds "#" unless after a Latin letter, a digit or a character of a URL, and "/" at the very start. */
function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(Math.max(0, caret - MAX_TYPED - 1), caret);
  const slash = /^\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  if (slash) return { mark: "/", start: 0, end: caret, typed: slash[1] ?? "" };
  // A branch follows "#diff" after a space.
  const hash = /(?<![\p{Script=Latin}\p{N}_#/&])#((?:diff )?[^\s#]*)$/u.exec(before);
  if (hash === null) return undefined;
  const typed = hash[1] ?? "";
  return { mark: "#", start: caret - typed.length - 1, end: caret, typed };
}
