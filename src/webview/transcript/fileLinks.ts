/**
 * Links the file names in a finished reply that the host finds in the workspace. The host numbers the
 * files; a click sends the number, so the page never names a path.
 */
import { findMentions, MAX_MENTIONS } from "../../markdown/fileMentions";
import type { Host } from "../state/host";
import { textNodes } from "../ui/textNodes";
import { LINK_CLASS } from "./links";

/** Elements whose text is already linked or is no prose. */
const EXCLUDED = "a, [data-href], pre, button, math, .math, .file-link";

interface FileMention {
  readonly node: Text;
  readonly index: number;
  readonly text: string;
}

/** Sends the file names of a reply in a single request; skips text that has changed since. */
export async function linkFiles(container: Element, messageId: string, host: Host): Promise<void> {
  const allMentions = mentionsIn(container);
  const mentions = [...new Set(allMentions.map(({ text }) => text))].slice(0, MAX_MENTIONS);
  if (mentions.length === 0) return;
  const { files } = await host.request({ type: "files-named", messageId, mentions });
  const links = new Map(mentions.map((text, at) => [text, files?.[at] ?? undefined]));
  // Backwards, so that the offsets of earlier mentions stay valid.
  for (const { node, index, text } of allMentions.reverse()) {
    const link = links.get(text);
    const isUnchanged = container.contains(node) && node.data.startsWith(text, index);
    if (link !== undefined && isUnchanged) linkText(node, index, text.length, link);
  }
}

function mentionsIn(container: Element): FileMention[] {
  const mentions: FileMention[] = [];
  for (const node of textNodes(container, EXCLUDED)) {
    const isName = node.parentElement?.matches("code, strong");
    for (const mention of findMentions(node.data, isName)) mentions.push({ node, ...mention });
  }
  return mentions;
}

function linkText(node: Text, index: number, length: number, link: number): void {
  const name = node.splitText(index);
  name.splitText(length);
  const element = node.ownerDocument.createElement("span");
  element.className = LINK_CLASS;
  element.dataset["file"] = String(link);
  element.setAttribute("role", "link");
  element.tabIndex = 0;
  name.replaceWith(element);
  element.append(name);
}
