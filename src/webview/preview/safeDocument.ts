/**
 * Makes the document of a preview from code that a model wrote: without anything that loads or leads
 * elsewhere, and with a content security policy of its own. The policy and the sandbox of the frame
 * forbid all loading; what they cannot forbid is removed here. Chromium connects to the target of a
 * navigation before it checks the policy, and no policy covers WebRTC. What a script can still do is
 * navigate its own frame, see guardScript.ts.
 */
import type { PreviewState } from "../../protocol/previewMessages";
import { FORBIDDEN_ELEMENTS, guardScript } from "./guardScript";
import { leftOutOf, type LeftOut, type LeftOutKind } from "./leftOut";

type PreviewCode = PreviewState["code"];

/** Elements that load, navigate or change how the document is loaded. */
const REMOVED = [
  // Without scripts, an `iframe` without an address only keeps its place.
  ...FORBIDDEN_ELEMENTS.filter((name) => name !== "iframe" && name !== "meta"),
  "meta[http-equiv]",
].join(", ");

/** Attributes that load, or that start a request when the user clicks. */
const REMOVED_ATTRIBUTES = ["srcdoc", "ping", "attributionsrc", "manifest"];

/** Script types that Chromium runs; other types are data. */
const SCRIPT_TYPES = new Set(["", "text/javascript", "application/javascript", "module"]);

/** Target in place of links to other pages: a link keeps its look and leads nowhere. */
const NOWHERE = "#core-chat-preview";

/** Number of rounds until serializing and parsing must leave the document unchanged. */
const MAX_ROUNDS = 4;

/** Error for code that reads differently each time it is parsed. */
export class UnstableDocument extends Error {
  override readonly name = "UnstableDocument";
}

/**
 * Returns the text of a document for the `srcdoc` of a sandboxed frame.
 * @param ownScripts scripts that run before those of the page
 */
export function previewHtml(
  code: PreviewCode,
  runsScripts: boolean,
  ownScripts: readonly string[] = [],
): string {
  const document = safeDocument(code, runsScripts);
  const { head } = document;
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = contentPolicy(runsScripts);
  const prefetch = document.createElement("meta");
  prefetch.httpEquiv = "x-dns-prefetch-control";
  prefetch.content = "off";
  // Without a base, "#top" would lead to the page around the frame.
  const base = document.createElement("base");
  base.href = "about:srcdoc";
  const added: Element[] = [policy, prefetch, base];
  if (runsScripts) {
    for (const text of [guardScript(), ...ownScripts]) {
      const script = document.createElement("script");
      script.textContent = text;
      added.push(script);
    }
  }
  head.prepend(...added);
  return htmlOf(document);
}

/** Returns what the page would load and the preview leaves out. */
export function leftOutOfCode(code: PreviewCode): LeftOut[] {
  const added = new Set<LeftOutKind>();
  if (code.styles.length > 0) added.add("style");
  if (code.scripts.length > 0) added.add("script");
  return leftOutOf(joined(code, true), added);
}

/** Returns the document with the CSS, and the JavaScript if it runs, of the other blocks. */
export function safeDocument(code: PreviewCode, runsScripts: boolean): Document {
  const document = joined(code, runsScripts);
  clean(document, runsScripts);
  return stable(document, runsScripts);
}

/** Returns the markup with the other blocks, as the model wrote them. */
function joined(code: PreviewCode, runsScripts: boolean): Document {
  const document = parse(code.kind === "svg" ? svgPage(code.markup) : code.markup);
  for (const css of code.styles) {
    const style = document.createElement("style");
    style.textContent = css.replace(/<\/style/gi, "<\\/style");
    document.head.append(style);
  }
  if (runsScripts) {
    for (const text of code.scripts) {
      const script = document.createElement("script");
      if (/^[ \t]*(?:import|export)\b/m.test(text)) script.type = "module";
      script.textContent = text.replace(/<\/script/gi, "<\\/script").replace(/<![-]-/g, "<\\!--");
      document.body.append(script);
    }
  }
  return document;
}

function contentPolicy(runsScripts: boolean): string {
  return [
    "default-src 'none'",
    "img-src data: blob:",
    "media-src data: blob:",
    "font-src data:",
    "style-src 'unsafe-inline'",
    `script-src ${runsScripts ? "'unsafe-inline' 'unsafe-eval'" : "'none'"}`,
    "worker-src 'none'",
    "base-uri about:",
    "form-action 'none'",
    ...(runsScripts ? ["require-trusted-types-for 'script'", "trusted-types default"] : []),
  ].join("; ");
}

function svgPage(svg: string): string {
  return `<!doctype html><html><body style="margin: 0">${svg}</body></html>`;
}

/** Parses without running or loading anything. A fragment becomes a page in standards mode. */
export function parse(html: string): Document {
  const isPage = /<!doctype|<html|<head|<body/i.test(html);
  return new DOMParser().parseFromString(isPage ? html : `<!doctype html>${html}`, "text/html");
}

export function htmlOf({ compatMode, documentElement }: Document): string {
  const doctype = compatMode === "BackCompat" ? "" : "<!doctype html>";
  return `${doctype}${documentElement.outerHTML}`;
}

/** Returns the document as the frame will parse it: parsing can move and reveal elements. */
function stable(document: Document, runsScripts: boolean): Document {
  let html = htmlOf(document);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = parse(html);
    clean(again, runsScripts);
    const next = htmlOf(again);
    if (next === html) return again;
    html = next;
  }
  throw new UnstableDocument("the document changes with each parsing");
}

function clean(root: Document | DocumentFragment, runsScripts: boolean): void {
  const removed = runsScripts ? `${REMOVED}, iframe` : REMOVED;
  for (const element of root.querySelectorAll(removed)) element.remove();
  // The frame with scripts would parse the text of `noscript` differently.
  for (const element of root.querySelectorAll(runsScripts ? "noscript" : "script")) {
    element.remove();
  }
  for (const element of root.querySelectorAll("*")) cleanElement(element, runsScripts);
}

function cleanElement(element: Element, runsScripts: boolean): void {
  const name = element.localName.toLowerCase();
  for (const attribute of REMOVED_ATTRIBUTES) element.removeAttribute(attribute);
  if (name === "iframe") element.removeAttribute("src");
  else if (name === "script") cleanScript(element);
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
  if (element instanceof HTMLTemplateElement) clean(element.content, runsScripts);
}

/** Removes scripts from addresses, and types that make the browser load other pages. */
function cleanScript(script: Element): void {
  const type = (script.getAttribute("type") ?? "").trim().toLowerCase();
  const isLoading = type === "speculationrules" || type === "importmap" || type === "webbundle";
  const hasAddress = [...script.attributes].some(({ localName }) =>
    ["src", "href"].includes(localName),
  );
  if (isLoading || (hasAddress && SCRIPT_TYPES.has(type))) script.remove();
}
