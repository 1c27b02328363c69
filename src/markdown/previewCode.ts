/**
 * Finds the code blocks of a reply that can be previewed, and joins the HTML and CSS that belong
 * together. Scripts do not run in a preview.
 */
import type { NumberedCodeBlock } from "./codeBlocks";

/** Role of a block in a preview: a document, or a part of the document that the reply also has. */
export type PreviewRole = "html" | "svg" | "style" | "script";

export interface PreviewCode {
  readonly kind: "html" | "svg";
  readonly markup: string;
  /** CSS of other blocks, in the order of the reply. */
  readonly styles: string[];
  /** True if other blocks have scripts of the page. */
  readonly hasScripts: boolean;
}

const ROLES: Readonly<Record<string, PreviewRole>> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  svg: "svg",
  css: "style",
  js: "script",
  javascript: "script",
  mjs: "script",
};

/** Languages that models also write over HTML and SVG. */
const UNCLEAR_LANGUAGES = new Set(["", "xml", "text", "plaintext"]);

/**
 * Start of a document, after an XML declaration and comments. The page inlines this script, so the
 * script must not have the characters that begin a comment.
 */
const DOCUMENT_START =
  /^\s*(?:<\?xml[^>]*>\s*|<![-]-(?:(?!-->)[^])*-->\s*)*<(!doctype html|html|svg)\b/i;

/** Returns the role of a block in a preview; undefined for a block without a preview. */
export function previewRole(language: string, code: string): PreviewRole | undefined {
  // "html:index.html" and "html{1,3}" are common as the first word of the info string.
  const name = (/^[\w+#-]*/.exec(language)?.[0] ?? "").toLowerCase();
  const start = DOCUMENT_START.exec(code.slice(0, 2_000))?.[1]?.toLowerCase();
  if (UNCLEAR_LANGUAGES.has(name)) {
    return start === undefined ? undefined : start === "svg" ? "svg" : "html";
  }
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  return role === "html" && start === "svg" ? "svg" : role;
}

/**
 * Returns the code of the preview of a block; undefined if the block has none. CSS and JavaScript
 * belong to the nearest HTML block above, or to the first one of the reply.
 */
export function previewCode(
  blocks: readonly NumberedCodeBlock[],
  index: number,
): PreviewCode | undefined {
  const roles = blocks.map(({ language, text }) => previewRole(language, text));
  const ownRole = roles[index];
  if (ownRole === undefined) return undefined;
  const documentIndex = ownRole === "html" || ownRole === "svg" ? index : ownerOf(roles, index);
  const block = blocks[documentIndex];
  if (block === undefined) return undefined;
  const kind = roles[documentIndex] === "svg" ? "svg" : "html";
  const partsOf = (role: PreviewRole) =>
    blocks.flatMap(({ text }, at) =>
      kind === "html" && roles[at] === role && ownerOf(roles, at) === documentIndex ? [text] : [],
    );
  const hasScripts = partsOf("script").length > 0;
  return { kind, markup: block.text, styles: partsOf("style"), hasScripts };
}

/** Returns the index of the HTML block that a part belongs to; -1 if the reply has none. */
function ownerOf(roles: readonly (PreviewRole | undefined)[], index: number): number {
  const above = roles.lastIndexOf("html", index);
  return above === -1 ? roles.indexOf("html") : above;
}
