/**
 * Changes nodes below `root` without a change of their text, and keeps what the user has selected there.
 * Browsers move the ends of a selection out of nodes that are removed, also of those that are moved.
 */
export function keepSelection(root: Element, change: () => void): void {
  const selection = root.ownerDocument.getSelection();
  if (selection === null || selection.isCollapsed) {
    change();
    return;
  }
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  const anchor = offsetIn(root, anchorNode, anchorOffset);
  const focus = offsetIn(root, focusNode, focusOffset);
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const isForward = startContainer === anchorNode && startOffset === anchorOffset;
  change();
  if (anchor === undefined && focus === undefined) return;
  const [fromNode, from] =
    anchor === undefined ? [anchorNode, anchorOffset] : placeAt(root, anchor, isForward);
  const [toNode, to] =
    focus === undefined ? [focusNode, focusOffset] : placeAt(root, focus, !isForward);
  if (fromNode?.isConnected && toNode?.isConnected)
    selection.setBaseAndExtent(fromNode, from, toNode, to);
}

/** Returns the number of UTF-16 units before a place in `root`; undefined for a place outside. */
function offsetIn(root: Element, node: Node | null, offset: number): number | undefined {
  if (node === null || !root.contains(node)) return undefined;
  const before = root.ownerDocument.createRange();
  before.setStart(root, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/**
 * Returns the place after a number of UTF-16 units, at most the end of `root`.
 * @param isStart true for the start of a node rather than the end of the node before
 */
function placeAt(root: Element, offset: number, isStart: boolean): [node: Node, offset: number] {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    if (left < node.length || (left === node.length && !isStart)) return [node, left];
    left -= node.length;
  }
  return [root, root.childNodes.length];
}
