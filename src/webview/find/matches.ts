/**
 * Finds words in the shown conversation and marks them with the browser's own highlights: no
 * element is touched, so text that streams on is not disturbed.
 */

/** Most matches that are marked; more would only cost. */
const MAX_MATCHES = 5000;

const ALL = "core-chat-find";
const CURRENT = "core-chat-find-current";

/** Where a message's words stand; buttons and the like are no words. */
const WORDS = ".question-text, .reply-body, .sent-line, .meta-line, .notice-text";

/** Every place in `root` that holds `query`, in reading order, letter case ignored. */
export function findMatches(root: Element, query: string): Range[] {
  const wanted = query.toLowerCase();
  const matches: Range[] = [];
  if (wanted === "") return matches;
  for (const element of root.querySelectorAll(WORDS)) {
    addMatches(element, wanted, matches);
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

function addMatches(element: Element, wanted: string, matches: Range[]): void {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("button, select")) continue;
    nodes.push({ node, start: text.length });
    text += lowerCase(node.data);
  }
  let from = 0;
  for (let index = 0; matches.length < MAX_MATCHES;) {
    const start = text.indexOf(wanted, from);
    if (start < 0) return;
    from = start + wanted.length;
    index = indexAt(nodes, start, index);
    const first = nodes[index];
    const last = nodes[indexAt(nodes, from - 1, index)];
    if (first === undefined || last === undefined) return;
    const range = document.createRange();
    range.setStart(first.node, start - first.start);
    range.setEnd(last.node, from - last.start);
    matches.push(range);
  }
}

/** Lower case of the same length; the few letters that would grow stay as they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** The last node that begins at or before `offset`, from `index` on. */
function indexAt(nodes: readonly { start: number }[], offset: number, index: number): number {
  let found = index;
  while (found + 1 < nodes.length && (nodes[found + 1]?.start ?? Infinity) <= offset) found += 1;
  return found;
}

/** Marks all matches and, stronger, the current one; none takes the marks away. */
export function markMatches(matches: readonly Range[], current: Range | undefined): void {
  if (matches.length === 0) {
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
    return;
  }
  CSS.highlights.set(ALL, new Highlight(...matches));
  if (current) {
    const strong = new Highlight(current);
    strong.priority = 1;
    CSS.highlights.set(CURRENT, strong);
  } else CSS.highlights.delete(CURRENT);
}

/** Scrolls the conversation to a match, and a long line of code to it too. */
export function bringIntoSight(range: Range): void {
  const parent = range.startContainer.parentElement;
  parent?.scrollIntoView({ block: "center", inline: "start" });
  const line = parent?.closest("pre, table");
  if (!line) return;
  const match = range.getBoundingClientRect();
  const box = line.getBoundingClientRect();
  line.scrollLeft = Math.max(0, line.scrollLeft + match.right - box.right + box.width / 4);
}
