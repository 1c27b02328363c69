/**
 * Lists what a page would load and a preview leaves out, which changes the look of the page: addresses of
 * the web, and files next to the page unless another block of the reply can be the file.
 */
import { t } from "@vscode/l10n";
import { MAX_ADDRESS_LENGTH, MAX_LEFT_OUT } from "../../protocol/previewMessages";
import { tailwindOf } from "../../protocol/tailwindScripts";

const SVG = "http://www.w3.org/2000/svg";

export type LeftOutKind =
  "script" | "style" | "font" | "picture" | "media" | "page" | "data" | "settings";

export interface LeftOut {
  readonly kind: LeftOutKind;
  /** Address as URL, or as written if it is relative; without white space. */
  readonly address: string;
}

/** Attributes that load when the page is shown. */
const LOADING: readonly (readonly [selector: string, attribute: string, kind: LeftOutKind])[] = [
  ["script", "src", "script"],
  ["script", "href", "script"],
  ["img, input[type=image i]", "src", "picture"],
  ["img, picture > source", "srcset", "picture"],
  ["video", "poster", "picture"],
  ["body, table, td, th", "background", "picture"],
  ["image, feImage", "href", "picture"],
  ["use", "href", "picture"],
  ["video, audio, track, audio > source, video > source", "src", "media"],
  ["iframe, frame, embed", "src", "page"],
  ["object", "data", "page"],
];

/** `rel` values of links that load something the page shows or runs, in the order they count. */
const LINKS: readonly (readonly [rel: string, kind: LeftOutKind | "as"])[] = [
  ["stylesheet", "style"],
  ["modulepreload", "script"],
  ["preload", "as"],
];

/** Values of `as`: https://fetch.spec.whatwg.org/#concept-potential-destination-translate */
const DESTINATIONS: Readonly<Record<string, LeftOutKind>> = {
  script: "script",
  style: "style",
  font: "font",
  image: "picture",
};

/** Comments, at-rules, blocks and addresses of a style sheet, by https://www.w3.org/TR/css-syntax-3/. */
const CSS_TOKENS =
  /\/\*[^]*?(?:\*\/|$)|(?<font>@font-face)|(?<end>\})|@import\s{0,20}(?:url\(\s{0,20})?["']?(?<sheet>[^"')\s]{1,2000})|url\(\s{0,20}["']?(?<url>[^"')\s]{1,2000})|image-set\(\s{0,20}["'](?<set>[^"']{1,2000})/gi;

/** Candidates of a `srcset`: https://html.spec.whatwg.org/multipage/images.html#srcset-attributes. */
const CANDIDATES = /(?<url>[^\s,]\S{0,2000})(?:(?<=,)|[^,]{0,200})/g;

/** Schemes of addresses that load nothing or that the policy of a preview allows. */
const INNER_SCHEMES = /^(?:data|blob|about|javascript):$/;

/**
 * Returns what a document would load, each address once. Needs the document unchanged.
 * @param added kinds of which the preview adds the blocks of the reply, which can be files next to the page
 */
export function leftOutOf(document: Document, added: ReadonlySet<LeftOutKind>): LeftOut[] {
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const found = new LeftOutList(base, added);
  addElements(document, found);
  return found.entries;
}

/** Returns the name of a kind for users. */
export function kindName(kind: LeftOutKind): string {
  switch (kind) {
    case "script":
      return t("Script");
    case "style":
      return t("Style sheet");
    case "font":
      return t("Font");
    case "picture":
      return t("Picture");
    case "media":
      return t("Audio or video");
    case "page":
      return t("Embedded page");
    case "data":
      return t("Data");
    case "settings":
      return t("Settings");
    default:
      return kind satisfies never;
  }
}

/** Returns the host of an address; the address itself for one without host. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host || address;
}

class LeftOutList {
  readonly entries: LeftOut[] = [];
  private readonly addresses = new Set<string>();

  /**
   * @param base address that relative addresses begin with
   * @param added kinds whose relative addresses are not listed
   */
  constructor(
    private readonly base = "",
    private readonly added: ReadonlySet<LeftOutKind> = new Set(),
  ) {}

  add(kind: LeftOutKind, text: string): void {
    const address = addressOutside(text, this.base);
    if (address === undefined || this.addresses.has(address)) return;
    if (this.added.has(kind) && URL.parse(address) === null) return;
    this.addresses.add(address);
    if (this.entries.length < MAX_LEFT_OUT) this.entries.push({ kind, address });
  }
}

/** Returns the address of what a preview does not load; undefined for what is in the page. */
export function addressOutside(text: string, base = ""): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const absolute = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  const url = URL.parse(absolute) ?? URL.parse(absolute, base);
  if (url !== null && INNER_SCHEMES.test(url.protocol)) return undefined;
  return (url?.href ?? trimmed.replace(/\s+/g, "%20")).slice(0, MAX_ADDRESS_LENGTH);
}

function addElements(root: Document | DocumentFragment, found: LeftOutList): void {
  for (const element of root.querySelectorAll("*")) {
    const { localName } = element;
    for (const [selector, attribute, kind] of LOADING) {
      if (!element.matches(selector)) continue;
      for (const value of valuesOf(element, attribute)) {
        if (attribute !== "srcset") found.add(kind, value);
        else addCandidates(value, kind, found);
      }
    }
    if (localName === "link") addLink(element, found);
    else if (localName === "style") addCss(element.textContent, found);
    else if (localName === "script") addSettings(element, found);
    const isSvg = element.namespaceURI === SVG;
    for (const { localName: name, value } of element.attributes) {
      if (isSvg || name === "style") addCss(value, found);
    }
    if (element instanceof HTMLTemplateElement) addElements(element.content, found);
  }
}

/** Adds settings of Tailwind 3, which its runtime in the extension does not read. */
function addSettings(script: Element, found: LeftOutList): void {
  if (/\btailwind\.config\s{0,9}=(?!=)/.test(script.textContent)) {
    found.add("settings", "tailwind.config");
  }
  const address = URL.parse(script.getAttribute("src") ?? "");
  const plugins = address && tailwindOf(address) && address.searchParams.get("plugins");
  if (plugins) found.add("settings", `plugins=${plugins}`);
}

function valuesOf(element: Element, localName: string): string[] {
  return [...element.attributes]
    .filter((attribute) => attribute.localName === localName)
    .map(({ value }) => value);
}

function addLink(link: Element, found: LeftOutList): void {
  const rels = (link.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
  const known = LINKS.find(([rel]) => rels.includes(rel));
  if (known === undefined) return;
  const destination = link.getAttribute("as")?.toLowerCase() ?? "";
  const kind = known[1] === "as" ? (DESTINATIONS[destination] ?? "data") : known[1];
  found.add(kind, link.getAttribute("href") ?? "");
}

function addCss(css: string, found: LeftOutList): void {
  let isFont = false;
  for (const { groups = {} } of css.matchAll(CSS_TOKENS)) {
    if (groups["font"]) isFont = true;
    else if (groups["end"]) isFont = false;
    else if (groups["sheet"]) found.add("style", groups["sheet"]);
    else found.add(isFont ? "font" : "picture", groups["url"] ?? groups["set"] ?? "");
  }
}

function addCandidates(text: string, kind: LeftOutKind, found: LeftOutList): void {
  for (const { groups: { url = "" } = {} } of text.matchAll(CANDIDATES)) {
    found.add(kind, url.endsWith(",") ? url.slice(0, -1) : url);
  }
}
