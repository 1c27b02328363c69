/**
 * Links of a reply never navigate: the host is told the address and decides.
 */
import type { Host } from "../boot/hostClient";
import { fileLinkAt } from "./fileLinks";

/** Longest address the host accepts, in UTF-16 units. */
const MAX_URL_LENGTH = 8192;

/**
 * Handles a click (any button) or Enter inside the transcript; true when it was on a link. The
 * editor's own frame would open links too, so the event goes no further. A link to a place in the
 * same reply (a footnote) goes there.
 */
export function handleLink(event: Event, target: Element, host: Host): boolean {
  const file = fileLinkAt(target);
  if (file !== undefined) {
    event.preventDefault();
    host.send({ type: "file-opened", file });
    return true;
  }
  const link = target.closest<HTMLElement>("a, [data-href]");
  if (link === null) return false;
  event.preventDefault();
  event.stopPropagation();
  const url = link.dataset["href"] ?? link.getAttribute("href") ?? "";
  if (url.startsWith("#")) {
    const place = link.closest("article")?.querySelector(`[id="${CSS.escape(url.slice(1))}"]`);
    place?.scrollIntoView({ block: "nearest" });
  } else if (url !== "" && url.length <= MAX_URL_LENGTH) host.send({ type: "link-opened", url });
  return true;
}
