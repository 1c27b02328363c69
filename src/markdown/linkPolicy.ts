/**
 * Says which addresses of a reply may become links a person can follow. Opening them is the host's;
 * this decides only what the page offers. Rule: faults.md B1.
 */

/**
 * What a link's address is: `web` can be opened (https, http, mailto), `relative` has no scheme (a
 * file of the workspace, perhaps), `refused` is everything else (`command:`, `javascript:`, `file:` …).
 */
export type LinkKind = "web" | "relative" | "refused";

/** Characters that browsers drop from an address or take for a control: they never belong in one. */

const ODD_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/;

/** Sorts the address of a link, as markdown-it gives it (percent-encoded). */
export function linkKind(address: string): LinkKind {
  if (ODD_CHARACTERS.test(address)) return "refused";
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      // "//host" would inherit the page's scheme, "\\host" is the same to a browser.
      return /^[/\\]{2}/.test(address) ? "refused" : "relative";
    case "http":
    case "https":
      return /^https?:\/\/[^/\\]/i.test(address) ? "web" : "refused";
    case "mailto":
      return "web";
    default:
      return "refused";
  }
}
