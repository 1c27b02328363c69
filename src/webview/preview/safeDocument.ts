/**
 * Makes the document of a preview from code that a model wrote: without scripts, without anything that
 * loads or leads elsewhere, and with a content security policy of its own. The policy and the sandbox of
 * the frame forbid all loading; what they cannot forbid is removed here. Chromium connects to the target
 * of a navigation before it checks the policy.
 */
import type { PreviewState } from "../../protocol/previewMessages";
import { leftOutOf } from "./leftOut";
import { addTailwind } from "./tailwind";

type PreviewCode = PreviewState["code"];

/** Elements that load, run, navigate or change how the document is loaded. */
const REMOVED =
  // An `iframe` without an address only keeps its place.
  "script, frame, frameset, object, embed, applet, portal, fencedframe, link, base, meta[http-equiv]";

/** Attributes that load, or that start a request when the user clicks. */
const REMOVED_ATTRIBUTES = ["srcdoc", "ping", "attributionsrc", "manifest"];

/** Target in place of links to other pages: a link keeps its look and leads nowhere. */
const NOWHERE = "#core-chat-preview";

/** Number of rounds until serializing and parsing must leave the document unchanged. */
const MAX_ROUNDS = 4;

/** Limits of the tags in the code, and of formatting elements that can be unclosed. */
const MAX_TAGS = 10_000;
const MAX_UNCLOSED = 200;

/** Limit of what a prefix can cost more than the one before; Chromium takes at most about a second. */
const MAX_PREFIX_COST = 2_000_000;

/** Elements that parsing repeats: https://html.spec.whatwg.org/multipage/parsing.html#formatting */
const FORMATTING = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));

/** Start tags, each with the end tag of an element that has only text. */
const TAGS = /<([a-z][a-z\d]{0,20})(?![a-z\d])(?:[^<>]*>[^<>]*<(\/\1)(?![a-z\d]))?|<[a-z]/gi;

const POLICY = [
  "default-src 'none'",
  "img-src data: blob:",
  "media-src data: blob:",
  "font-src data:",
  "style-src 'unsafe-inline'",
  "base-uri about:",
  "form-action 'none'",
].join("; ");

/** Document of a preview, and what differs from the page that the model wrote. */
export interface SafeDocument {
  readonly document: Document;
  /** Addresses that the page would load. */
  readonly leftOut: readonly string[];
  /** Version of the extension's Tailwind, which styles the page; empty without. */
  readonly tailwind: string;
  /** True for a page with a script, an event handler or a link that runs code. */
  readonly hasScripts: boolean;
}

/**
 * Returns the document with the CSS of the other blocks. Rejects for code that reads differently each
 * time it is parsed, and with a RangeError for a page with too many elements.
 */
export async function safeDocument(code: PreviewCode): Promise<SafeDocument> {
  const document = parseBounded(code.kind === "svg" ? svgPage(code.markup) : code.markup);
  for (const css of code.styles) {
    const style = document.createElement("style");
    style.textContent = css.replace(/<\/style/gi, "<\\/style");
    document.head.append(style);
  }
  const all = leftOutOf(document, code.styles.length > 0);
  const { addresses, version } = await addTailwind(document);
  const leftOut = all.filter((address) => !addresses.includes(address));
  const hasScripts =
    code.hasScripts ||
    document.querySelector("script:not([type*=json i])") !== null ||
    /\son[a-z]+\s{0,9}=|javascript:/i.test(code.markup);
  clean(document);
  return { document: stable(document), leftOut, tailwind: version, hasScripts };
}

/** Returns the text of a safe document for the `srcdoc` of a sandboxed frame. */
export function previewHtml(document: Document): string {
  const copy = document.cloneNode(true) as Document;
  const policy = copy.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = POLICY;
  const prefetch = copy.createElement("meta");
  prefetch.httpEquiv = "x-dns-prefetch-control";
  prefetch.content = "off";
  // Without a base, "#top" would lead to the page around the frame.
  const base = copy.createElement("base");
  base.href = "about:srcdoc";
  copy.head.prepend(policy, prefetch, base);
  return htmlOf(copy);
}

/**
 * Parses code; throws a RangeError for too many tags or elements. Parsing repeats unclosed formatting
 * elements in each block, in a time with the square of their number. So prefixes are parsed first.
 */
function parseBounded(markup: string): Document {
  let tags = 0;
  let unclosed = 0;
  let possibleCost = 0;
  for (const { 1: name = "", 2: end, index } of markup.matchAll(TAGS)) {
    tags++;
    if (end === undefined && FORMATTING.has(name.toLowerCase())) unclosed++;
    if (tags > MAX_TAGS || unclosed > MAX_UNCLOSED) throw new RangeError("too many tags");
    possibleCost += unclosed ** 2;
    if (possibleCost <= MAX_PREFIX_COST) continue;
    possibleCost = 0;
    parseUnrepeated(markup.slice(0, index), tags);
  }
  return parseUnrepeated(markup, tags);
}

/** Parsing adds a few elements, such as `tbody`. */
function parseUnrepeated(markup: string, tags: number): Document {
  const document = parse(markup);
  if (document.getElementsByTagName("*").length > 2 * tags + 100)
    throw new RangeError("parsing repeats elements");
  return document;
}

function svgPage(svg: string): string {
  return `<!doctype html><html><body style="margin: 0">${svg}</body></html>`;
}

/** Parses without running or loading anything. A fragment becomes a page in standards mode. */
function parse(html: string): Document {
  const isPage = /<!doctype|<html|<head|<body/i.test(html);
  return new DOMParser().parseFromString(isPage ? html : `<!doctype html>${html}`, "text/html");
}

function htmlOf({ compatMode, documentElement }: Document): string {
  const doctype = compatMode === "BackCompat" ? "" : "<!doctype html>";
  return `${doctype}${documentElement.outerHTML}`;
}

/** Returns the document as the frame will parse it: parsing can move and reveal elements. */
function stable(document: Document): Document {
  let html = htmlOf(document);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = parse(html);
    clean(again);
    const next = htmlOf(again);
    if (next === html) return again;
    html = next;
  }
  throw new Error("the document changes with each parsing");
}

function clean(root: Document | DocumentFragment): void {
  for (const element of root.querySelectorAll(REMOVED)) element.remove();
  for (const element of root.querySelectorAll("*")) cleanElement(element);
}

function cleanElement(element: Element): void {
  const name = element.localName.toLowerCase();
  for (const attribute of REMOVED_ATTRIBUTES) element.removeAttribute(attribute);
  if (name === "iframe") element.removeAttribute("src");
  else if (name === "a" || name === "area") {
    for (const attribute of [...element.attributes]) {
      if (attribute.localName === "href" && !attribute.value.trim().startsWith("#")) {
        attribute.value = NOWHERE;
      }
      if (attribute.localName === "target") element.removeAttributeNode(attribute);
    }
  } else if (/^(?:animate|set)/.test(name)) {
    // An animation of SVG can give a link another target.
    if (/href|target/i.test(element.getAttribute("attributeName") ?? "")) element.remove();
  }
  if (element instanceof HTMLTemplateElement) clean(element.content);
}
