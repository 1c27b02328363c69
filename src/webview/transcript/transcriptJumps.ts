import type { Jumps, Navigation, NavigationStep, Place } from "../state/navigation";
import type { MessageModel, PanelStore } from "../state/store";
import type { ReplyRenderer } from "./replyRenderer";
import { quotedRange } from "./marking";
import type * as replyPartsModule from "./replyParts";
import type { Scrolling } from "./scrolling";

/** Elements of the parts of a message, in their order. */
const PART_SELECTORS = {
  heading: ":scope > .reply-body :is(h3, h4, h5, h6)",
  picture: ".sent-picture",
} as const;

/** Scrolls the transcript to messages and their parts. */
export class TranscriptJumps implements Jumps {
  private count = 0;
  private replyParts: typeof replyPartsModule | undefined;

  /** @param renderers renderers of the replies that have elements, by id */
  constructor(
    private readonly log: HTMLElement,
    private readonly scrolling: Scrolling,
    private readonly store: PanelStore,
    private readonly navigation: Navigation,
    private readonly renderers: ReadonlyMap<string, ReplyRenderer>,
  ) {
    // Before the first key, whose target would otherwise be shown some frames later.
    requestIdleCallback(() => void this.loadReplyParts().catch(() => undefined));
  }

  async show(place: Place, takesFocus: boolean): Promise<void> {
    const jump = ++this.count;
    const article = await this.articleFor(place.messageId);
    // Another jump may have started while the message was created.
    if (article === undefined || jump !== this.count) return;
    const hasTarget = place.part !== undefined || place.quoted !== undefined;
    if (hasTarget) this.renderers.get(place.messageId)?.renderNow();
    const quoted = place.quoted && (await markQuote(article, place.quoted));
    const target = quoted ?? partOf(article, place.part) ?? article;
    this.scrolling.toElement(target);
    if (takesFocus) focusFirst(target);
  }

  async step(step: NavigationStep): Promise<void> {
    const messages = this.store.messages.peek();
    const from = this.currentIndex(messages);
    const isNext = step === "next-question" || step === "next-code-block";
    if (step === "next-code-block" || step === "previous-code-block") {
      const place = await this.codeBlock(messages, from, isNext);
      if (place) await this.show(place, true);
      return;
    }
    const questionAt = isNext
      ? messages.findIndex(({ role }, index) => role === "user" && index > from)
      : messages.findLastIndex(({ role }, index) => role === "user" && index < from);
    const target = messages[questionAt];
    if (target) await this.show({ messageId: target.id }, true);
  }

  followElement(element: HTMLElement): void {
    this.scrolling.followElement(element);
  }

  currentId(): string | undefined {
    const messages = this.store.messages.peek();
    return messages[this.currentIndex(messages)]?.id;
  }

  savePosition(): () => void {
    const position = this.scrolling.position();
    return () => (position ? this.scrolling.toPosition(position) : this.scrolling.toEnd());
  }

  private async loadReplyParts(): Promise<typeof replyPartsModule> {
    return (this.replyParts ??= await import("./replyParts"));
  }

  /** Returns the next or previous code block, seen from the one being read. */
  private async codeBlock(
    messages: readonly MessageModel[],
    from: number,
    isNext: boolean,
  ): Promise<Place | undefined> {
    // Without an `await` once it is loaded, which could take until the next frame.
    const { codeBlockCount } = this.replyParts ?? (await this.loadReplyParts());
    const blocksRead = this.readBlocks(messages[from]?.id);
    let block = isNext ? blocksRead.count + (blocksRead.isInside ? 1 : 0) : blocksRead.count - 1;
    for (let at = from; at >= 0 && at <= messages.length; at += isNext ? 1 : -1) {
      const model = messages[at];
      const count = model?.role === "assistant" ? codeBlockCount(model) : 0;
      if (at !== from) block = isNext ? 0 : count - 1;
      if (model && block >= 0 && block < count) {
        return { messageId: model.id, part: { kind: "code", index: block } };
      }
    }
    return undefined;
  }

  private readBlocks(messageId: string | undefined): { count: number; isInside: boolean } {
    const article = messageId === undefined ? undefined : this.find(messageId);
    if (article === undefined) return { count: 0, isInside: false };
    const blocks = [...article.querySelectorAll(":scope > .reply-body .code-block")];
    const focused = document.activeElement;
    if (focused === null || !article.contains(focused)) {
      const edge = this.log.getBoundingClientRect().top;
      const count = blocks.filter((block) => block.getBoundingClientRect().top < edge).length;
      return { count, isInside: false };
    }
    const isBefore = (block: Element) =>
      (block.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      !block.contains(focused);
    const isInside = blocks.some((block) => block.contains(focused));
    return { count: blocks.filter(isBefore).length, isInside };
  }

  /** Returns the article of a message, which is created if it is far away. */
  private async articleFor(messageId: string): Promise<HTMLElement | undefined> {
    const article = this.find(messageId);
    if (article) return article;
    this.navigation.seek(messageId);
    await Promise.resolve(); // Preact renders in the microtask that the change has queued.
    return this.find(messageId);
  }

  private find(messageId: string): HTMLElement | undefined {
    const article = `article[data-message-id="${CSS.escape(messageId)}"]`;
    return this.log.querySelector<HTMLElement>(article) ?? undefined;
  }

  /**
   * Returns the index of the message being read: the focused one if it is visible, the number of
   * messages at the end, else the first visible one.
   */
  private currentIndex(messages: readonly MessageModel[]): number {
    const focused = document.activeElement?.closest<HTMLElement>("article");
    const id =
      focused && this.log.contains(focused) && this.isVisible(focused)
        ? focused.dataset["messageId"]
        : this.scrolling.position()?.anchorId;
    return id === undefined ? messages.length : messages.findIndex((model) => model.id === id);
  }

  private isVisible(element: HTMLElement): boolean {
    const box = this.log.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > box.top && top < box.bottom;
  }
}

function partOf(article: HTMLElement, part: Place["part"]): HTMLElement | undefined {
  if (part === undefined) return undefined;
  if (part.kind === "code") {
    const block = `:scope > .reply-body .code-block[data-block="${part.index}"]`;
    return article.querySelector<HTMLElement>(block) ?? undefined;
  }
  return article.querySelectorAll<HTMLElement>(PART_SELECTORS[part.kind])[part.index];
}

const QUOTE_MARK = "core-chat-quote";

/** Time for which a quote is marked, in milliseconds. */
const QUOTE_MARK_MS = 4_000;

/** Marks a quote in its message and returns its first element; undefined if it is not found. */
async function markQuote(
  article: HTMLElement,
  quoted: NonNullable<Place["quoted"]>,
): Promise<HTMLElement | undefined> {
  const toggle = quoted.isThinking ? ".thinking-toggle" : ".question-toggle";
  article.querySelector<HTMLElement>(`${toggle}[aria-expanded=false]`)?.click();
  await Promise.resolve(); // Preact renders in the microtask that the click has queued.
  const range = quotedRange(article, quoted);
  if (range === undefined) return undefined;
  const mark = new Highlight(range);
  CSS.highlights.set(QUOTE_MARK, mark);
  setTimeout(() => {
    if (CSS.highlights.get(QUOTE_MARK) === mark) CSS.highlights.delete(QUOTE_MARK);
  }, QUOTE_MARK_MS);
  return range.startContainer.parentElement ?? undefined;
}

/** Elements of a block or a picture that can have the focus. A diagram hides its code. */
const FOCUSABLE = ":scope > :is(pre, .diagram-container, .thumbnail-button)";

/** Focuses the code or diagram of a block, the button of a picture, or the element itself. */
function focusFirst(element: HTMLElement): void {
  const inner = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const target = inner.find((one) => one.checkVisibility()) ?? element;
  if (target.tagName !== "BUTTON" && !target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
