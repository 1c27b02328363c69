/** Text that the user marked inside one message. */
import { signal } from "@preact/signals";
import { Disposables, type Disposable } from "../../base/disposables";
import type { QuotedView } from "../../protocol/views";
import { quoteText } from "./quoteText";

export interface Marked {
  readonly quoted: QuotedView;
  /** Markdown for the model. */
  readonly text: string;
  /** Text on one line, for the chip. */
  readonly words: string;
  readonly range: Range;
  /** End of the marking in the page, in CSS pixels. */
  readonly end: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Elements with text that can be quoted. */
const QUOTABLE = ".question-text, .reply-body, .viewer-point-list";

const KEYS: ReadonlySet<string> = new Set([
  ..."ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split(" "),
]);

/** Reads the selection when the user has ended marking, not on each change. */
export class Marking implements Disposable {
  private readonly owned = new Disposables();
  readonly marked = signal<Marked | undefined>(undefined);
  /** False while the text moves because the page scrolls, and while it is out of view. */
  readonly isBarShown = signal(false);
  /** True while Shift is held and a key has changed the selection. */
  private isMarkingByKeys = false;

  constructor() {
    this.listen("pointerup", ({ button, target }) => {
      const isInBar = target instanceof Element && target.closest(".quote-bar") !== null;
      // After the event, as a click removes the selection later. The context menu keeps it.
      if (button === 0 && !isInBar) setTimeout(() => this.read());
    });
    this.listen("keyup", ({ key }) => {
      if (this.isMarkingByKeys && (KEYS.has(key) || key === "Shift")) this.read();
      if (key === "Shift") this.isMarkingByKeys = false;
    });
    this.listen("keydown", (event) => {
      if (event.shiftKey && KEYS.has(event.key)) this.isMarkingByKeys = true;
      if (event.key !== "Escape" || !this.isBarShown.peek()) return;
      event.preventDefault();
      // As in VS Code's editor. Otherwise, the next press of a button shows the bar again.
      document.getSelection()?.removeAllRanges();
      this.clear();
    });
    this.listen("scroll", () => (this.isBarShown.value = false));
    this.listen("scrollend", ({ target }) => {
      if (target instanceof Node) this.showAgain(target);
    });
    setTimeout(() => this.read()); // Text may be marked before this part of the panel is loaded.
  }

  clear(): void {
    this.marked.value = undefined;
    this.isBarShown.value = false;
    this.isMarkingByKeys = false;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private read(): void {
    const marked = readMarked();
    this.marked.value = marked;
    this.isBarShown.value = marked !== undefined;
  }

  /** Shows the bar where the marked text now ends, if that is in view in what was scrolled. */
  private showAgain(scrolled: Node): void {
    const marked = this.marked.peek();
    if (marked === undefined) return;
    const { endContainer } = marked.range;
    const end = endOf(marked.range);
    if (!endContainer.isConnected) return;
    if (scrolled instanceof Element && scrolled.contains(endContainer)) {
      const { top, bottom } = scrolled.getBoundingClientRect();
      if (end.y < top || end.y > bottom) return;
    }
    this.marked.value = { ...marked, end };
    this.isBarShown.value = true;
  }

  private listen<Name extends keyof DocumentEventMap>(
    name: Name,
    run: (event: DocumentEventMap[Name]) => void,
  ): void {
    document.addEventListener(name, run, true);
    this.owned.add({ dispose: () => document.removeEventListener(name, run, true) });
  }
}

/** Returns the marked text if it is inside one message. */
export function readMarked(): Marked | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  const root = quotableAround(range.startContainer) ?? quotableAround(range.endContainer);
  // The text of an aside is not that of the message around it.
  if (root?.closest(".aside-group")) return undefined;
  const messageId = root?.closest<HTMLElement>("[data-message-id]")?.dataset["messageId"];
  if (!root || messageId === undefined || !trimTo(range, root)) return undefined;
  const text = quoteText(range, root);
  if (text === "") return undefined;
  const words = wordsOf(text);
  const isThinking = root.matches(".thinking-body");
  const place = root.matches(".viewer-point-list")
    ? placeOfPoints(range, root, messageId)
    : placeIn(root, range);
  return { quoted: { messageId, ...place, isThinking }, text, words, range, end: endOf(range) };
}

function endOf(range: Range): Point {
  const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
  const { right: x, bottom: y } = rects.at(-1) ?? range.getBoundingClientRect();
  return { x, y };
}

/** Returns the place of a range in an element, in UTF-16 units of the element's text. */
function placeIn(root: Element, range: Range): Pick<QuotedView, "start" | "end"> {
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { start, end: start + range.toString().length };
}

/** Returns where the reply names the marked positions of a list; its start if it no longer does. */
function placeOfPoints(
  range: Range,
  list: HTMLElement,
  messageId: string,
): Pick<QuotedView, "start" | "end"> {
  const article = `article[data-message-id="${CSS.escape(messageId)}"]`;
  const body = document.querySelector(`${article} > .reply-body`);
  const named = [...list.querySelectorAll<HTMLElement>("[data-point]")]
    .filter((item) => range.intersectsNode(item))
    .flatMap(({ dataset }) => body?.querySelector(`[data-point="${dataset["point"]}"]`) ?? []);
  const [first] = named;
  if (!body || !first) return { start: 0, end: 0 };
  const inBody = document.createRange();
  inBody.setStartBefore(first);
  for (const mark of named) if (inBody.comparePoint(mark, 0) > 0) inBody.setEndAfter(mark);
  return placeIn(body, inBody);
}

/** Returns the start of a quote on one line, without its Markdown marks. */
function wordsOf(text: string): string {
  const lines = text.slice(0, 2_000).split("\n");
  const words = lines
    .map((line) => line.replace(/^(?:> ?)+/, ""))
    .filter((line) => !/^\s*`{3,}/.test(line))
    .join(" ");
  return words.trim().replaceAll(/\s+/g, " ").slice(0, 1_000);
}

function quotableAround(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>(QUOTABLE) ?? null;
}

/** Limits a range to `root`; false if it has text of another message or part. */
function trimTo(range: Range, root: HTMLElement): boolean {
  const whole = document.createRange();
  whole.selectNodeContents(root);
  const rest = range.cloneRange();
  const { startContainer, endContainer } = range;
  const outside = [startContainer, endContainer].find((node) => !root.contains(node));
  if (outside === undefined) return true;
  if (outside === endContainer) {
    rest.setStart(whole.endContainer, whole.endOffset);
    range.setEnd(whole.endContainer, whole.endOffset);
  } else {
    rest.setEnd(whole.startContainer, whole.startOffset);
    range.setStart(whole.startContainer, whole.startOffset);
  }
  // A triple click also selects the start of what follows.
  if (rest.toString().trim() === "") return true;
  const isInMessage = root.closest("article")?.contains(outside) === true;
  return isInMessage && quotableAround(outside) === null;
}

/** Returns the element of a message with the text that a quote is from. */
export function quotedRoot(article: HTMLElement, quoted: QuotedView): HTMLElement | undefined {
  const root = article.querySelector<HTMLElement>(
    quoted.isThinking ? ".thinking-body" : ".question-text, .reply-body:not(.thinking-body)",
  );
  return root ?? undefined;
}

/** Returns the range of a quote in its message; undefined if the text is not that long. */
export function quotedRange(article: HTMLElement, quoted: QuotedView): Range | undefined {
  const root = quotedRoot(article, quoted);
  if (root === undefined) return undefined;
  const range = document.createRange();
  let at = 0;
  let hasStart = false;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const end = at + node.length;
    if (!hasStart && quoted.start < end) {
      range.setStart(node, quoted.start - at);
      hasStart = true;
    }
    if (hasStart && quoted.end <= end) {
      range.setEnd(node, quoted.end - at);
      return range;
    }
    at = end;
  }
  return undefined;
}
