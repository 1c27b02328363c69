/**
 * Small steps on nodes that several views need. Elements are made by name only.
 */

/** Makes an element with attributes. */
export function make(
  page: Document,
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement {
  const element = page.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Elements that stand on their own in a list item; everything else there is a tight paragraph's. */
const BLOCKS = new Set([
  "P",
  "UL",
  "OL",
  "LI",
  "BLOCKQUOTE",
  "DIV",
  "TABLE",
  "HR",
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "H6",
]);

/** Puts each run of text in a list item into a paragraph: what a tight list lacks and a loose one has. */
export function wrapRuns(item: Element): void {
  let run: HTMLElement | undefined;
  for (const node of [...item.childNodes]) {
    if (BLOCKS.has(node.nodeName)) {
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = make(item.ownerDocument, "p");
      item.insertBefore(run, node);
    }
    run.appendChild(node);
  }
}
