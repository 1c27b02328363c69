/**
 * Finds text in the shown conversation and marks the matches with the CSS Custom Highlight API, which
 * changes no element. After a change only the changed elements are searched again.
 */

import { textNodes } from "../ui/textNodes";

/** Upper limit of marked matches. */
const MAX_MATCHES = 5000;

const ALL = "core-chat-find";
const CURRENT = "core-chat-find-current";

const TEXT_ELEMENTS = ".question-text, .reply-body, .notice-text";

/** Reply that shows its Markdown source because it is far from the viewport. */
const SOURCE = ".is-plain";

/** Toggle of a long question that is not shown whole. */
const CUT_TOGGLE = ".question-toggle[aria-expanded=false]";

const THINKING_TOGGLE = ".thinking-toggle[aria-expanded=false]";

/** Markdown syntax that is invisible after rendering. */
const MARKS =
  /[*_~`]+|\[(?=[^[\]\n]{0,500}\]\()|\]\([^()\s]{0,500}\)|^ {0,3}(?:#{1,6}|>) |\\(?=[^\w\s])/gm;

export interface Match {
  readonly element: Element;
  /** 0-based number among the matches of `element`. */
  readonly ordinal: number;
  /** Static, because many live ranges slow down every change of the page. */
  readonly range: StaticRange;
}

export class Matches {
  private readonly found = new Map<Element, readonly StaticRange[]>();
  private readonly query: string;

  constructor(
    private readonly root: Element,
    query: string,
  ) {
    this.query = query.toLowerCase();
  }

  /** Drops the cached matches of the element around a changed node. */
  invalidate(node: Node): void {
    const element = node instanceof Element ? node : node.parentElement;
    const textElement = element?.closest(TEXT_ELEMENTS);
    if (textElement) this.found.delete(textElement);
  }

  /** Returns all matches in reading order, ignoring case. */
  findAll(): readonly Match[] {
    const matches: Match[] = [];
    if (this.query === "") return matches;
    for (const element of this.root.querySelectorAll(TEXT_ELEMENTS)) {
      const ranges = this.found.get(element) ?? rangesIn(element, this.query);
      this.found.set(element, ranges);
      for (const [ordinal, range] of ranges.entries()) matches.push({ element, ordinal, range });
      if (matches.length >= MAX_MATCHES) break;
    }
    return matches;
  }
}

function rangesIn(element: Element, query: string): readonly StaticRange[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  for (const node of textNodes(element, "button, select")) {
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const offsets = offsetsOf(query, lowerCase(text));
  const isSource = offsets.length === 0 && element.matches(`${SOURCE}, .question-text`);
  let index = 0;
  return (isSource ? offsetsInSource(query, text) : offsets).flatMap(([start, end]) => {
    index = indexAt(nodes, start, index);
    const first = nodes[index];
    const last = nodes[indexAt(nodes, end - 1, index)];
    if (first === undefined || last === undefined) return [];
    return new StaticRange({
      startContainer: first.node,
      startOffset: start - first.start,
      endContainer: last.node,
      endOffset: end - last.start,
    });
  });
}

/** Returns the start and end of each match, in UTF-16 units. */
function offsetsOf(query: string, text: string): [number, number][] {
  const offsets: [number, number][] = [];
  let start = text.indexOf(query);
  while (start >= 0 && offsets.length < MAX_MATCHES) {
    const end = start + query.length;
    offsets.push([start, end]);
    start = text.indexOf(query, end);
  }
  return offsets;
}

/** Returns the matches in Markdown source, ignoring most of its syntax. */
function offsetsInSource(query: string, source: string): [number, number][] {
  let visibleText = "";
  /** Start of each piece in `visibleText` (`start`) and in the source (`at`). */
  const pieces: { start: number; at: number }[] = [];
  let from = 0;
  const add = (to: number) => {
    pieces.push({ start: visibleText.length, at: from });
    visibleText += source.slice(from, to);
  };
  for (const { index, 0: mark } of source.matchAll(MARKS)) {
    add(index);
    from = index + mark.length;
  }
  add(source.length);
  let index = 0;
  const toSource = (offset: number) => {
    index = indexAt(pieces, offset, index);
    const piece = pieces[index];
    return piece === undefined ? 0 : piece.at + offset - piece.start;
  };
  return offsetsOf(query, lowerCase(visibleText)).map(([start, end]) => [
    toSource(start),
    toSource(end - 1) + 1,
  ]);
}

/** Lowers the case without changing the length; keeps letters whose lower case is longer. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, sameLength).join("");
}

function sameLength(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** Returns the index of the last piece that starts at or before `offset`, from `index` on. */
function indexAt(pieces: readonly { start: number }[], offset: number, index: number): number {
  let pieceIndex = index;
  while (pieceIndex + 1 < pieces.length && (pieces[pieceIndex + 1]?.start ?? Infinity) <= offset)
    pieceIndex += 1;
  return pieceIndex;
}

/** Marks all matches, and the current match more strongly. No matches remove the marks. */
export function markMatches(matches: readonly Match[], current: Match | undefined): void {
  if (matches.length === 0) {
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
    return;
  }
  CSS.highlights.set(ALL, new Highlight(...matches.map(({ range }) => range)));
  if (current) {
    const strong = new Highlight(current.range);
    strong.priority = 1;
    CSS.highlights.set(CURRENT, strong);
  } else CSS.highlights.delete(CURRENT);
}

/** Frames after which a reveal gives up, a third of a second. */
const MAX_REVEAL_FRAMES = 20;

/**
 * Scrolls the conversation to a match, and a wide code block or table sideways to it. Expands a long
 * question or thinking first. Scrolls no other element: `scrollIntoView` would move the editor around
 * the page.
 *
 * The browser skips far content and estimates its height. Each frame can replace such an estimate and
 * move the match, so this scrolls until the match stays visible for a frame.
 * @param signal ends the scrolling, as for the next match
 */
export async function revealMatch({ range }: Match, signal: AbortSignal): Promise<void> {
  const parent = range.startContainer.parentElement;
  const log = parent?.closest("[role=log]");
  if (!parent || !log) return;
  const toggle =
    parent.closest(".question-card")?.querySelector<HTMLElement>(CUT_TOGGLE) ??
    parent.closest(".thinking")?.querySelector<HTMLElement>(THINKING_TOGGLE);
  toggle?.click();
  let wasVisible = false;
  for (let frame = 0; frame < MAX_REVEAL_FRAMES; frame++) {
    const isVisible = scrollToMatch(log, parent, range);
    if (isVisible && wasVisible) break;
    wasVisible = isVisible;
    await new Promise(requestAnimationFrame);
    // A reply that was rendered in between has other matches.
    if (signal.aborted || !parent.isConnected || !range.startContainer.isConnected) return;
  }
  const wide = parent.closest("pre, .table-box") ?? parent.closest("table");
  if (!wide) return;
  const frame = wide.getBoundingClientRect();
  const { right } = currentRect(range);
  wide.scrollLeft = Math.max(0, wide.scrollLeft + right - frame.right + frame.width / 4);
}

/** Scrolls `log` towards the match; returns true if the match was visible already. */
function scrollToMatch(log: Element, parent: Element, range: StaticRange): boolean {
  const box = log.getBoundingClientRect();
  let laidOut = parent;
  while (!laidOut.checkVisibility({ contentVisibilityAuto: true }) && laidOut.parentElement) {
    laidOut = laidOut.parentElement;
  }
  if (laidOut !== parent) {
    log.scrollTop += laidOut.getBoundingClientRect().top - box.top;
    return false;
  }
  const { top, bottom } = currentRect(range);
  // The band with the question covers the top.
  const bandPx = parseFloat(getComputedStyle(log).scrollPaddingTop) || 0;
  if (top >= box.top + bandPx && bottom <= box.bottom) return true;
  log.scrollTop += (top + bottom - box.top - box.bottom) / 2;
  return false;
}

function currentRect({
  startContainer,
  startOffset,
  endContainer,
  endOffset,
}: StaticRange): DOMRect {
  const live = document.createRange();
  live.setStart(startContainer, startOffset);
  live.setEnd(endContainer, endOffset);
  return live.getBoundingClientRect();
}
