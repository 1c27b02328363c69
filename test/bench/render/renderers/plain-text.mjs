/** Appends the text to one text node, without Markdown. */
export function start(container) {
  const text = container.appendChild(new Text());
  container.style.whiteSpace = "pre-wrap";
  return { append: (piece) => text.appendData(piece), end() {} };
}
