import type { Host } from "../state/host";

export const LINK_CLASS = "file-link";

/** Upper limit of the host for a URL, in UTF-16 units. */
const MAX_URL_LENGTH = 8192;

/**
 * Handles a click (any button) or Enter inside the transcript; true if the target is a link. The host
 * decides what to open. Stops the event, because the frame of VS Code opens links as well.
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
  if (url !== "" && url.length <= MAX_URL_LENGTH) host.send({ type: "link-opened", url });
  return true;
}

/** Returns the file number of the link around `target`; undefined without a link. */
function fileLinkAt(target: Element): number | undefined {
  const number = Number(target.closest<HTMLElement>(`.${LINK_CLASS}`)?.dataset["file"] ?? NaN);
  return Number.isInteger(number) ? number : undefined;
}
