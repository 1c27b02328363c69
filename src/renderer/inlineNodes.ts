/**
 * Converts markdown-it's inline tokens into a small tree and patches the DOM with it: text that
 * grew is appended, other nodes stay. Every node is created by name; no HTML of a reply is parsed.
 */
import type { Token } from "markdown-it";
import { linkKind } from "../markdown/linkPolicy";
import { pieceEnd } from "./pieces";
import { PLAIN_PIECE_CLASS } from "./styles";

/** Node to create; a text node if `tag` is "". */
export interface InlineNode {
  readonly tag: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly InlineNode[];
  /** DOM node, set by `patchInline`. */
  node?: Node;
}

const NO_CHILDREN: readonly InlineNode[] = [];
const NO_ATTRIBUTES = {};

function textNode(text: string): InlineNode {
  return { tag: "", text, attributes: NO_ATTRIBUTES, children: NO_CHILDREN };
}

function elementNode(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly InlineNode[],
): InlineNode {
  return { tag, text: "", attributes, children };
}

/** Returns long text in pieces with separate layout. */
export function plainPieces(text: string): InlineNode[] {
  const pieces: InlineNode[] = [];
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at);
    pieces.push(elementNode("span", { class: PLAIN_PIECE_CLASS }, [textNode(text.slice(at, end))]));
    at = end;
  }
  return pieces;
}

/** Maximum depth of emphasis elements. Painting deeper nesting takes quadratic time. */
const MAX_EMPHASIS_DEPTH = 12;

/** Element names of the tokens that only wrap others. */
const WRAPPERS: Readonly<Record<string, string>> = {
  strong_open: "strong",
  em_open: "em",
  s_open: "del",
};

/** Checkbox of a task, with its accessible name. */
export interface TaskBox {
  readonly isDone: boolean;
  readonly label: string;
}

/** The checkbox is disabled because it only shows a state. */
function taskBoxNode({ isDone, label }: TaskBox): InlineNode {
  const attributes = { type: "checkbox", disabled: "", "aria-label": label };
  return elementNode("input", isDone ? { ...attributes, checked: "" } : attributes, NO_CHILDREN);
}

/** Converts the tokens of a block into nodes, after a task's checkbox. */
export function inlineNodes(tokens: readonly Token[], task?: TaskBox): InlineNode[] {
  let nodes: InlineNode[] = task === undefined ? [] : [taskBoxNode(task)];
  let text = task === undefined ? "" : " ";
  const stack: { nodes: InlineNode[]; token: Token }[] = [];
  /** Open emphasis beyond the depth limit; its text goes into the surrounding element. */
  let tooDeep = 0;
  const flush = () => {
    if (text !== "") nodes.push(textNode(text));
    text = "";
  };
  for (const token of tokens) {
    const isEmphasis = /^(?:strong|em|s)_(?:open|close)$/.test(token.type);
    if (isEmphasis && (tooDeep > 0 || (token.nesting > 0 && stack.length >= MAX_EMPHASIS_DEPTH))) {
      tooDeep += token.nesting;
    } else if (token.nesting > 0) {
      flush();
      stack.push({ nodes, token });
      nodes = [];
    } else if (token.nesting < 0) {
      flush();
      const opened = stack.pop();
      if (opened === undefined) continue;
      opened.nodes.push(wrapperNode(opened.token, nodes));
      nodes = opened.nodes;
    } else if (token.type === "softbreak") {
      text += "\n";
    } else if (token.type === "hardbreak") {
      flush();
      nodes.push(elementNode("br", NO_ATTRIBUTES, NO_CHILDREN));
    } else {
      const node = leafNode(token);
      if (typeof node === "string") text += node;
      else {
        flush();
        nodes.push(node);
      }
    }
  }
  flush();
  return nodes;
}

function wrapperNode(token: Token, children: readonly InlineNode[]): InlineNode {
  if (token.type === "link_open") return linkNode(token, children);
  return elementNode(WRAPPERS[token.type] ?? "span", NO_ATTRIBUTES, children);
}

/**
 * Returns a link that can be followed only if linkPolicy.ts allows it. The host decides about
 * relative addresses.
 */
function linkNode(token: Token, children: readonly InlineNode[]): InlineNode {
  const address = String(token.attrGet("href") ?? "");
  const title = token.attrGet("title");
  const hint = title === null ? address : `${title}\n${address}`;
  switch (linkKind(address)) {
    case "web":
      return elementNode("a", { href: address, "data-href": address, title: hint }, children);
    case "relative":
      return elementNode("a", { "data-href": address, title: hint }, children);
    case "refused":
      return elementNode("span", { class: "refused-link", title: hint }, children);
  }
}

function leafNode(token: Token): InlineNode | string {
  switch (token.type) {
    case "code_inline":
      return elementNode("code", NO_ATTRIBUTES, [textNode(token.content)]);
    case "image":
      return elementNode("span", { class: "image-source" }, [textNode(imageText(token))]);
    case "math_inline": {
      const isDisplay = token.markup === "$$" || token.markup === "\\[";
      const name = isDisplay ? "math math-display" : "math";
      return elementNode("span", { class: name }, [textNode(mathSource(token))]);
    }
    default:
      return token.content;
  }
}

/** Returns the source of a formula, shown until the formula is drawn, or if it cannot be. */
function mathSource(token: Token): string {
  const close = token.markup === "\\(" ? "\\)" : token.markup === "\\[" ? "\\]" : token.markup;
  return token.markup + token.content + close;
}

/** Returns the Markdown of an image, address included; images are never loaded. */
function imageText(token: Token): string {
  const title = token.attrGet("title");
  const address = String(token.attrGet("src") ?? "");
  const alternative = (token.children ?? []).map(plainText).join("");
  return `![${alternative}](${address}${title === null ? "" : ` "${title}"`})`;
}

function plainText(token: Token): string {
  if (token.type === "softbreak" || token.type === "hardbreak") return "\n";
  if (token.children !== null && token.children.length > 0) {
    return token.children.map(plainText).join("");
  }
  return token.content;
}

function canReuse(a: InlineNode, b: InlineNode): boolean {
  return a.tag === b.tag && a.attributes["class"] === b.attributes["class"];
}

function createNode(document: Document, source: InlineNode): Node {
  if (source.tag === "") return (source.node = document.createTextNode(source.text));
  const node = document.createElement(source.tag);
  for (const [name, value] of Object.entries(source.attributes)) node.setAttribute(name, value);
  for (const child of source.children) node.appendChild(createNode(document, child));
  return (source.node = node);
}

/**
 * Changes the nodes of `before` (adjacent children of `parent`) into those of `after`. Nodes are
 * reused where possible; new ones are inserted before `anchor`, or at the end.
 */
export function patchInline(
  parent: Node,
  before: readonly InlineNode[],
  after: readonly InlineNode[],
  anchor: Node | null,
): void {
  const document = parent.ownerDocument;
  if (document === null) return;
  let index = 0;
  for (; index < after.length; index++) {
    const old = before[index];
    const next = after[index];
    if (next === undefined || old?.node === undefined || !canReuse(old, next)) break;
    next.node = old.node;
    if (next.tag === "") patchText(old.node as Text, old.text, next.text);
    else {
      patchAttributes(old.node as Element, old, next);
      patchInline(old.node, old.children, next.children, null);
    }
  }
  for (const old of before.slice(index)) if (old.node !== undefined) parent.removeChild(old.node);
  for (const next of after.slice(index)) parent.insertBefore(createNode(document, next), anchor);
}

function patchText(node: Text, before: string, after: string): void {
  if (before === after) return;
  if (after.startsWith(before)) node.appendData(after.slice(before.length));
  else node.data = after;
}

function patchAttributes(node: Element, before: InlineNode, after: InlineNode): void {
  for (const [name, value] of Object.entries(after.attributes)) {
    if (before.attributes[name] !== value) node.setAttribute(name, value);
  }
  for (const name of Object.keys(before.attributes)) {
    if (!(name in after.attributes)) node.removeAttribute(name);
  }
}
