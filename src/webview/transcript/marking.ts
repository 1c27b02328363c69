/** Text that the user marked inside one message. */
import { signal } from "@preact/signals";
import { DisposableOwner } from "../../base/disposables";
import type { Quoted } from "../../pointing/quoted";
import { quoteText } from "./quoteText";

export interface Marked {
  readonly quoted: Quoted;
  /** Markdown for the model. */
  readonly text: string;
  /** Text on one line, for the chip. */
  readonly words: string;
  /** First and last visible character. */
  readonly edges: Edges | undefined;
}

type Edges = readonly [first: Range, last: Range];

/** Place in the page, in CSS pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Distance of the bar to the marking, in CSS pixels. */
export const GAP_PX = 4;

/** Height of the bar with its shadow, in CSS pixels. */
export const BAR_PX = 34;

const QUOTABLE = ".question-text, .reply-body";

const KEYS: ReadonlySet<string> = new Set([
  ..."ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split(" "),
]);

/** Reads the selection when the user has ended marking, not on each change. */
export class Marking extends DisposableOwner {
  readonly marked = signal<Marked | undefined>(undefined);
  /** End of the visible part of the marked text; undefined while the bar is hidden. */
  readonly barPlace = signal<Point | undefined>(undefined);
  /** True while Shift is held and a key has changed the selection. */
  private isMarkingByKeys = false;

  constructor() {
    super();
    const readSoon = () => setTimeout(() => this.read());
    this.listen("pointerup", ({ button, target }) => {
      const isInBar = target instanceof Element && target.closest(".quote-bar") !== null;
      // After the event, as a click removes the selection later. The context menu keeps it.
      if (button === 0 && !isInBar) readSoon();
    });
    this.listen("keyup", ({ key }) => {
      if (this.isMarkingByKeys && (KEYS.has(key) || key === "Shift")) this.read();
      if (key === "Shift") this.isMarkingByKeys = false;
    });
    this.listen("keydown", ({ key, shiftKey }) => {
      if (shiftKey && KEYS.has(key)) this.isMarkingByKeys = true;
    });
    this.listen("scroll", () => this.placeBar());
    const onResize = () => this.placeBar();
    addEventListener("resize", onResize);
    this.owned.add({ dispose: () => removeEventListener("resize", onResize) });
    readSoon(); // Text may be marked before this part of the panel is loaded.
  }

  clear(): void {
    this.marked.value = undefined;
    this.barPlace.value = undefined;
    this.isMarkingByKeys = false;
  }

  private read(): void {
    this.marked.value = readMarked();
    this.placeBar();
  }

  private placeBar(): void {
    const marked = this.marked.peek();
    // Code that is colored gets other nodes, which the selection follows.
    if (marked?.edges?.some(({ collapsed }) => collapsed))
      this.marked.value = readMarked() ?? { ...marked, edges: undefined };
    const { edges } = this.marked.peek() ?? {};
    this.barPlace.value = edges && visibleEnd(edges);
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
function readMarked(): Marked | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  const root = quotableAround(range.startContainer) ?? quotableAround(range.endContainer);
  if (!root || root.closest("dialog")) return undefined;
  // The text of an aside is not that of the message around it.
  if (root.closest(".aside-group")) return undefined;
  const messageId = root.closest<HTMLElement>("[data-message-id]")?.dataset["messageId"];
  if (messageId === undefined || !trimTo(range, root)) return undefined;
  const text = quoteText(range, root);
  if (text === "") return undefined;
  const words = wordsOf(text);
  const isThinking = root.matches(".thinking-body");
  const quoted = { messageId, ...placeIn(root, range), isThinking };
  return { quoted, text, words, edges: edgesOf(range, root) };
}

/** Returns the first and the last visible character; undefined if none is visible. */
function edgesOf(range: Range, root: Element): Edges | undefined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const first = visibleCharacter(range, () => walker.nextNode(), "first");
  walker.currentNode = root;
  let end = walker.lastChild();
  const before = () => {
    const node = end ?? walker.previousNode();
    end = null;
    return node;
  };
  const last = first && visibleCharacter(range, before, "last");
  return first && last && [first, last];
}

/** Returns the first or last character, in the order of `next`, that has a place in the page. */
function visibleCharacter(
  range: Range,
  next: () => Node | null,
  which: "first" | "last",
): Range | undefined {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  for (let node = next(); node instanceof Text; node = next()) {
    if (!range.intersectsNode(node)) continue;
    const from = node === startContainer ? startOffset : 0;
    const text = node.data.slice(from, node === endContainer ? endOffset : undefined);
    const at = which === "first" ? text.search(/\S/) : text.trimEnd().length - 1;
    if (at < 0) continue;
    const character = document.createRange();
    character.setStart(node, from + at);
    character.setEnd(node, from + at + 1);
    if (character.getClientRects().length > 0) return character;
  }
  return undefined;
}

/**
 * Returns the end of the marked text, or the edge of what scrolls if the text continues there; undefined
 * if the text is out of view. The cost does not depend on the length of the text.
 */
function visibleEnd([first, last]: Edges): Point | undefined {
  const { top } = first.getBoundingClientRect();
  const { right, bottom } = last.getBoundingClientRect();
  const view = viewAround(last.startContainer);
  if (bottom <= view.top || top >= view.bottom) return undefined;
  const x = Math.min(Math.max(right, view.left), view.right);
  return { x, y: bottom > view.bottom ? view.bottom - BAR_PX - GAP_PX : bottom };
}

/** Returns the part of the page in which a node is not cut off, in CSS pixels. */
function viewAround(node: Node): { left: number; top: number; right: number; bottom: number } {
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let at = node.parentElement; at; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === "visible") continue;
    const box = at.getBoundingClientRect();
    view.left = Math.max(view.left, box.left);
    view.top = Math.max(view.top, box.top);
    view.right = Math.min(view.right, box.right);
    view.bottom = Math.min(view.bottom, box.bottom);
  }
  return view;
}

/** Returns the place of a range in an element, in UTF-16 units of the element's text. */
function placeIn(root: Element, range: Range): Pick<Quoted, "start" | "end"> {
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { start, end: start + range.toString().length };
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
  const outsidePart = range.cloneRange();
  const { startContainer, endContainer } = range;
  const outside = [startContainer, endContainer].find((node) => !root.contains(node));
  if (outside === undefined) return true;
  if (outside === endContainer) {
    outsidePart.setStart(whole.endContainer, whole.endOffset);
    range.setEnd(whole.endContainer, whole.endOffset);
  } else {
    outsidePart.setEnd(whole.startContainer, whole.startOffset);
    range.setStart(whole.startContainer, whole.startOffset);
  }
  // A triple click also selects the start of what follows.
  if (outsidePart.toString().trim() === "") return true;
  const isInMessage = root.closest("article")?.contains(outside) === true;
  return isInMessage && quotableAround(outside) === null;
}

export function quotedRoot(article: HTMLElement, quoted: Quoted): HTMLElement | undefined {
  const root = article.querySelector<HTMLElement>(
    quoted.isThinking ? ".thinking-body" : ".question-text, .reply-body:not(.thinking-body)",
  );
  return root ?? undefined;
}

/** Returns the range of a quote in its message; undefined if the text is not that long. */
export function quotedRange(article: HTMLElement, quoted: Quoted): Range | undefined {
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
