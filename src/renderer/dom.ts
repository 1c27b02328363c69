export function makeElement(
  document: Document,
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Block elements in a list item; all other nodes there belong to a tight paragraph. */
const BLOCKS = new Set("P UL OL LI BLOCKQUOTE DIV TABLE HR H1 H2 H3 H4 H5 H6".split(" "));

/** Wraps each run of inline nodes in a paragraph, as a loose list needs. */
export function wrapRuns(item: Element): void {
  let run: HTMLElement | undefined;
  for (const node of [...item.childNodes]) {
    if (BLOCKS.has(node.nodeName)) {
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = makeElement(item.ownerDocument, "p");
      item.insertBefore(run, node);
      if (item.firstChild === run && item.hasAttribute("dir")) {
        run.dir = "rtl";
        item.removeAttribute("dir");
      }
    }
    run.appendChild(node);
  }
}
