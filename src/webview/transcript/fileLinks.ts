/**
 * Makes links of the files a finished reply names, as far as the host finds them in the workspace. The
 * host gives each a number, and a click sends that number: the page names no path to act on.
 */
import { findMentions, MAX_MENTIONS } from "../../markdown/fileMentions";
import type { Host } from "../boot/hostClient";

/** Class of a link to a file. */
const LINK_CLASS = "file-link";

/** Words in these are links already, or no prose. */
const NO_PROSE = "a, [data-href], pre, button, math, .math, .file-link";

interface Found {
  readonly node: Text;
  readonly index: number;
  readonly text: string;
}

/** Looks through a reply's text and asks the host once; nothing happens if the reply changed meanwhile. */
export async function linkFiles(container: Element, messageId: string, host: Host): Promise<void> {
  const found = mentionsIn(container);
  const mentions = [...new Set(found.map(({ text }) => text))].slice(0, MAX_MENTIONS);
  if (mentions.length === 0) return;
  const { files } = await host.request({ type: "files-named", messageId, mentions });
  const links = new Map(mentions.map((text, at) => [text, files?.[at] ?? undefined]));
  // From the last to the first, so that the offsets of those before stay right.
  for (const { node, index, text } of found.reverse()) {
    const link = links.get(text);
    const isThere = container.contains(node) && node.data.startsWith(text, index);
    if (link !== undefined && isThere) wrap(node, index, text.length, link);
  }
}

/** The number of the file whose link this is in; undefined if it is in none. */
export function fileLinkAt(target: Element): number | undefined {
  const number = Number(target.closest<HTMLElement>(`.${LINK_CLASS}`)?.dataset["file"] ?? NaN);
  return Number.isInteger(number) ? number : undefined;
}

function mentionsIn(container: Element): Found[] {
  const found: Found[] = [];
  const page = container.ownerDocument;
  const walker = page.createTreeWalker(container, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
    acceptNode: (node) =>
      node instanceof Element
        ? node.matches(NO_PROSE)
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_SKIP
        : NodeFilter.FILTER_ACCEPT,
  });
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    for (const { index, text } of findMentions(node.data)) found.push({ node, index, text });
  }
  return found;
}

function wrap(node: Text, index: number, length: number, link: number): void {
  const words = node.splitText(index);
  words.splitText(length);
  const element = node.ownerDocument.createElement("span");
  element.className = LINK_CLASS;
  element.dataset["file"] = String(link);
  element.setAttribute("role", "link");
  element.tabIndex = 0;
  words.replaceWith(element);
  element.append(words);
}
