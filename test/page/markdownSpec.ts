/**
 * Compares the renderer's nodes with the HTML of the CommonMark suite, inside the page. Both are
 * converted to the same text form without the intended differences: raw HTML and images as text, a frame
 * around code, refused addresses.
 */

const BLOCKS = /^(?:P|UL|OL|LI|BLOCKQUOTE|PRE|H[1-6]|HR|TABLE|THEAD|TBODY|TR|TH|TD|DIV)$/;

/** Whitespace after a block has no meaning. */
const AFTER_BLOCK = /<\/(?:p|ul|ol|li|blockquote|pre|h[1-6]|hr|table|div)>$/;

/** Serializes nodes: tags with their significant attributes, text with collapsed whitespace. */
export function canonical(root: Node): string {
  let out = "";
  const visit = (node: Node, isCode: boolean) => {
    if (node instanceof Text) {
      const text = isCode ? node.data : node.data.replace(/\s+/g, " ");
      out += !isCode && AFTER_BLOCK.test(out) ? text.trimStart() : text;
      return;
    }
    if (!(node instanceof Element)) {
      for (const child of node.childNodes) visit(child, isCode);
      return;
    }
    const tag = node.tagName;
    if (tag === "DIV" && node.classList.contains("code-block")) {
      const frame = node.querySelector("pre");
      if (frame !== null) visit(frame, isCode);
      return;
    }
    if (tag === "IMG") {
      const title = node.getAttribute("title");
      const alternative = (node.getAttribute("alt") ?? "").replace(/\s+/g, " ");
      out += `![${alternative}](${node.getAttribute("src") ?? ""}${title === null ? "" : ` "${title}"`})`;
      return;
    }
    if (node.classList.contains("image-source")) {
      out += node.textContent.replace(/\s+/g, " ");
      return;
    }
    if (BLOCKS.test(tag)) out = out.trimEnd();
    if (node.classList.contains("refused-link") || tag === "A") out += link(node);
    else if (tag === "CODE" && node.hasAttribute("class")) {
      out += `<code ${node.getAttribute("class") ?? ""}>`;
    } else if (tag === "OL" && node.hasAttribute("start")) {
      out += `<ol ${node.getAttribute("start") ?? ""}>`;
    } else out += `<${tag.toLowerCase()}>`;
    const from = out.length;
    for (const child of node.childNodes) visit(child, isCode || tag === "PRE");
    if (BLOCKS.test(tag) && tag !== "PRE") {
      out = out.slice(0, from) + out.slice(from).trimStart();
      out = out.trimEnd();
    }
    if (tag === "BR") out = `${out.trimEnd()}\n`;
    else out += `</${tag === "SPAN" ? "a" : tag.toLowerCase()}>`;
  };
  for (const child of root.childNodes) visit(child, false);
  return out.replace(/\n +/g, "\n").trim();
}

function link(node: Element): string {
  const isOurs = node.hasAttribute("data-href") || node.tagName === "SPAN";
  const hint = node.getAttribute("title") ?? "";
  const [first, ...rest] = isOurs ? hint.split("\n").reverse() : [];
  const address = isOurs ? (first ?? "") : (node.getAttribute("href") ?? "");
  const title = isOurs ? rest.reverse().join("\n") : hint;
  return `<a ${address}|${title}>`;
}

/** The page's policy forbids HTML strings; only the inert DOMParser reads this string. */
interface HtmlPolicy {
  createHTML(html: string): string;
}
declare const trustedTypes: {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): HtmlPolicy;
};

let policy: HtmlPolicy | undefined;

/** Serializes the expected HTML without running or loading any of its content. */
export function canonicalHtml(html: string): string {
  policy ??= trustedTypes.createPolicy("expected-html", { createHTML: (same) => same });
  return canonical(new DOMParser().parseFromString(policy.createHTML(html), "text/html").body);
}
