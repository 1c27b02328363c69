/**
 * Decides which addresses of a reply the page shows as links that a user can follow. The host opens
 * them.
 */

/**
 * Kind of a link's address: `web` can be opened (https, http, mailto), `relative` has no scheme
 * (may be a workspace file), `refused` is everything else (`command:`, `javascript:`, `file:` …).
 */
export type LinkKind = "web" | "relative" | "refused";

/** Characters that browsers remove from an address or treat as controls. */
const UNSAFE_CHARACTERS =
  /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/;

/** Classifies the address of a link as percent-encoded by markdown-it. */
export function linkKind(address: string): LinkKind {
  if (UNSAFE_CHARACTERS.test(address)) return "refused";
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      // "//host" inherits the page's scheme, as "\\host" does. "#part" would be a part of the panel.
      return /^(?:[/\\]{2}|#)/.test(address) ? "refused" : "relative";
    case "http":
    case "https":
      return /^https?:\/\/[^/\\]/i.test(address) ? "web" : "refused";
    case "mailto":
      return "web";
    default:
      return "refused";
  }
}
