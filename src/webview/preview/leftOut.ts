/**
 * Lists what a page would load and a preview leaves out, which changes the look of the page: addresses of
 * the web, and files next to the page unless another block of the reply can be the file.
 */
import { MAX_ADDRESS_LENGTH, MAX_LEFT_OUT } from "../../protocol/previewMessages";
import { tailwindOf } from "../../protocol/tailwindScripts";

const SVG = "http://www.w3.org/2000/svg";

/** Attributes that load when the page is shown. */
const LOADING: readonly (readonly [selector: string, attribute: string])[] = [
  ["script, img, input[type=image i], iframe, frame, embed", "src"],
  ["img, picture > source", "srcset"],
  ["video", "poster"],
  ["video, audio, track, audio > source, video > source", "src"],
  ["body, table, td, th", "background"],
  ["script, image, feImage, use", "href"],
  ["link[rel~=stylesheet i], link[rel~=modulepreload i], link[rel~=preload i]", "href"],
  ["object", "data"],
];

/** Comments and addresses of a style sheet, by https://www.w3.org/TR/css-syntax-3/. */
const CSS_TOKENS =
  /\/\*[^]*?(?:\*\/|$)|@import\s{0,20}(?:url\(\s{0,20})?["']?(?<sheet>[^"')\s]{1,2000})|url\(\s{0,20}["']?(?<url>[^"')\s]{1,2000})|image-set\(\s{0,20}["'](?<set>[^"']{1,2000})/gi;

/** Candidates of a `srcset`: https://html.spec.whatwg.org/multipage/images.html#srcset-attributes. */
const CANDIDATES = /(?<url>[^\s,]\S{0,2000})(?:(?<=,)|[^,]{0,200})/g;

/** Schemes of addresses that load nothing or that the policy of a preview allows. */
const INNER_SCHEMES = /^(?:data|blob|about|javascript):$/;

/**
 * Returns what a document would load, each address once: as URL, or as written if it is relative, without
 * white space. Needs the document unchanged.
 * @param hasStyles true if the preview adds the style sheets of the reply, which can be files next to the page
 */
export function leftOutOf(document: Document, hasStyles: boolean): string[] {
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const addresses = new Set<string>();
  addElements(document, (text, isStyle) => {
    const address = addressOutside(text, base);
    if (address === undefined || (isStyle && hasStyles && URL.parse(address) === null)) return;
    addresses.add(address);
  });
  return [...addresses].slice(0, MAX_LEFT_OUT);
}

type Add = (text: string, isStyle?: boolean) => void;

/** Returns the host of an address; the address itself for one without host. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host || address;
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

function addElements(root: Document | DocumentFragment, add: Add): void {
  for (const element of root.querySelectorAll("*")) {
    const { localName } = element;
    for (const [selector, attribute] of LOADING) {
      if (!element.matches(selector)) continue;
      for (const value of valuesOf(element, attribute)) {
        if (attribute === "srcset") addCandidates(value, add);
        else add(value, element.matches("link[rel~=stylesheet i]"));
      }
    }
    if (localName === "style") addCss(element.textContent, add);
    else if (localName === "script") addSettings(element, add);
    const isSvg = element.namespaceURI === SVG;
    for (const { localName: name, value } of element.attributes) {
      if (isSvg || name === "style") addCss(value, add);
    }
    if (element instanceof HTMLTemplateElement) addElements(element.content, add);
  }
}

/** Adds settings of Tailwind 3, which its runtime in the extension does not read. */
function addSettings(script: Element, add: Add): void {
  if (/\btailwind\.config\s{0,9}=(?!=)/.test(script.textContent)) add("tailwind.config");
  const address = URL.parse(script.getAttribute("src") ?? "");
  const plugins = address && tailwindOf(address) && address.searchParams.get("plugins");
  if (plugins) add(`plugins=${plugins}`);
}

function valuesOf(element: Element, localName: string): string[] {
  return [...element.attributes]
    .filter((attribute) => attribute.localName === localName)
    .map(({ value }) => value);
}

function addCss(css: string, add: Add): void {
  for (const { groups: { sheet, url, set } = {} } of css.matchAll(CSS_TOKENS)) {
    add(sheet ?? url ?? set ?? "", sheet !== undefined);
  }
}

function addCandidates(text: string, add: Add): void {
  for (const { groups: { url = "" } = {} } of text.matchAll(CANDIDATES)) {
    add(url.endsWith(",") ? url.slice(0, -1) : url);
  }
}
