/**
 * Finds words in the shown conversation and marks them with the browser's own highlights: no
 * element is touched, so text that streams on is not disturbed. What is searched again is only
 * what has changed.
 */

/** Most matches that are marked; more would only cost. */
const MAX_MATCHES = 5000;

const ALL = "core-chat-find";
const CURRENT = "core-chat-find-current";

/** Where a message's words stand; buttons and the like are no words. */
const WORDS = ".question-text, .reply-body, .sent-line, .meta-line, .notice-text";

/** A reply that shows its source, because it is far away. */
const SOURCE = ".is-plain";

/** Toggle of a long question that is not shown whole. */
const CUT_TOGGLE = ".question-toggle[aria-expanded=false]";

/** Marks of Markdown that stand between words which a person reads as one. */
const MARKS =
  /[*_~`]+|\[(?=[^[\]\n]{0,500}\]\()|\]\([^()\s]{0,500}\)|^ {0,3}(?:#{1,6}|>) |\\(?=[^\w\s])/gm;

/** One place that holds the words. */
export interface Match {
  /** Whose words they are. */
  readonly element: Element;
  /** Which of the matches in it, from 0. */
  readonly ordinal: number;
  /** True where the words are the source of what will be shown. */
  readonly isInSource: boolean;
  /** Not a live one: many of those would slow down every change of the page. */
  readonly range: StaticRange;
}

/** The matches of one query in one conversation. */
export class Matches {
  private readonly found = new Map<Element, readonly StaticRange[]>();
  private readonly wanted: string;

  constructor(
    private readonly root: Element,
    query: string,
  ) {
    this.wanted = query.toLowerCase();
  }

  /** The words around this node are no longer what they were. */
  forget(node: Node): void {
    const element = node instanceof Element ? node : node.parentElement;
    const words = element?.closest(WORDS);
    if (words) this.found.delete(words);
  }

  /** Every place that holds the query, in reading order, letter case ignored. */
  all(): readonly Match[] {
    const matches: Match[] = [];
    if (this.wanted === "") return matches;
    for (const element of this.root.querySelectorAll(WORDS)) {
      const ranges = this.found.get(element) ?? rangesIn(element, this.wanted);
      this.found.set(element, ranges);
      const isInSource = element.matches(SOURCE);
      for (const [ordinal, range] of ranges.entries()) {
        matches.push({ element, ordinal, isInSource, range });
      }
      if (matches.length >= MAX_MATCHES) break;
    }
    return matches;
  }
}

function rangesIn(element: Element, wanted: string): readonly StaticRange[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("button, select")) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const places = placesOf(wanted, lowerCase(text));
  const isSource = places.length === 0 && element.matches(SOURCE);
  let index = 0;
  return (isSource ? placesInSource(wanted, text) : places).flatMap(([start, end]) => {
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

/** Starts and ends, in UTF-16 units. */
function placesOf(wanted: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  let start = text.indexOf(wanted);
  while (start >= 0 && places.length < MAX_MATCHES) {
    const end = start + wanted.length;
    places.push([start, end]);
    start = text.indexOf(wanted, end);
  }
  return places;
}

/** The same in Markdown as it will be read: without most of its marks. */
function placesInSource(wanted: string, source: string): [number, number][] {
  let read = "";
  /** Where each piece of `read` begins, in it and in the source. */
  const pieces: { start: number; at: number }[] = [];
  let from = 0;
  const add = (to: number) => {
    pieces.push({ start: read.length, at: from });
    read += source.slice(from, to);
  };
  for (const { index, 0: mark } of source.matchAll(MARKS)) {
    add(index);
    from = index + mark.length;
  }
  add(source.length);
  let index = 0;
  const inSource = (place: number) => {
    index = indexAt(pieces, place, index);
    const piece = pieces[index];
    return piece === undefined ? 0 : piece.at + place - piece.start;
  };
  return placesOf(wanted, lowerCase(read)).map(([start, end]) => [
    inSource(start),
    inSource(end - 1) + 1,
  ]);
}

/** Lower case of the same length; the few letters that would grow stay as they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, sameLength).join("");
}

function sameLength(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** The last piece that begins at or before `offset`, from `index` on. */
function indexAt(pieces: readonly { start: number }[], offset: number, index: number): number {
  let found = index;
  while (found + 1 < pieces.length && (pieces[found + 1]?.start ?? Infinity) <= offset) found += 1;
  return found;
}

/** Marks all matches and, stronger, the current one; none takes the marks away. */
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

/**
 * Scrolls the conversation to a match, and a wide code block or table sideways to it. Expands a long
 * question first. Scrolls no other element: `scrollIntoView` would move the editor around the page.
 */
export async function bringIntoSight({ range }: Match): Promise<void> {
  const parent = range.startContainer.parentElement;
  const log = parent?.closest("[role=log]");
  if (!parent || !log) return;
  const toggle = parent.closest(".question-card")?.querySelector<HTMLElement>(CUT_TOGGLE);
  if (toggle) {
    toggle.click();
    // A transcript at its end follows its growth in the first frame, see Scrolling.
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }
  const live = document.createRange();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  const box = log.getBoundingClientRect();
  const match = live.getBoundingClientRect();
  log.scrollTop += (match.top + match.bottom - box.top - box.bottom) / 2;
  const wide = parent.closest("pre, table");
  if (!wide) return;
  const frame = wide.getBoundingClientRect();
  const { right } = live.getBoundingClientRect();
  wide.scrollLeft = Math.max(0, wide.scrollLeft + right - frame.right + frame.width / 4);
}
