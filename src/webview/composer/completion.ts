import { t } from "@vscode/l10n";
import { computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { bestMatches, matchScore, PREFIX_SCORE, SUBSTRING_SCORE } from "../../base/fuzzy";
import type { MessageOf } from "../../protocol/handlers";
import type { ToView } from "../../protocol/toView";
import type { PromptView, ReferenceView } from "../../protocol/views";
import type { Host } from "../state/host";
import type { PanelStore } from "../state/store";
import { fieldsIn, fieldsOfPrompt } from "./promptFields";
import type { ComposerDraft } from "../state/draft";

/** Debounce of requests to the host, in milliseconds. */
const ASK_AFTER_MS = 60;

/** Silence of the host after which a waiting key is dropped, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Upper limit of listed prompts. */
const MAX_PROMPTS = 50;

const ASIDE = "aside";

/** Upper limit of the text after "#", in UTF-16 units. */
const MAX_TYPED = 100;

export type CompletionItem =
  | { readonly kind: "reference"; readonly index: number; readonly reference: ReferenceView }
  | { readonly kind: "prompt"; readonly prompt: PromptView }
  /** Command before a question, without the slash. */
  | { readonly kind: "command"; readonly name: "aside" };

/** Word at the caret. Offsets are in UTF-16 units of the composer's text. */
interface Word {
  readonly mark: "#" | "/";
  readonly start: number;
  readonly end: number;
  /** Text after the mark. */
  readonly typed: string;
}

/** Last answer of the host, and the text after "#" that it is for. */
interface Found {
  readonly query: number;
  readonly typed: string;
  readonly items: readonly ReferenceView[];
  readonly isComplete: boolean;
}

const NOTHING_FOUND: Found = { query: 0, typed: "", items: [], isComplete: false };

/** Enter or Tab that was pressed before the list was complete. */
type AcceptKey = "Enter" | "Tab";

/**
 * Completes "#" references through the host, "/" prompts and commands; shown by completionList.tsx. Enter takes
 * the first item only from the complete list for the typed text. An empty complete list means that
 * the word is text.
 */
export class CompletionController {
  private readonly word = signal<Word | undefined>(undefined);
  private readonly found = signal<Found>(NOTHING_FOUND);
  /** Key of the item that the user moved to. */
  private readonly movedTo = signal<string | undefined>(undefined);
  private readonly waiting = signal<AcceptKey | undefined>(undefined);
  private asked = { query: 0, typed: "" };
  private timer: Disposable | undefined;
  private patience: Disposable | undefined;
  private conversationId: string | undefined;
  private dismissedStart: number | undefined;
  /** Word whose list was closed with Escape. */
  private dismissedWord: string | undefined;

  /** Items to choose from; empty closes the list. */
  readonly items: ReadonlySignal<readonly CompletionItem[]> = computed(() => this.rankedItems());
  /** Index of the item that Enter chooses. */
  readonly active: ReadonlySignal<number> = computed(() => Math.max(0, this.movedIndex.value));
  /** True until the list for the typed text is complete. */
  readonly isSearching: ReadonlySignal<boolean> = computed(() => {
    const word = this.word.value;
    if (word === undefined) return false;
    if (word.mark === "/")
      return this.store.panel.value?.isListingPrompts ?? !this.store.panel.value;
    const { typed, isComplete } = this.found.value;
    return !isComplete || typed !== word.typed;
  });
  /** True while Enter or Tab waits for the list. */
  readonly isWaiting: ReadonlySignal<boolean> = computed(() => this.waiting.value !== undefined);

  private readonly movedIndex = computed(() => {
    const key = this.movedTo.value;
    return key === undefined ? -1 : this.items.value.findIndex((item) => keyOf(item) === key);
  });

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly draft: ComposerDraft,
    private readonly clock: Clock,
  ) {
    store.on("references-found", (found) => this.showFound(found));
    store.on("snapshot", ({ conversationId }) => this.followSnapshot(conversationId));
    effect(() => {
      if (!this.isSearching.value) untracked(() => this.endWait());
    });
  }

  /** Updates the list for a text and a caret without a selection. */
  update(text: string, caret: number): void {
    const word = wordAt(text, caret);
    if (word?.start !== this.dismissedStart) this.dismissedStart = undefined;
    if (word === undefined || this.dismissedStart !== undefined) this.close();
    else this.setWord(word);
  }

  /** Changes the active item; wraps at the ends. */
  moveActive(step: -1 | 1): void {
    const items = this.items.peek();
    const next = items.at((this.active.peek() + step) % items.length);
    this.stopWaiting();
    this.movedTo.value = next && keyOf(next);
  }

  /**
   * Handles Enter or Tab at the caret: takes an item, or waits for the list. Returns false if the key
   * is not for the list.
   */
  acceptKey(key: AcceptKey, text: string, caret: number): boolean {
    this.update(text, caret);
    if (key === "Enter" && this.word.peek() === undefined) return this.acceptLoneWord(text);
    return this.accept(key);
  }

  /**
   * Handles sending of a text that is a single "#" or "/" word, which is not a question until the list
   * is known to be empty. Returns false for any other text.
   */
  acceptLoneWord(text: string): boolean {
    const end = text.trimEnd().length;
    const word = wordAt(text, end);
    // A command was completed, and its question is missing.
    if (word?.typed === ASIDE && end < text.length) return false;
    if (word === undefined || text.slice(0, word.start).trim() !== "") return false;
    if (halfWidth(text.slice(word.start, end)) === this.dismissedWord) return false;
    this.setWord(word);
    return this.accept("Enter");
  }

  /** Replaces the word by the prompt's text or by the reference's name. */
  chooseItem(item: CompletionItem): void {
    const word = this.word.peek();
    const text = this.draft.text.peek();
    if (!isWordOf(text, word)) {
      this.close();
      return;
    }
    const textAfter = text.slice(word.end);
    if (item.kind === "prompt" && item.prompt.path !== undefined) {
      this.close();
      void this.insertPromptFile(item.prompt.name, text, textAfter);
      return;
    }
    if (item.kind === "prompt" && item.prompt.isAboutCode === true) {
      // The page has the text; the host attaches the code, or what is selected is enough.
      this.draft.attachCode(item.prompt.name);
    }
    const replacement = replacementOf(item, textAfter);
    this.close();
    const replaced = text.slice(0, word.start) + replacement + textAfter;
    if (item.kind === "prompt") {
      this.insertPrompt(replacement, replaced);
      return;
    }
    this.draft.setText(replaced);
    if (item.kind === "command") {
      const caret = replacement.length;
      this.draft.focus([caret, caret]);
      return;
    }
    const { query } = this.found.peek();
    this.draft.attach({ type: "reference-picked", query, index: item.index });
    this.draft.focus();
  }

  /** Closes the list until the caret is in another word. */
  dismiss(): void {
    const word = this.word.peek();
    this.dismissedStart = word?.start;
    this.dismissedWord = word && word.mark + word.typed;
    this.close();
  }

  close(): void {
    this.timer?.dispose();
    this.stopWaiting();
    const { mark } = this.word.peek() ?? {};
    if (mark === undefined) return;
    this.word.value = undefined;
    if (mark === "#") this.host.send({ type: "references-left" });
  }

  private setWord(word: Word): void {
    const before = this.word.peek();
    if (before?.mark === word.mark && before.typed === word.typed && before.start === word.start) {
      return;
    }
    if (before?.start !== word.start || before.mark !== word.mark) this.found.value = NOTHING_FOUND;
    this.stopWaiting();
    this.movedTo.value = undefined;
    this.word.value = word;
    this.timer?.dispose();
    if (word.mark === "#") this.timer = this.clock.after(ASK_AFTER_MS, () => this.ask(word.typed));
  }

  private accept(key: AcceptKey): boolean {
    if (this.word.peek() === undefined) return false;
    if (this.waiting.peek() !== undefined) return true; // The key was pressed twice.
    const isSearching = this.isSearching.peek();
    // A row that the user moved to is chosen from any list.
    const index = isSearching ? this.movedIndex.peek() : this.active.peek();
    const item = this.items.peek()[index];
    if (item !== undefined) this.chooseItem(item);
    else if (isSearching) this.startWaiting(key);
    else return false;
    return true;
  }

  private startWaiting(key: AcceptKey): void {
    this.waiting.value = key;
    this.draft.dismissRefusals();
    this.renewPatience();
  }

  /** Ends the wait for a list after silence. Before the first snapshot the host is still starting. */
  private renewPatience(): void {
    this.patience?.dispose();
    this.patience = undefined;
    if (this.waiting.peek() === undefined || this.conversationId === undefined) return;
    this.patience = this.clock.after(PATIENCE_MS, () => {
      const word = this.word.peek();
      this.waiting.value = undefined;
      if (word === undefined) return;
      const name = word.mark + word.typed;
      this.draft.showWarning(
        t(
          "The search for {0} takes too long, so nothing was sent. Press Enter to wait again, or Escape to keep the text.",
          name,
        ),
      );
    });
  }

  private stopWaiting(): void {
    this.waiting.value = undefined;
    this.renewPatience();
  }

  private endWait(): void {
    const key = this.waiting.peek();
    const word = this.word.peek();
    if (key === undefined) return;
    this.stopWaiting();
    const [first] = this.items.peek();
    if (first === undefined) {
      this.close();
      if (key === "Enter" && isWordOf(this.draft.text.peek(), word)) void this.draft.send();
    } else if (word !== undefined && scoreOf(word.typed.toLowerCase(), first) >= SUBSTRING_SCORE) {
      this.chooseItem(first);
    }
    // The user has not seen a weaker match: the list stays open.
  }

  /** Replaces "/name" by the text of the prompt's file, unless the user typed since. */
  private async insertPromptFile(name: string, typed: string, rest: string): Promise<void> {
    try {
      const { text } = await this.host.request({ type: "prompt-asked", name });
      if (text === undefined || this.draft.text.peek() !== typed) return;
      this.insertPrompt(text, text + rest);
    } catch {
      // The host showed why there is no text.
      this.draft.focus();
    }
  }

  /** Shows the text with the prompt, and selects its first field, so that typing replaces it. */
  private insertPrompt(prompt: string, text: string): void {
    this.draft.insertPrompt(text, fieldsOfPrompt(prompt));
    const [first] = fieldsIn(text, this.draft.fields.peek());
    this.draft.focus(first && [first.start, first.end]);
  }

  private ask(typed: string): void {
    this.asked = { query: this.asked.query + 1, typed };
    this.host.send({ type: "references-asked", query: this.asked.query, text: typed });
  }

  private showFound({ query, items, isComplete }: MessageOf<ToView, "references-found">): void {
    const { typed } = this.asked;
    if (query !== this.asked.query || !this.word.peek()) return;
    this.found.value = { query, typed, items, isComplete };
    this.renewPatience();
  }

  /** Closes the list with its conversation; a snapshot of the same one may have replaced an answer. */
  private followSnapshot(conversationId: string): void {
    const before = this.conversationId;
    this.conversationId = conversationId;
    if (before !== undefined && before !== conversationId) {
      this.close();
      return;
    }
    const word = this.word.peek();
    if (word?.mark === "#" && this.isSearching.peek()) this.ask(word.typed);
    this.renewPatience();
  }

  /** Returns the prompts, and the commands that a text can begin with now. */
  private slashItems(): readonly CompletionItem[] {
    const prompts = this.store.panel.value?.prompts ?? [];
    const items = prompts.map((prompt) => ({ kind: "prompt" as const, prompt }));
    const canAskAside = this.store.messages.value.length > 0 && !this.draft.editing.value;
    // Of the same name, the user's own prompt is meant.
    if (!canAskAside || prompts.some(({ name }) => name === ASIDE)) return items;
    return [...items, { kind: "command", name: ASIDE }];
  }

  /** Returns the matching items of the last answer, which may be for fewer letters. */
  private rankedItems(): readonly CompletionItem[] {
    const word = this.word.value;
    if (word === undefined) return [];
    const typed = word.typed.toLowerCase();
    if (word.mark === "/") {
      return bestMatches(this.slashItems(), (item) => scoreOf(typed, item), MAX_PROMPTS);
    }
    const items = this.found.value.items.map((reference, index) => {
      const item = { kind: "reference" as const, index, reference };
      return { item, score: scoreOf(typed, item) };
    });
    const matching = items.filter(({ score }) => score > 0);
    // The host's order, after the names that begin with the typed letters.
    const isPrefix = ({ score }: { readonly score: number }) => score >= PREFIX_SCORE;
    return [...matching.filter(isPrefix), ...matching.filter((one) => !isPrefix(one))].map(
      ({ item }) => item,
    );
  }
}

/** Returns the text in place of the word, before the rest of the text. */
function replacementOf(item: CompletionItem, rest: string): string {
  if (item.kind === "prompt") return item.prompt.text;
  if (item.kind === "command") return `/${item.name}${/^\s/.test(rest) ? "" : " "}`;
  return nameBefore(rest, item.reference);
}

function keyOf(item: CompletionItem): string {
  if (item.kind === "prompt") return item.prompt.name;
  if (item.kind === "command") return `/${item.name}`;
  const { kind, label, detail } = item.reference;
  return `${kind} ${detail}/${label}`;
}

function scoreOf(typed: string, item: CompletionItem): number {
  if (item.kind === "prompt") return matchScore(typed, item.prompt.name.toLowerCase());
  if (item.kind === "command") return matchScore(typed, item.name);
  const { kind, label, detail, name = label } = item.reference;
  const isInPath = ["file", "picture", "folder", "symbol"].includes(kind);
  const path = isInPath && detail !== "" ? `${detail}/${label}` : label;
  return Math.max(...[path, name].map((one) => matchScore(typed, one.toLowerCase())));
}

/** Returns false if another view changed the text since the word was read. */
function isWordOf(text: string, word: Word | undefined): word is Word {
  if (word === undefined) return false;
  return halfWidth(text.slice(word.start, word.end)) === word.mark + word.typed;
}

/** Returns the label, with a space unless punctuation or space follows. */
function nameBefore(rest: string, { label }: ReferenceView): string {
  return /^[\s.,;:!?)\]}'"、，。；：！？）」』]/.test(rest) ? label : `${label} `;
}

/** Returns a text of the same length with the marks that Chinese and Japanese keyboards type as "#" and "/". */
function halfWidth(text: string): string {
  return text.replaceAll("＃", "#").replaceAll("／", "/");
}

/** Finds "#" unless after a Latin letter, a digit or a character of a URL, and "/" at the very start. */
function wordAt(full: string, caret: number): Word | undefined {
  const text = halfWidth(full);
  const before = text.slice(Math.max(0, caret - MAX_TYPED - 1), caret);
  const slash = /^\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  if (slash) return { mark: "/", start: 0, end: caret, typed: slash[1] ?? "" };
  const hash = /(?<![\p{Script=Latin}\p{N}_#/&])#([^\s#]*)$/u.exec(before);
  if (hash === null) return undefined;
  const typed = hash[1] ?? "";
  return { mark: "#", start: caret - typed.length - 1, end: caret, typed };
}
