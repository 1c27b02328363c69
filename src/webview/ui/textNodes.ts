/** Returns the text nodes in an element in their order, without those in elements that the selector names. */
export function textNodes(root: Element, excluded: string): Text[] {
  const texts: Text[] = [];
  const walker = root.ownerDocument.createTreeWalker(
    root,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) =>
      !(node instanceof Element)
        ? NodeFilter.FILTER_ACCEPT
        : node.matches(excluded)
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_SKIP,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) texts.push(node);
  }
  return texts;
}
