/**
 * Links the file names in a finished reply that the host finds in the workspace. The host numbers the
 * files; a click sends the number, so the page never names a path.
 */
import {
  findMentions,
  MAX_MENTIONS,
  mentionOfAddress,
  type Mention,
} from "../../markdown/fileMentions";
import type { Host } from "../state/host";
import { textNodes } from "../ui/textNodes";
import { LINK_CLASS } from "./links";

/** Elements whose text is already linked or is no prose. */
const EXCLUDED = "a, [data-href], pre, button, math, .math, .file-link";

/** Text that may name a file, or else its parts. */
interface Candidate {
  readonly text: string;
  readonly parts?: readonly Candidate[];
  readonly link: (file: number) => void;
}

/** Sends the file names of a reply in a single request; skips text that has changed since. */
export async function linkFiles(container: Element, messageId: string, host: Host): Promise<void> {
  const candidates = [...linksIn(container), ...mentionsIn(container)];
  const textsOf = ({ text, parts = [] }: Candidate): string[] => [text, ...parts.flatMap(textsOf)];
  const mentions = [...new Set(candidates.flatMap(textsOf))].slice(0, MAX_MENTIONS);
  if (mentions.length === 0) return;
  const { files } = await host.request({ type: "files-named", messageId, mentions });
  const numbers = new Map(mentions.map((text, at) => [text, files?.[at] ?? undefined]));
  // Backwards, so that the offsets of earlier mentions stay valid.
  const linkAll = (all: readonly Candidate[]) => {
    for (const { text, parts = [], link } of all.toReversed()) {
      const number = numbers.get(text);
      if (number === undefined) linkAll(parts);
      else link(number);
    }
  };
  linkAll(candidates);
}

function mentionsIn(container: Element): Candidate[] {
  return textNodes(container, EXCLUDED).flatMap((node) => {
    const candidate = ({ index, text, parts = [] }: Mention): Candidate => ({
      text,
      parts: parts.map(candidate),
      link: (file) => {
        const isUnchanged = container.contains(node) && node.data.startsWith(text, index);
        if (isUnchanged) linkText(node, index, text.length, file);
      },
    });
    const tag = node.parentElement?.tagName;
    const kind = tag === "CODE" ? "name" : tag === "STRONG" ? "title" : undefined;
    return findMentions(node.data, kind).map(candidate);
  });
}

/** Returns the links of a reply that may lead to a file; the last line of a hint is the address. */
function linksIn(container: Element): Candidate[] {
  const elements = container.querySelectorAll<HTMLElement>("a:not([href]), .refused-link");
  return [...elements].flatMap((element) => {
    const text = mentionOfAddress(element.title.replace(/^.*\n/s, ""));
    return text === undefined ? [] : { text, link: (file) => setLink(element, file) };
  });
}

function linkText(node: Text, index: number, length: number, link: number): void {
  const name = node.splitText(index);
  name.splitText(length);
  const element = node.ownerDocument.createElement("span");
  name.replaceWith(element);
  element.append(name);
  setLink(element, link);
}

function setLink(element: HTMLElement, link: number): void {
  element.className = LINK_CLASS;
  element.dataset["file"] = String(link);
  element.setAttribute("role", "link");
  element.tabIndex = 0;
}
